"""The rules: lines against a table and a text search; ends, passes, and why a move is illegal.

The flips of Reversi are tested in test_live_sets.py and test_open_spiel.py.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_adapter import Ending, EndingKind, Game, Illegality, IllegalMove, Outcome, make
from env_adapter.game import BLACK, WHITE
from env_adapter.k_in_a_row import find_line
from tests.env_adapter.games import BLACK_WINS_4X4, DRAW_4X4, PASS_6X6, WIPE_OUT_6X6, Moves, drawn, play

LINES = [
    ("XXXXX ..... ..... ..... .....", 5, 1, [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]),
    ("O.... .O... ..O.. ...O. ....O", 5, 2, [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]),
    ("....X ...X. ..X.. .X... X....", 5, 1, [(0, 4), (1, 3), (2, 2), (3, 1), (4, 0)]),
    ("..O.. ..O.. ..O.. ..O.. ..O..", 5, 2, [(0, 2), (1, 2), (2, 2), (3, 2), (4, 2)]),
    ("XXXX. ..... ..... ..... XXXX.", 5, 0, None),
    ("XXXXOX ...... ...... ...... ......", 5, 0, None),
    ("XXXXXX ......", 5, 1, [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]),  # six win too; the first five are shown
    ("...XXX X..... XX....", 3, 1, [(0, 3), (0, 4), (0, 5)]),  # not around the edge
    ("XX. XO. ..O", 3, 0, None),
    ("OOO XXX ...", 3, 2, [(0, 0), (0, 1), (0, 2)]),  # two lines: the one found first
    ("XXX X.. X..", 3, 1, [(0, 0), (1, 0), (2, 0)]),  # and downwards before to the right
    ("X.X .X. X.X", 3, 1, [(0, 0), (1, 1), (2, 2)]),
    ("..X .X. X..", 3, 1, [(0, 2), (1, 1), (2, 0)]),
]


@pytest.mark.parametrize(("board", "length", "winner", "cells"), LINES, ids=[row[0] for row in LINES])
def test_lines(board: str, length: int, winner: int, cells: list[tuple[int, int]] | None) -> None:
    env = drawn(board, length)
    assert find_line(env.current_state, length) == cells
    assert (env.check_win(), env.won) == (winner, [list(cell) for cell in cells] if cells else {})


@st.composite
def line_boards(draw: st.DrawFn) -> tuple[str, int]:
    height, width = draw(st.integers(1, 7)), draw(st.integers(3, 7))
    row = st.text("XXOO.", min_size=width, max_size=width)
    return " ".join(draw(row) for _ in range(height)), draw(st.integers(3, min(5, width)))


@given(line_boards())
def test_lines_agree_with_a_search_in_text(case: tuple[str, int]) -> None:
    """A regular expression finds the lines in the text of the board; separators between rows end a line."""
    board, length = case
    stride = board.index(" ") + 1 if " " in board else len(board) + 1
    winners = {
        mark
        for step in (1, stride - 1, stride, stride + 1)
        for mark in "XO"
        if re.search(f"(?=({mark}.{{{step - 1}}}){{{length - 1}}}{mark})", board)
    }
    assert {0: set(), 1: {"X"}, 2: {"O"}}[drawn(board, length).check_win()] <= winners
    assert (drawn(board, length).check_win() == 0) == (not winners)


@pytest.mark.parametrize("rules", ["platform", "stated"])
@pytest.mark.parametrize(("size", "moves", "reward", "n_return", "outcome"), [
    (6, WIPE_OUT_6X6, [100, 0], [1, 0], Outcome(1, Ending(EndingKind.WIPE_OUT, discs=(13, 0)))),
    (4, DRAW_4X4, [50, 50], [0.5, 0.5], Outcome(3, Ending(EndingKind.FULL_BOARD, discs=(8, 8)))),
    (4, BLACK_WINS_4X4, [100, 0], [1, 0], Outcome(1, Ending(EndingKind.FULL_BOARD, discs=(10, 6)))),
])  # fmt: skip
def test_endings_of_reversi(
    size: int, moves: Moves, reward: list[int], n_return: list[float], outcome: Outcome, rules: str
) -> None:
    env = make("reversi_1v1", rules, board_size=size)
    *_, before, last = play(env, moves)
    assert (before.done, last.done, last.reward, env.n_return) == (False, True, reward, n_return)
    black, white = outcome.ending.discs
    assert (env.check_win(), env.outcome(), env.won) == (outcome.winner, outcome, {1: black, 2: white})
    assert outcome.reason == f"{outcome.ending.kind.value}, {black} to {white}"
    again = make("reversi_1v1", rules, board_size=size)
    turned = again.replay(moves)
    assert (again.stones(), again.step_cnt, again.chess_player) == (env.stones(), env.step_cnt, env.chess_player)
    assert len(turned) == len(moves) and all(again.stones()[row][col] for cells in turned for row, col in cells)


def test_a_pass_is_played_and_replayed() -> None:
    env, again = (make("reversi_1v1", board_size=6) for _ in range(2))
    steps = [env.play(cell) for cell in PASS_6X6]
    assert [step.info_after.get("action") for step in steps] == list(PASS_6X6)
    assert again.replay(PASS_6X6)[-1] == [] and again.stones() == env.stones()
    assert (again.chess_player, again.step_cnt, env.step_cnt) == (2, 9, 9)
    with pytest.raises(IllegalMove, match=r"White cannot play \(9, 9\)"):
        again.replay([*PASS_6X6, (9, 9)])


@pytest.mark.parametrize("rules", ["platform", "stated"])
def test_a_lost_turn_changes_whose_turn_it_is_and_nothing_else(rules: str) -> None:
    env = make("reversi_1v1", rules=rules, board_size=6)
    stones = env.stones()
    for number in range(1, 5):  # four in a row do not end it, as passes would
        assert env.chess_player == (WHITE if number % 2 == 0 else BLACK) and len(env.legal_moves()) == 4
        step = env.lose_turn()
        assert (env.stones(), step.done, step.info_after, env.step_cnt) == (stones, False, {}, 1)
    env.lose_turn()
    env.reset()
    assert len(env.legal_moves()) == 4


@pytest.mark.parametrize(
    ("env", "cell", "why"),
    [
        (make("tictactoe_1v1", opening=[(1, 1), (0, 0)]), (1, 1), Illegality.ON_BLACK),
        (make("tictactoe_1v1", opening=[(1, 1), (0, 0)]), (0, 0), Illegality.ON_WHITE),
        (make("tictactoe_1v1"), (3, 0), Illegality.OFF_BOARD),
        (make("tictactoe_1v1"), (0, -1), Illegality.OFF_BOARD),
        (make("tictactoe_1v1"), "b2", Illegality.NO_CELL),
        (make("tictactoe_1v1"), (True, 1), Illegality.NO_CELL),
        (make("tictactoe_1v1"), (2, 2), None),
        (make("reversi_1v1"), (0, 0), Illegality.RULE),
        (make("reversi_1v1", board_size=4), (0, 1), None),
        (make("reversi_1v1", board=["OOOO", "OOOO", "OXX.", "OOOO"]), (2, 3), Illegality.MUST_PASS),
        (make("reversi_1v1", board=["XXXX", "X..X", "XXXX", "XXXX"]), (1, 1), Illegality.OVER),
    ],
)
def test_why_a_move_is_illegal(env: Game, cell: object, why: Illegality | None) -> None:
    assert env.why_illegal(cell) is why
