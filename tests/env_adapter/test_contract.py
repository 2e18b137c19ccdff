"""Random games beside a second position: after each step, the whole state of the environment agrees with this position.

Winning lines and flipped discs come from the referee's functions `find_line` and `legal_flips`, which test_rules.py
compares with other sources. All other rules are implemented a second time in this file. Where the two rule sets differ,
both results are accepted; test_quirks.py has each difference.
"""

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from env_adapter import PLATFORM, Cell, Game, IllegalMove, Quirk, answer, make, names
from env_adapter.game import BLACK, DRAW, EMPTY, UNFINISHED, WHITE, Observation, other
from env_adapter.k_in_a_row import find_line
from env_adapter.reversi import legal_flips

ILLEGAL_SHARE = 0.1  # share of answers that name an illegal cell
METHODS = """
    reset step is_terminal check_win get_single_action_space set_action_space get_next_state step_before_info
    is_not_valid_action get_reward encode decode get_dict_observation get_all_observes get_render_data
"""

Result = tuple[int, list[float], list[float]]  # the value of check_win(), the last reward, n_return
DRAWN: Result = (DRAW, [50, 50], [0.5, 0.5])
UNPAID: Result = (UNFINISHED, [0, 0], [0, 0])


def won(code: int, by: int) -> Result:
    """The result in which check_win() returns `code` and player `by` is paid."""
    return code, [100 * (by == BLACK), 100 * (by == WHITE)], [int(by == BLACK), int(by == WHITE)]


class Lockstep:
    """An environment, and the position that it should have: the occupied cells, the mover, the number of the step."""

    def __init__(self, env: Game, seed: int) -> None:
        self.env, self.random = env, random.Random(seed)
        self.reversi = env.family == "reversi"
        self.cells = [(row, col) for row in range(env.board_height) for col in range(env.board_width)]
        self.seen: Counter[str] = Counter()  # passes, replaced and refused answers, steps

    def play(self) -> None:
        """Play one game."""
        env = self.env
        observes = env.reset()
        assert observes == env.all_observes and not env.is_terminal()
        self.n_return = list(env.n_return)
        self.stones, self.mover = self.shown(observes[0]), env.chess_player
        self.step_cnt, self.passed, self.over = 1, False, False
        self.agree()
        # Under Quirk.FULL_BOARD_GOES_ON a full board is not the end. If the step limit is not reached, stop playing.
        while not self.over and (self.legal() or len(self.stones) < len(self.cells)):
            self.step()
        if self.over:
            self.result()

    def step(self) -> None:
        """Play a legal move, an illegal one, or a pass."""
        legal, before = self.legal(), self.mover
        others = [cell for cell in self.cells if cell not in legal]
        illegal = not legal or (others and self.random.random() < ILLEGAL_SHARE)
        wanted = self.random.choice(others if illegal else list(legal))
        joint = [[[0] * side for side in (self.env.board_height, self.env.board_width)] for _ in range(2)]
        joint[self.mover - 1] = answer(wanted, self.env.board_height, self.env.board_width)
        try:
            step = self.env.step(joint)
        except IllegalMove:
            assert legal and wanted not in legal
            self.seen["refused"] += 1
            self.agree()
            return
        self.seen["steps"] += 1
        assert step.info_before == f"当前棋手:{before}"
        double_pass = self.passed and not legal
        if legal:
            self.move(legal, wanted, step.info_after)
        else:
            assert step.info_after == {}
            self.seen["passes"] += 1
            self.mover, self.passed = self.mover if double_pass else other(self.mover), True
        self.agree()
        if legal or step.all_observes != self.env.current_state:  # after a pass, the platform gives the board
            self.agree_on(step.all_observes)
        results, may_go_on = self.endings(double_pass)
        assert results if step.done else may_go_on
        assert step.done == self.env.is_terminal()
        self.over, self.reward, self.results = step.done, step.reward, results
        if not step.done:
            assert (list(step.reward), list(self.env.n_return)) == ([0, 0], self.n_return)

    def move(self, legal: Mapping[Cell, list[Cell]], wanted: Cell, info_after: Mapping[str, Any]) -> None:
        played = tuple(info_after["action"])
        assert played == wanted if wanted in legal else played in legal
        self.seen["replaced"] += wanted not in legal
        assert sorted(info_after.get("reverse_positions", ())) == sorted(legal[played])
        self.stones = self.stones | dict.fromkeys([played, *legal[played]], self.mover)
        self.mover, self.passed, self.step_cnt = other(self.mover), False, self.step_cnt + 1

    # ---- the rules

    def legal(self) -> Mapping[Cell, list[Cell]]:
        """The legal cells of the mover, each with the cells that the move flips."""
        if self.reversi:
            own = {cell for cell, stone in self.stones.items() if stone == self.mover}
            return legal_flips(own, self.stones.keys() - own, self.env.board_width)
        return {cell: [] for cell in self.cells if cell not in self.stones}

    def endings(self, double_pass: bool) -> tuple[list[Result], bool]:
        """The accepted results of the position, and whether the game may go on."""
        cut_off, full = self.env.step_cnt > self.env.max_step, len(self.stones) == len(self.cells)
        if self.reversi:
            black = sum(stone == BLACK for stone in self.stones.values())
            white = len(self.stones) - black
            winner = BLACK if black > white else WHITE
            counted = DRAWN if black == white else won(winner, winner)
            if double_pass or full or not black or not white:
                return [counted], False
            return ([counted, UNPAID], False) if cut_off else ([], True)
        if line := find_line(self.env.current_state, self.env.setup.in_a_row):
            owner = self.stones[line[0]]
            return [won(owner, owner)], False
        return ([won(UNFINISHED, other(self.mover)), DRAWN], not cut_off) if cut_off or full else ([], True)

    def result(self) -> None:
        """Check the result. check_win() is called first, because the platform may pay only in that call."""
        env, code = self.env, self.env.check_win()
        line = None if self.reversi else find_line(env.current_state, env.setup.in_a_row)
        counted = {colour: sum(stone == colour for stone in self.stones.values()) for colour in (BLACK, WHITE)}
        assert env.won == (counted if self.reversi else [list(cell) for cell in line or []] or {})
        accepted = list(self.results)
        for code_, reward, n_return in self.results:  # n_return may keep entries of the game before
            if (code_, reward, n_return) == UNPAID:
                accepted.append((code_, reward, self.n_return))
            elif not self.reversi:
                accepted.append((code_, reward, [max(pair) for pair in zip(n_return, self.n_return, strict=True)]))
        assert (code, list(self.reward), list(env.n_return)) in accepted

    # ---- what the environment shows

    def shown(self, observation: Observation) -> dict[Cell, int]:
        """The occupied cells of an observation."""
        if self.reversi:
            assert not observation[BLACK] & observation[WHITE]
            return dict.fromkeys(observation[BLACK], BLACK) | dict.fromkeys(observation[WHITE], WHITE)
        board = observation["state_map"]
        return {(row, col): board[row][col][0] for row, col in self.cells if board[row][col][0] != EMPTY}

    def agree(self) -> None:
        """Check that the environment's state is the expected position."""
        env, stones = self.env, self.stones
        assert (env.chess_player, env.step_cnt) == (self.mover, self.step_cnt)
        self.agree_on(env.all_observes)
        rows, cols = range(env.board_height), range(env.board_width)
        assert env.current_state == [[[stones.get((row, col), EMPTY)] for col in cols] for row in rows]
        own: Any = env
        if self.reversi:
            seen = env.all_observes[0]
            assert (own.black, own.white) == (seen[BLACK], seen[WHITE])
        else:
            assert set(own.all_grids) == {cell for cell in self.cells if cell not in stones}

    def agree_on(self, observes: Any) -> None:
        """Check that the observations show the expected position."""
        sides = {"board_width": self.env.board_width, "board_height": self.env.board_height}
        for player, observation in zip((BLACK, WHITE), observes, strict=True):
            assert observation.items() >= {"chess_player_idx": player, **sides}.items()
            assert self.shown(observation) == self.stones


SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in names()),
    ("gobang_1v1", {"opening": ((7, 7), (6, 6), (3, 3)), "max_step": 30}),
    ("gobang_1v1", {"board_size": 4, "in_a_row": 4}),
    ("tictactoe_1v1", {"max_step": 20}),  # under platform rules a full board does not end it
    ("reversi_1v1", {"board_size": 4}),
    ("reversi_1v1", {"max_step": 20}),
]


@pytest.mark.parametrize("rules", ["platform", "stated"])
@pytest.mark.parametrize(("name", "overrides"), SETTINGS)
def test_games_agree_with_a_second_position(name: str, overrides: dict[str, Any], rules: str) -> None:
    env = make(name, rules, seed=1, **overrides)
    assert not [method for method in METHODS.split() if not callable(getattr(env, method))]
    games = 6 if env.max_step <= 20 else 1
    played = Lockstep(env, seed=2)
    for _ in range(games):
        played.play()
    assert (played.seen["replaced"] > 0, played.seen["refused"] > 0) == (rules == "platform", rules == "stated")
    assert played.seen["steps"] >= games * min(5, env.max_step)


def test_games_with_passes_agree_with_a_second_position() -> None:
    played = Lockstep(make("reversi_1v1", seed=3, board_size=4), seed=0)
    for _ in range(20):
        played.play()
    assert played.seen["passes"] > 5 and played.seen["replaced"] > 5


# These two only work together: a late payment shows in the list that all steps share.
PAYING_LATE = {Quirk.SHARED_REWARD, Quirk.RESULT_WAITS_FOR_CHECK_WIN}
APART = [PAYING_LATE, *({quirk} for quirk in Quirk if quirk not in PAYING_LATE)]


@pytest.mark.slow
@pytest.mark.parametrize("quirks", APART, ids=lambda quirks: "+".join(sorted(quirk.name for quirk in quirks)))
def test_rule_sets_between_the_two(quirks: set[Quirk]) -> None:
    for rules in (PLATFORM - quirks, quirks):
        for name, size in (("tictactoe_1v1", 3), ("reversi_1v1", 4)):
            played = Lockstep(make(name, rules, seed=1, board_size=size), seed=0)
            for _ in range(6):
                played.play()
