"""Every game as an environment of PettingZoo, for two learners.

    env = pettingzoo_env.env("gobang_1v1")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

`parallel_env` is the same game in PettingZoo's parallel API. Observations, actions and masks:
spaces.py. Rewards: 1 for the winner, -1 for the loser, 0 each for a draw.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from local_runner.game.session import GameSession
from local_runner.system.extras import need
from tengen.game import COLOURS, setup_of
from tengen.rl.spaces import MODES, Observation, cell_of, checked_mode, observed, rendered, reward, spaces_of

need("rl")

from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402
from pettingzoo.utils.conversions import turn_based_aec_to_parallel  # noqa: E402

AGENTS: list[str] = [*COLOURS]


def env(game: str, *, max_cycles: int | None = None, **options: Any) -> Any:
    """The environment with PettingZoo's usual wrappers: an illegal action ends the game with -1 for its player.

    game, options: as for BoardGame. max_cycles: moves of each side after which the game is cut off; None: never.
    """
    most = None if max_cycles is None else 2 * max_cycles
    return wrappers.OrderEnforcingWrapper(_wrapped(game, most, options))


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

    game: a name such as "reversi_8x8_1v1". rules: "stated", or "platform" with the platform's quirks.
    board_size: the side of another board. most_plies: plies after which the game is cut off.
    render_mode: None, "ansi" (text) or "rgb_array".
    Raises TengenError for an unknown game, size, rules or render mode.
    """

    metadata: ClassVar = {
        "name": "tengen", "render_modes": MODES, "is_parallelizable": True, "render_fps": 2
    }  # fmt: skip

    def __init__(
        self, game: str, *, rules: str = "stated", board_size: int | None = None, most_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._most_plies = most_plies
        self.render_mode = checked_mode(render_mode)
        self._setup = setup_of(game, rules, board_size=board_size)
        self._session = GameSession(self._setup)
        self.possible_agents = AGENTS[:]
        self.observation_spaces = {agent: spaces_of(self._session.env)[0] for agent in AGENTS}
        self.state_space = spaces.Box(0, 1, (3, self._session.env.board_height, self._session.env.board_width), np.int8)
        self.action_spaces = {agent: spaces_of(self._session.env)[1] for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. `seed` changes nothing, as the games are without chance."""
        self._session = GameSession(self._setup)
        self.agents = AGENTS[:]
        self.rewards: dict[str, float] = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._session.to_move]

    def observe(self, agent: str) -> Observation:
        """See spaces.observed; the mask is all zeros for the side off turn."""
        return observed(self._session, AGENTS.index(agent))

    def state(self) -> Any:
        """Array of shape (3, rows, cols): Black's stones, White's stones, and 1 everywhere if White is to move."""
        stones = observed(self._session, 0)["observation"]
        return np.concatenate([stones, np.full_like(stones[:1], self._session.to_move)])

    def step(self, action: int | None) -> None:
        """Play an action for `agent_selection`. Raises Unplayable if it is illegal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._session.play(cell_of(self._session.env, action))
        self._cumulative_rewards[agent] = 0
        self.agent_selection = AGENTS[self._session.to_move]
        if self._session.result is None:
            self.truncations = dict.fromkeys(AGENTS, self._session.plies == self._most_plies)
        else:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.rewards = {name: reward(self._session, player) for player, name in enumerate(AGENTS)}
            if self.agent_selection == agent:  # the referee leaves the turn with the last mover after some endings
                self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        self._accumulate_rewards()

    def render(self) -> Any:
        """The board; see spaces.rendered."""
        return rendered(self._session, self.render_mode)

    def close(self) -> None:
        """Nothing needs to be closed."""
