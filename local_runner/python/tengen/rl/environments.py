"""Every game as an environment: PettingZoo for two learners, Gymnasium for one learner against an agent.

    env = environments.env("gobang_1v1")                # PettingZoo; `parallel_env` has its parallel API
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

    env = AgainstAgent("gobang_1v1", "seed002", colour="random")     # Gymnasium
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(observation["action_mask"]))

There is an action for each cell, row by row, and in games with passes one more, the pass. An observation has two Boxes
of int8, 0 or 1: "observation" of shape (2, rows, cols), the player's own stones and the opponent's, and "action_mask"
of (actions,), the legal actions, all zeros for the side off turn. The reward is 1 for a won game, -1 for a lost one,
else 0.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from env_adapter import Cell
from local_runner.agents.declared_games import refuse_misfits
from local_runner.errors import RunnerError
from local_runner.formats import from_session
from local_runner.formats.files.png import pixels
from local_runner.game.session import GameSession
from local_runner.language.languages import _, shown, unknown
from local_runner.play.playing import opponent as chosen_opponent
from local_runner.processes.engine.levels import EngineContestant, EngineLevel
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode
from local_runner.system.checks import need
from tengen.game import COLOURS, setup_of

need("rl")

import gymnasium  # noqa: E402
from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402
from pettingzoo.utils.conversions import turn_based_aec_to_parallel  # noqa: E402

Observation = dict[str, Any]
AGENTS: list[str] = [*COLOURS]
MODES = ["ansi", "rgb_array"]
PICTURE = 480  # pixels: width of a rendered board


class LearnersGame(GameSession):
    """A game with the observations, the actions and the rewards of learners. Players are 0 Black and 1 White."""

    @property
    def spaces(self) -> tuple[spaces.Dict, spaces.Discrete]:
        """The spaces of observations and of actions."""
        rows, cols = self.env.board_height, self.env.board_width
        actions = rows * cols + self.env.has_pass
        boxes = {"observation": (2, rows, cols), "action_mask": (actions,)}
        observation = spaces.Dict({name: spaces.Box(0, 1, shape, np.int8) for name, shape in boxes.items()})
        return observation, spaces.Discrete(actions)

    def observed(self, player: int) -> Observation:
        """The observation of a player."""
        stones = np.array(self.env.stones(), np.int8)
        planes = np.stack([stones == player + 1, stones == 2 - player]).astype(np.int8)
        mask = np.zeros(self.env.board_height * self.env.board_width + self.env.has_pass, np.int8)
        if self.result is None and self.to_move == player:
            mask[[row * self.env.board_width + col for row, col in self.env.legal_moves()] or [-1]] = 1
        return {"observation": planes, "action_mask": mask}

    def cell_of(self, action: int) -> Cell | None:
        """The cell (row, col) of an action; None for the pass."""
        rows, cols = self.env.board_height, self.env.board_width
        return None if action == rows * cols else divmod(int(action), cols)

    def reward(self, player: int) -> float:
        """The reward of a player."""
        points = self.result.points if self.result else (0.0, 0.0)
        return points[player] - points[1 - player]

    def rendered(self, mode: str | None) -> Any:
        """The board: "ansi": as text; "rgb_array": as an array of uint8, shape (height, width, 3); None: None."""
        if mode == "ansi":
            return self.env.text()
        return np.asarray(pixels(from_session(self), PICTURE)) if mode == "rgb_array" else None


def checked_mode(mode: str | None) -> str | None:
    """The render mode. Raises RunnerError for one that draws nothing."""
    if mode not in (None, *MODES):
        raise RunnerError(unknown(_("render mode"), str(mode), MODES))
    return mode


# ---- PettingZoo


def env(game: str, *, max_cycles: int | None = None, **options: Any) -> Any:
    """The environment with PettingZoo's usual wrappers: an illegal action ends the game with -1 for its player.

    game, options: as for BoardGame. max_cycles: moves of each side after which the game is cut off; None: never.
    """
    return wrappers.OrderEnforcingWrapper(_wrapped(game, None if max_cycles is None else 2 * max_cycles, options))


def parallel_env(game: str, *, max_cycles: int | None = None, **options: Any) -> Any:
    """The environment with PettingZoo's parallel interface; the action of the side off turn is not read.

    max_cycles: plies after which the game is cut off, since each step is one ply; None: never.
    """
    return turn_based_aec_to_parallel(_wrapped(game, max_cycles, options))


def _wrapped(game: str, most_plies: int | None, options: dict[str, Any]) -> Any:
    board_game = BoardGame(game, most_plies=most_plies, **options)
    return wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(board_game, illegal_reward=-1))


class BoardGame(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """One game. The agents are "black" and "white".

    game: a name such as "reversi_8x8_1v1". rules: "stated", as the site's text, or "platform", as its code with bugs.
    board_size: rows of the board if not the game's usual one. most_plies: plies after which the game is cut off.
    render_mode: None, "ansi" (text) or "rgb_array".
    Raises TengenError for an unknown game, size, rules or render mode.
    """

    metadata: ClassVar = {"name": "tengen", "render_modes": MODES, "is_parallelizable": True, "render_fps": 2}

    def __init__(
        self, game: str, *, rules: str = "stated", board_size: int | None = None, most_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._most_plies = most_plies
        self.render_mode = checked_mode(render_mode)
        self._game = LearnersGame(setup_of(game, rules, board_size=board_size))
        self.possible_agents = AGENTS[:]
        self.observation_spaces = dict.fromkeys(AGENTS, self._game.spaces[0])
        self.action_spaces = dict.fromkeys(AGENTS, self._game.spaces[1])
        self.state_space = spaces.Box(0, 1, (3, *np.shape(self._game.env.stones())), np.int8)

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. `seed` has no effect, because the games have no chance."""
        self._game = LearnersGame(self._game.setup)
        self.agents = AGENTS[:]
        self.rewards: dict[str, float] = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._game.to_move]

    def observe(self, agent: str) -> Observation:
        """The observation of an agent."""
        return self._game.observed(AGENTS.index(agent))

    def state(self) -> Any:
        """Array of shape (3, rows, cols): Black's stones, White's stones, and 1 everywhere if White is to move."""
        stones = self._game.observed(0)["observation"]
        return np.concatenate([stones, np.full_like(stones[:1], self._game.to_move)])

    def step(self, action: int | None) -> None:
        """Play an action for `agent_selection`. Raises Unplayable if it is illegal."""
        agent, game = self.agent_selection, self._game
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        game.play(game.cell_of(action))
        self._cumulative_rewards[agent] = 0
        self.agent_selection = AGENTS[game.to_move]
        if game.result is None:
            self.truncations = dict.fromkeys(AGENTS, game.plies == self._most_plies)
        else:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.rewards = {name: game.reward(player) for player, name in enumerate(AGENTS)}
            if self.agent_selection == agent:  # after some endings, the referee does not give the turn to the opponent
                self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        self._accumulate_rewards()

    def render(self) -> Any:
        """The board; see LearnersGame.rendered."""
        return self._game.rendered(self.render_mode)

    def close(self) -> None:
        """Nothing needs to be closed."""


# ---- Gymnasium


class AgainstAgent(gymnasium.Env[Observation, int]):
    """The learner plays one colour, an agent the other: an agent under the site's limits, or a level without them.

    game: a name such as "reversi_8x8_1v1". opponent: an agent as on the command line, such as "greedy" or
    "./submission.py:depth=2", or a level of our engine, such as "level1". colour: the learner's, "black", "white" or
    "random" (drawn at each reset). rules: "stated", as the site's text, or "platform", as its code with bugs.
    board_size: rows of the board if not the game's usual one.
    render_mode: None, "ansi" (text) or "rgb_array".
    A copy of the environment starts a new process of the opponent at its next step, which does not know earlier moves.

    Raises TengenError for an unknown game, size, rules, agent, colour or render mode.
    """

    metadata = {"render_modes": MODES, "render_fps": 2}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self, game: str, opponent: str = "random", *, colour: str = "black", rules: str = "stated",
        board_size: int | None = None, render_mode: str | None = None,
    ) -> None:  # fmt: skip
        if colour not in (*COLOURS, "random"):
            raise RunnerError(_("the learner's colour is black, white or random, not {colour}").format(colour=colour))
        self.render_mode = checked_mode(render_mode)
        self._colour = colour
        self._opponent, _words = chosen_opponent(opponent, None, None)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._agent: AgentProcess | EngineContestant | None = None
        self._player = self._seed = 0
        self._game = LearnersGame(setup_of(game, rules, board_size=board_size))
        if not isinstance(self._opponent, EngineLevel):
            refuse_misfits([self._opponent], self._game.setup)
        self.observation_space, self.action_space = self._game.spaces  # type: ignore[assignment]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game, in which the opponent may have moved already.

        seed: for the learner's random colour and for the opponent, which starts anew; None: no new seed, no new start.
        info["colour"] is the learner's colour. Raises TengenError if the opponent cannot be loaded.
        """
        super().reset(seed=seed)
        if seed is not None:
            self.close()
            self._seed = seed
        draw = int(self.np_random.integers(2))
        self._player = draw if self._colour == "random" else COLOURS.index(self._colour)
        self._game = LearnersGame(self._game.setup)
        self._seat()
        self._game.start()
        if self._game.result is not None:
            raise RunnerError(shown(self._game.result.text))
        self._answer()
        return self._game.observed(self._player), {"colour": COLOURS[self._player]}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, and the opponent's answer. An illegal action loses the game; info["illegal"] says why.

        After the end, every action is illegal, and its reward is 0.
        """
        game = self._game
        cell = game.cell_of(action)
        if why := game.why_not(cell):
            lost = game.result is None
            if lost:
                game.resign(self._player)
            return game.observed(self._player), -1.0 if lost else 0.0, True, False, {"illegal": why}
        if self._agent is None:  # in a copy of the environment, or after close()
            self._seat().start()
        game.play(cell)
        self._answer()
        return game.observed(self._player), game.reward(self._player), game.result is not None, False, {}

    def render(self) -> Any:
        """The board; see LearnersGame.rendered."""
        return self._game.rendered(self.render_mode)

    def close(self) -> None:
        """End the opponent's process; the next reset starts it again."""
        if self._agent is not None:
            self._agent.close()
            self._agent = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def __getstate__(self) -> dict[str, Any]:  # for pickle and copy
        return {**vars(self), "_agent": None, "_folder": None}

    def _seat(self) -> AgentProcess | EngineContestant:
        if self._agent is None:
            if isinstance(self._opponent, EngineLevel):
                self._agent = EngineContestant(self._opponent, SandboxMode.AUTO, self._seed)
            else:
                self._folder = tempfile.TemporaryDirectory(prefix="tengen-rl-")
                self._agent = AgentProcess(self._opponent, Path(self._folder.name, "output.txt"), seed=self._seed)
        if isinstance(self._agent, EngineContestant):
            self._agent.session = self._game
        self._game.seats = (self._agent, "learner") if self._player else ("learner", self._agent)
        return self._agent

    def _answer(self) -> None:
        while self._game.result is None and self._game.to_move != self._player:
            self._game.step()
