"""The rules, compared with a search for five in the board's text and with a walk along the eight rays of a disc."""

import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from env_adapter import Ending, EndingKind, Game, Illegality, IllegalMove, Outcome, answer, make
from env_adapter.game import BLACK, WHITE
from env_adapter.k_in_a_row import find_line
from env_adapter.reversi import DIRECTIONS, legal_flips
from tests.env_adapter.games import BLACK_WINS_4X4, DRAW_4X4, PASS_6X6, WIPE_OUT_6X6, Moves, drawn, play


@st.composite
def line_boards(draw: st.DrawFn) -> tuple[str, int]:
    height, width = draw(st.integers(1, 7)), draw(st.integers(3, 7))
    row = st.text("XXOO.", min_size=width, max_size=width)
    return " ".join(draw(row) for _ in range(height)), draw(st.integers(3, min(5, width)))


@given(line_boards())
@example(("XXXXXX ......", 5))  # six win too; the first five are shown
@example(("...XX X.... XX...", 3))  # not around the edge
@example(("XXX X.. X..", 3))  # two lines: downwards before to the right
def test_the_first_line_is_that_of_a_search_in_text(case: tuple[str, int]) -> None:
    """A regular expression finds the lines in the text of the board; separators between rows end a line."""
    board, length = case
    stride = board.index(" ") + 1 if " " in board else len(board) + 1
    steps = stride - 1, stride, stride + 1, 1  # down to the left, down, down to the right, to the right
    found = [
        (match.start(), order)
        for mark in "XO"
        for order, step in enumerate(steps)
        for match in re.finditer(f"(?=({mark}.{{{step - 1}}}){{{length - 1}}}{mark})", board)
    ]
    winner, cells = 0, None
    if found:
        first, order = min(found)
        winner, cells = ".XO".index(board[first]), [divmod(first + i * steps[order], stride) for i in range(length)]
    env = drawn(board, length)
    assert find_line(env.current_state, length) == cells
    assert (env.check_win(), env.won) == (winner, [list(cell) for cell in cells] if cells else {})


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
    for number in range(1, 5):  # four lost turns in a row do not end the game, as two passes would
        assert env.chess_player == (WHITE if number % 2 == 0 else BLACK) and len(env.legal_moves()) == 4
        step = env.lose_turn()
        assert (env.stones(), step.done, step.info_after, env.step_cnt) == (stones, False, {}, 1)
    env.lose_turn()
    env.reset()
    assert len(env.legal_moves()) == 4


@pytest.mark.parametrize(("env", "cell", "why"), [
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
])  # fmt: skip
def test_why_a_move_is_illegal(env: Game, cell: object, why: Illegality | None) -> None:
    assert env.why_illegal(cell) is why


SIZE = 6
CELLS = st.sets(st.tuples(st.integers(-1, SIZE), st.integers(-1, SIZE)), max_size=40)
NO_CELL = [[0] * SIZE, [0] * SIZE]


def ray(cell: tuple[int, int], down: int, right: int) -> list[tuple[int, int]]:
    """The cells from `cell` on, to the first cell off the board, but at least two."""
    cells = [(cell[0] + i * down, cell[1] + i * right) for i in range(1, SIZE + 2)]
    off = (i for i, (row, col) in enumerate(cells) if i and not (0 <= row < SIZE and 0 <= col < SIZE))
    return cells[: next(off, SIZE) + 1]


@given(CELLS, CELLS)
def test_a_walk_ends_at_the_first_own_disc_even_if_the_foe_has_one_there_too(
    own: set[tuple[int, int]], foe: set[tuple[int, int]]
) -> None:
    expected = {}
    for cell in ((row, col) for row in range(SIZE) for col in range(SIZE)):
        walks = [ray(cell, *direction) for direction in DIRECTIONS]
        ends = [next((i for i, each in enumerate(walk) if i and each in own), 0) for walk in walks]
        turned = list[tuple[int, int]]()
        for walk, end in zip(walks, ends, strict=True):
            turned += walk[:end] if foe.issuperset(walk[:end]) else []
        if turned and cell not in own | foe:
            expected[cell] = turned
    assert legal_flips(own, foe, SIZE) == expected


def test_an_answer_without_a_cell_ends_the_row_of_passes() -> None:
    game = make("reversi_1v1", board_size=SIZE)
    game.last = 1  # the opponent has passed
    with pytest.raises(ValueError, match="not in list"):
        game.step([NO_CELL, NO_CELL])
    assert game.last == 0


def test_a_stone_on_a_cleared_cell_counts_as_a_step() -> None:
    game = make("gobang_1v1")
    corner = answer((0, 0), 15, 15)
    steps = []
    for _ in range(2):
        try:
            game.step([corner, corner])
        except ValueError:  # the cell is no longer in the list of free cells
            assert len(steps) == 1
        steps.append(game.step_cnt)
        game.all_observes[0]["state_map"][0][0][0] = 0
    assert [after - before for before, after in pairwise([1, *steps])] == [1, 1]


def test_a_disc_written_off_the_board_changes_the_turn_before_the_error() -> None:
    game = make("reversi_1v1", board_size=SIZE)
    game.all_observes[0][1].add((SIZE, 0))
    with pytest.raises(IndexError):
        game.step([answer((1, 2), SIZE, SIZE)] * 2)
    assert (game.chess_player, game.step_cnt, len(game.black)) == (2, 1, 5)
