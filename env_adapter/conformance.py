"""`check_env` plays random games on an environment, and checks the environment against the contract after each step.

The contract consists of the attributes, methods and rules of the platform. The environment may be ours, under either
rule set, or the platform's own. The check keeps a second position, to which it applies the same moves. After each step,
all state that the environment exposes must agree with the second position. Where the two rule sets differ, the check
accepts both results. Other tests check each rule set's quirks.
"""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from env_adapter.actions import Cell, answer
from env_adapter.errors import ConformanceError, IllegalMove
from env_adapter.expectations import (
    UNPAID,
    Expectations,
    ExpectedResult,
    KInARowExpectations,
    ReversiExpectations,
    Stones,
)
from env_adapter.game import BLACK, EMPTY, WHITE, other

ILLEGAL_SHARE = 0.1  # share of answers that name an illegal cell

CONSTANTS = {"n_player": 2, "agent_nums": [1, 1], "is_obs_continuous": False, "is_act_continuous": False}
ATTRIBUTES = """
    game_name board_width board_height max_step step_cnt chess_player current_state all_observes n_return won
    obs_type joint_action_space input_dimension action_dim cell_range cell_dim cell_size init_info
"""
METHODS = """
    reset step is_terminal check_win get_single_action_space set_action_space get_next_state step_before_info
    is_not_valid_action get_reward encode decode get_dict_observation get_all_observes get_render_data
"""


@dataclass
class ConformanceReport:
    """Counts of one `check_env` run.

    passes: number of steps in which the player to move had no legal cell
    replaced, refused: number of illegal answers that the environment replaced or refused
    winners: return value of check_win() -> number of games
    """

    games: int = 0
    steps: int = 0
    passes: int = 0
    replaced: int = 0
    refused: int = 0
    winners: Counter[int] = field(default_factory=Counter)


def check_env(env: Any, games: int = 10, seed: int = 0) -> ConformanceReport:
    """Play `games` random games on `env`. Raises ConformanceError at the first broken rule of the contract.

    `env` is reset before each game and is left as the last game ends. The same `seed` gives the same games, if the
    environment replaces illegal moves by the same cells each time.
    """
    check = _Check(env, random.Random(seed))
    check.surface()
    for _ in range(games):
        check.game()
    return check.report


class _Check:
    """Holds the expected position, and compares the environment with the expected position."""

    def __init__(self, env: Any, rng: random.Random) -> None:
        self.env = env
        self.random = rng
        self.report = ConformanceReport()
        self.start: tuple[Stones, int] | None = None

    def require(self, holds: bool, sentence: str) -> None:
        if not holds:
            where = f"game {self.report.games + 1}, step_cnt {getattr(self.env, 'step_cnt', '?')}"
            raise ConformanceError(f"{sentence} ({where})")

    # ---- once

    def surface(self) -> None:
        env = self.env
        for name in (*CONSTANTS, *ATTRIBUTES.split(), *METHODS.split()):
            self.require(hasattr(env, name), f"the environment lacks {name!r}")
        for name, value in CONSTANTS.items():
            self.require(getattr(env, name) == value, f"{name} must be {value!r}, not {getattr(env, name)!r}")
        self.require(len(env.obs_type) == 2, "obs_type must hold one entry per player")
        sides = (env.board_height, env.board_width)
        for player in range(2):
            spaces = env.get_single_action_space(player)
            shown = tuple(int(space.n) for space in spaces)
            self.require(shown == sides, f"player {player + 1}'s action spaces must be {sides}, not {shown}")
            samples = zip(spaces, sides, strict=True)
            fit = all(0 <= space.sample() < side for space, side in samples for _ in range(20))
            self.require(fit, f"player {player + 1}'s action spaces sample beyond their n")
        family = ReversiExpectations if env.game_name.startswith("reversi") else KInARowExpectations
        self.family: Expectations = family(env)

    # ---- every game

    def game(self) -> None:
        observes = self.env.reset()
        self.require(observes == self.env.all_observes, "reset() must return all_observes")
        self.n_return = list(self.env.n_return)
        self.stones, self.mover = self.family.stones(observes[0]), self.env.chess_player
        self.passed = self.over = False
        self.step_cnt = 1
        self.start = self.start or (self.stones, self.mover)
        self.require((self.stones, self.mover) == self.start, "reset() must set up the same position every time")
        self.require(not self.env.is_terminal(), "a game must not be over after reset()")
        self.position()
        self.bad_lengths()
        # Under Quirk.FULL_BOARD_GOES_ON a full board is not the end. If the step limit is not reached, stop playing.
        while not self.over and (self.family.legal(self.stones, self.mover) or not self.full()):
            self.step()
        if self.over:
            self.result()
        self.report.games += 1

    def step(self) -> None:
        legal = self.family.legal(self.stones, self.mover)
        wanted = self.choose(legal)
        before = self.mover
        try:
            step = self.env.step(self.joint(wanted))
        except IllegalMove:
            self.require(bool(legal) and wanted not in legal, f"{wanted} is legal but was refused")
            self.position()
            self.report.refused += 1
            return
        except Exception as error:
            raise ConformanceError(f"step() failed on the well-formed answer {wanted}: {error!r}") from error
        self.require(isinstance(step, tuple) and len(step) == 5, "step() must return five values")
        observes, self.reward, done, info_before, info_after = step
        self.report.steps += 1
        self.require(info_before == f"当前棋手:{before}", f"info_before must name player {before}: {info_before!r}")
        double_pass = self.move(legal, wanted, info_after) if legal else self.pass_turn(info_after)
        self.position()
        self.observes(observes, listed=not legal)
        self.end_of_step(done, double_pass)

    def choose(self, legal: Mapping[Cell, list[Cell]]) -> Cell:
        cells = [(row, col) for row in range(self.env.board_height) for col in range(self.env.board_width)]
        others = [cell for cell in cells if cell not in legal]
        if not legal or (others and self.random.random() < ILLEGAL_SHARE):
            return self.random.choice(others)
        return self.random.choice(list(legal))

    def move(self, legal: Mapping[Cell, list[Cell]], wanted: Cell, info_after: Any) -> bool:
        played = tuple(info_after.get("action", ()))
        if wanted in legal:
            self.require(played == wanted, f"{wanted} is legal and was answered, but {played} was played")
        else:
            self.require(played in legal, f"the illegal {wanted} was replaced by {played}, which is illegal too")
            self.report.replaced += 1
        flipped = legal[played]
        shown = sorted(info_after.get("reverse_positions", ()))
        self.require(shown == sorted(flipped), f"reverse_positions must be {sorted(flipped)}, not {shown}")
        self.stones = self.stones | dict.fromkeys([played, *flipped], self.mover)
        self.mover, self.passed = other(self.mover), False
        self.step_cnt += 1
        return False

    def pass_turn(self, info_after: Any) -> bool:
        self.require(info_after == {}, f"info_after must be empty on a pass, not {info_after!r}")
        self.report.passes += 1
        if self.passed:
            return True
        self.mover, self.passed = other(self.mover), True
        return False

    # ---- what the environment shows

    def position(self) -> None:
        """Check that the environment's state is the expected position."""
        env = self.env
        self.require(env.chess_player == self.mover, f"player {self.mover} is to move, not {env.chess_player}")
        self.require(env.step_cnt == self.step_cnt, f"step_cnt must be {self.step_cnt}, not {env.step_cnt}")
        self.observes(env.all_observes, listed=False)
        board = [
            [[self.stones.get((row, col), EMPTY)] for col in range(env.board_width)] for row in range(env.board_height)
        ]
        self.require(env.current_state == board, f"current_state must be {board}, not {env.current_state}")
        for name, value, expected in self.family.own_state():
            self.require(value == expected, f"{name} must be {expected}, not {value}")

    def observes(self, observes: Any, listed: bool) -> None:
        """Check that the observations show the expected position. `listed`: accept the board, too, as after a pass."""
        if listed and observes == self.env.current_state:
            return
        self.require(isinstance(observes, list) and len(observes) == 2, "there must be one observation per player")
        for player, observation in zip((BLACK, WHITE), observes, strict=True):
            who = f"player {player}'s observation"
            self.require(isinstance(observation, dict), f"{who} must be a dict, not {observation!r}")
            shown = {key: observation.get(key) for key in ("chess_player_idx", "board_width", "board_height")}
            expected = {
                "chess_player_idx": player,
                "board_width": self.env.board_width,
                "board_height": self.env.board_height,
            }
            self.require(shown == expected, f"{who} must say {expected}, not {shown}")
            stones = self.family.stones(observation)
            wrong = dict(stones.items() ^ self.stones.items())
            self.require(
                stones == self.stones, f"{who} is not the position that the rules give: look at {sorted(wrong)}"
            )

    def end_of_step(self, done: Any, double_pass: bool) -> None:
        cut_off = self.env.step_cnt > self.env.max_step
        self.ending = self.family.ending(self.stones, self.mover, double_pass, cut_off)
        allowed = bool(self.ending.results) if done else self.ending.may_go_on
        self.require(allowed, "the game is over too early" if done else "the game should be over and is not")
        self.require(done == self.env.is_terminal(), "done and is_terminal() disagree")
        self.over = bool(done)
        self.require(len(self.reward) == 2, f"the reward must hold one number per player, not {self.reward!r}")
        if not done:
            self.require(list(self.reward) == [0, 0], f"the reward must be 0 before the end, not {self.reward}")
            self.require(list(self.env.n_return) == self.n_return, "n_return must not change before the end")

    def result(self) -> None:
        """Check the result of a game. check_win() is called first, because the platform may pay only in that call."""
        code = self.env.check_win()
        won, reward, n_return = self.env.won, list(self.reward), list(self.env.n_return)
        self.require(won == self.family.won(), f"won must be {self.family.won()}, not {won}")
        shown = ExpectedResult(code, reward, n_return)
        accepted = [result for expected in self.ending.results for result in self.variants(expected)]
        self.require(shown in accepted, f"the game must end with one of {accepted}, not with {shown}")
        self.report.winners[code] += 1

    def variants(self, expected: ExpectedResult) -> list[ExpectedResult]:
        """The accepted forms of a result, in which n_return may keep entries of the previous game."""
        if expected == UNPAID:
            return [expected._replace(n_return=self.n_return)]
        if not self.family.n_return_adds_up:
            return [expected]
        kept = [max(pair) for pair in zip(expected.n_return, self.n_return, strict=True)]
        return [expected, expected._replace(n_return=kept)]

    def bad_lengths(self) -> None:
        """Check that an answer with a wrong length raises an exception and changes nothing."""
        joint = self.joint(self.choose(self.family.legal(self.stones, self.mover)))
        joint[self.mover - 1][0].append(0)
        try:
            self.env.step(joint)
        except Exception:  # the platform raises a bare Exception here
            self.position()
        else:
            self.require(False, "a row list that is too long was accepted")

    # ---- small things

    def full(self) -> bool:
        return len(self.stones) == int(self.env.board_height * self.env.board_width)

    def joint(self, wanted: Cell) -> list[list[list[int]]]:
        """The joint action in which the mover plays `wanted`. The opponent's lists are zeros, so reading one fails."""
        sides = (self.env.board_height, self.env.board_width)
        joint = [[[0] * side for side in sides] for _ in range(2)]
        joint[self.mover - 1] = answer(wanted, *sides)
        return joint
