"""A game against an agent as an environment of Gymnasium, for one learner.

    env = AgainstAgent("gobang_1v1", "seed002", colour="random")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(observation["action_mask"]))

The opponent runs in its own process: an agent under the site's limits, a level of our engine without them.
Observations, actions and masks: spaces.py. The reward is 1 for a won game, -1 for a lost one, else 0.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import gymnasium

from local_runner.errors import RunnerError
from local_runner.game.session import GameSession
from local_runner.language.languages import _
from local_runner.play.playing import opponent as chosen_opponent
from local_runner.processes.engine.levels import EngineContestant, EngineLevel
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode
from tengen.game import COLOURS, setup_of
from tengen.rl.spaces import MODES, Observation, cell_of, checked_mode, observed, rendered, reward, spaces_of


class AgainstAgent(gymnasium.Env[Observation, int]):
    """The learner plays one colour, an agent the other.

    game: a name such as "reversi_8x8_1v1". opponent: an agent as on the command line, such as "greedy" or
    "./submission.py:depth=2", or a level of our engine, such as "level1". colour: the learner's, "black", "white" or
    "random" (drawn at each reset). rules: "stated", or "platform" with the platform's quirks.
    board_size: the side of another board.
    render_mode: None, "ansi" (text) or "rgb_array".
    A copy begins a new process of the opponent at its next step, so an opponent may not remember the game.

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
        self._setup = setup_of(game, rules, board_size=board_size)
        self._opponent, _words = chosen_opponent(opponent, None, None)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._agent: AgentProcess | EngineContestant | None = None
        self._player = self._seed = 0
        self._session = GameSession(self._setup)
        self.observation_space, self.action_space = spaces_of(self._session.env)  # type: ignore[assignment]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game, in which the opponent may have moved already.

        seed: of the learner's random colour and of the opponent, which starts anew; None: both go on as they are.
        info["colour"] is the learner's colour.
        """
        super().reset(seed=seed)
        if seed is not None:
            self.close()
            self._seed = seed
        draw = int(self.np_random.integers(2))
        self._player = draw if self._colour == "random" else COLOURS.index(self._colour)
        self._session = GameSession(self._setup)
        self._seat()
        self._session.start()
        self._answer()
        return observed(self._session, self._player), {"colour": COLOURS[self._player]}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, and the opponent's answer. An illegal action loses the game; info["illegal"] says why.

        After the end, every action is illegal, and its reward is 0.
        """
        cell = cell_of(self._session.env, action)
        if why := self._session.why_not(cell):
            lost = self._session.result is None
            if lost:
                self._session.resign(self._player)
            return observed(self._session, self._player), -float(lost), True, False, {"illegal": why}
        if self._agent is None:  # of a copy, or after close()
            self._seat().start()
        self._session.play(cell)
        self._answer()
        observation = observed(self._session, self._player)
        return observation, reward(self._session, self._player), self._session.result is not None, False, {}

    def render(self) -> Any:
        """The board; see spaces.rendered."""
        return rendered(self._session, self.render_mode)

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
        """Seat the opponent in the session; an opponent without a process gets a new one."""
        if self._agent is None:
            if isinstance(self._opponent, EngineLevel):
                self._agent = EngineContestant(self._opponent, SandboxMode.AUTO, self._seed)
            else:
                self._folder = tempfile.TemporaryDirectory(prefix="tengen-rl-")
                self._agent = AgentProcess(self._opponent, Path(self._folder.name, "output.txt"), seed=self._seed)
        if isinstance(self._agent, EngineContestant):
            self._agent.session = self._session
        self._session.seats = (self._agent, "learner") if self._player else ("learner", self._agent)
        return self._agent

    def _answer(self) -> None:
        """Let the opponent move until it is the learner's turn or the game is over."""
        while self._session.result is None and self._session.to_move != self._player:
            self._session.step()
