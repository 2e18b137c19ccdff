"""seed003: its evaluation, its moves, its results against all answers, and its five searches compared."""

import pytest

from local_runner.agents.opponents import seed003
from local_runner.agents.opponents.seed003 import WIN, Seed003Options, TicTacToeBoard, think
from tests.local_runner.agents.naive_reversi import drawn
from tests.local_runner.agents.test_opponents import ask


@pytest.fixture(autouse=True)
def usual(monkeypatch):
    """Restore the default options after a test."""
    monkeypatch.setattr(seed003, "_options", Seed003Options())


@pytest.mark.parametrize(
    ("player", "board", "value"),
    [
        (1, "... ... ...", 0),
        (2, "... .X. ...", -4),  # White's four edges less Black's eight lines
        (2, "X.. ... ...", -3),
        (1, "O.. .X. ...", 1),  # five less four
        (1, "XX. OO. ...", -1),
        (2, "XXX OO. ...", -WIN),
        (1, "X.X OOO X..", -WIN),
        (2, "X.X OOO X..", WIN),
    ],
)
def test_open_lines(player, board, value):
    assert TicTacToeBoard(drawn(board), player).evaluate() == value


def lines(board, colour):
    columns = [list(column) for column in zip(*board, strict=True)]
    diagonals = [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    return [*board, *columns, *diagonals].count([colour] * 3)


MOVES = [
    (1, "... ... ...", (1, 1)),  # the report starts in the centre
    (2, "... .X. ...", (0, 0)),  # the first corner
    (1, "XX. OO. ...", (0, 2)),  # wins in a row
    (1, "X.. .X. OO.", (2, 2)),  # wins in a diagonal, which the report's shortcut misses
    (1, "... ..X OOX", (0, 2)),  # wins at once, although (0, 0) wins later
    (1, "X.. OO. .X.", (1, 2)),  # stops a row
    (2, "XX. O.. ...", (0, 2)),
]


@pytest.mark.parametrize(("player", "board", "cell"), MOVES)
@pytest.mark.parametrize("search", seed003.SEARCHES)
def test_moves(player, board, cell, search):
    seed003.configure(search=search)
    assert ask(seed003, drawn(board), player) == cell
    assert seed003.last_thought()["search"] == search
    assert ask(seed003, drawn(board), 3 - player) == (0, 0)
    assert seed003.last_thought() is None


def test_to_the_end_of_the_game_it_still_begins_in_the_middle():
    """Every cell is a draw, so a search would take the first one."""
    seed003.configure(depth=9)
    assert ask(seed003, drawn("... ... ..."), 1) == (1, 1)


def test_forcing_moves_complete_a_line_of_either_side():
    forcing = TicTacToeBoard(drawn("XX. OO. ..."), 1).forcing()
    assert forcing == [seed003.CELLS[2], seed003.CELLS[5]]


def test_where_all_moves_lose_it_plays_the_first_free_cell():
    assert ask(seed003, drawn("X.X O.. O.X"), 2) == (0, 1)
    assert seed003.last_thought()["value"] == -WIN


@pytest.mark.parametrize(
    ("board", "player", "reversi", "cell"),
    [("....... " * 6, 1, False, (3, 3)), ("... .X.", 2, False, (0, 0)), (".... .OX. .XO. ....", 1, True, (0, 1))],
)
def test_other_games(board, player, reversi, cell):
    assert ask(seed003, drawn(board), player, reversi) == cell
    assert seed003.last_thought() is None


def test_quiescence_sees_a_fork_one_ply_sooner():
    """If White takes a corner, Black's corners fork. Only the forced replies after two plies show it."""
    stones = drawn("X.. .O. ..X")
    searches = ("alphabeta", "quiescence")
    plain, quiet = (think(TicTacToeBoard(stones, 2), Seed003Options(search, 2)) for search in searches)
    assert (plain.move, quiet.move) == (seed003.CELLS[2], seed003.CELLS[1])


@pytest.mark.parametrize(
    ("colour", "depth", "winners"), [(1, 3, {0, 1}), (2, 3, {0, 1, 2}), (1, 9, {0, 1}), (2, 9, {0, 2})]
)
def test_against_every_answer(colour, depth, winners):
    """With a full search it never loses. With three plies White may lose, as the report says."""
    seen = set()
    answer_everything([[0] * 3 for _ in range(3)], 1, colour, Seed003Options("alphabeta", depth), seen, {})
    assert seen == winners


def answer_everything(board, mover, colour, options, results, known):
    """Play an agent against all answers. `results` collects the winners, 0 for a draw."""
    grid = TicTacToeBoard(board, mover)
    if grid.is_over():
        results.add(next((side for side in (1, 2) if lines(board, side)), 0))
        return
    moves = grid.moves()
    if mover == colour:
        moves = [known.setdefault(str(board), think(grid, options).move)]
    for move in moves:
        row, col = divmod(seed003.CELLS.index(move), 3)
        board[row][col] = mover
        answer_everything(board, 3 - mover, colour, options, results, known)
        board[row][col] = 0
