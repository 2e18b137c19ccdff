"""Seed 003: the evaluation, what it plays and never loses, and its five searches side by side."""

import itertools

import pytest

from local_runner.game_setup import GameSetup
from local_runner.opponents import seed003
from local_runner.opponents.seed003 import WIN, Grid, Options, think
from local_runner.run_log import play
from local_runner.session import GameSession
from tests.local_runner.test_opponents import ask, stones


@pytest.fixture(autouse=True)
def usual(monkeypatch):
    """Whatever a test configures is forgotten."""
    monkeypatch.setattr(seed003, "_options", Options())


@pytest.mark.parametrize(
    ("player", "board", "value"),
    [
        (1, "... ... ...", 0),
        (2, "... .X. ...", -4),  # White's four edges, against all eight lines
        (2, "X.. ... ...", -3),
        (2, ".X. ... ...", -2),
        (1, "O.. .X. ...", 1),  # five against four
        (1, ".O. .X. ...", 2),
        (1, "XX. OO. ...", -1),
        (1, "XOX OOX XXO", 0),
        (2, "XXX OO. ...", -WIN),
        (1, "X.X OOO X..", -WIN),
        (2, "X.X OOO X..", WIN),
    ],
)
def test_open_lines(player, board, value):
    drawn = stones(*board.split())
    assert Grid(drawn, player).evaluate() == value == naive_value(drawn, player)


def naive_value(board, player):
    """The free cells filled with one side's stones, then with the other's, and lines of three counted each time."""
    won = [lines(board, colour) > 0 for colour in (player, 3 - player)]
    if any(won):
        return WIN if won[0] else -WIN
    own, others = ([[stone or colour for stone in row] for row in board] for colour in (player, 3 - player))
    return lines(own, player) - lines(others, 3 - player)


def lines(board, colour):
    columns = [list(column) for column in zip(*board, strict=True)]
    diagonals = [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    return [*board, *columns, *diagonals].count([colour] * 3)


def test_every_board_is_valued_as_the_report_counts():
    for cells in itertools.product(range(3), repeat=9):
        board = [list(cells[at : at + 3]) for at in (0, 3, 6)]
        if not (lines(board, 1) and lines(board, 2)):
            assert [Grid(board, player).evaluate() for player in (1, 2)] == [naive_value(board, p) for p in (1, 2)]


MOVES = [
    (1, "... ... ...", (1, 1)),  # the report begins in the middle
    (2, "... .X. ...", (0, 0)),  # a corner, the first
    (1, "XX. OO. ...", (0, 2)),  # wins in a row,
    (1, "X.. .X. OO.", (2, 2)),  # or in a diagonal, which the report's shortcut has not
    (1, "... ..X OOX", (0, 2)),  # at once, though the first cell wins too
    (1, "X.. OO. .X.", (1, 2)),  # stops a row
    (2, "XX. O.. ...", (0, 2)),
]


@pytest.mark.parametrize(("player", "board", "cell"), MOVES)
@pytest.mark.parametrize("search", seed003.SEARCHES)
def test_moves(player, board, cell, search):
    seed003.configure(search=search)
    assert ask(seed003, stones(*board.split()), player) == cell
    assert seed003.last_thought()["search"] == search
    assert ask(seed003, stones(*board.split()), 3 - player) == (0, 0)
    assert seed003.last_thought() is None


def test_to_the_end_of_the_game_it_still_begins_in_the_middle():
    """Where every cell is a draw, and the first would be taken."""
    seed003.configure(depth=9)
    assert ask(seed003, stones("...", "...", "..."), 1) == (1, 1)


def test_forcing_moves_complete_a_line_of_either_side():
    forcing = Grid(stones("XX.", "OO.", "..."), 1).forcing()
    assert forcing == [seed003.CELLS[2], seed003.CELLS[5]]


def test_where_all_moves_lose_it_plays_the_first_free_cell():
    assert ask(seed003, stones("X.X", "O..", "O.X"), 2) == (0, 1)
    assert seed003.last_thought()["value"] == -WIN


@pytest.mark.parametrize(
    ("board", "player", "reversi", "cell"),
    [("....... " * 6, 1, False, (3, 3)), ("... .X.", 2, False, (0, 0)), (".... .OX. .XO. ....", 1, True, (0, 1))],
)
def test_other_games(board, player, reversi, cell):
    assert ask(seed003, stones(*board.split()), player, reversi) == cell
    assert seed003.last_thought() is None


@pytest.mark.parametrize("depth", [1, 2, 3, 9])
def test_the_searches_agree(depth):
    """Four are one value; alpha-beta looks at fewer nodes than minimax. Quiescence sees further."""
    seen = dict.fromkeys(seed003.SEARCHES, 0)
    for board in ("... .X. ...", "X.. ... ...", "X.. .O. ..X", ".X. ..O X..", "OX. .X. .O."):
        drawn = stones(*board.split())
        player = 1 if board.count("X") == board.count("O") else 2
        found = {name: think(Grid(drawn, player), Options(name, depth)) for name in seed003.SEARCHES}
        assert len({found[name].value for name in ("minimax", "negamax", "alphabeta", "deepening")}) == 1
        assert found["minimax"] == found["negamax"]
        assert found["alphabeta"].move == found["minimax"].move
        seen = {name: nodes + found[name].nodes for name, nodes in seen.items()}
    assert seen["alphabeta"] < seen["minimax"] or depth == 1
    assert seen["alphabeta"] < seen["deepening"] or depth == 1
    assert seen["quiescence"] > seen["alphabeta"] or depth == 9


def test_quiescence_sees_a_fork_one_ply_sooner():
    """Black's corners fork where White answers with a corner; two plies do not show it, their forced replies do."""
    drawn = stones("X..", ".O.", "..X")
    plain, quiet = (think(Grid(drawn, 2), Options(search, 2)) for search in ("alphabeta", "quiescence"))
    assert (plain.move, quiet.move) == (seed003.CELLS[2], seed003.CELLS[1])


@pytest.mark.parametrize(
    ("colour", "depth", "winners"), [(1, 3, {0, 1}), (2, 3, {0, 1, 2}), (1, 9, {0, 1}), (2, 9, {0, 2})]
)
def test_against_every_answer(colour, depth, winners):
    """To the end of the game it never loses; with three plies White may, as the report says of itself."""
    seen = set()
    answer_everything([[0] * 3 for _ in range(3)], 1, colour, Options("alphabeta", depth), seen, {})
    assert seen == winners


def answer_everything(board, mover, colour, options, results, known):
    """Play all games of an agent against all answers; `results`: their winners, 0 for none."""
    grid = Grid(board, mover)
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


def test_the_machine_against_itself():
    """As the report shows it, in pictures only: a whole game by one module."""
    session = GameSession(GameSetup("tictactoe_1v1", "stated", 1))
    log = play(session, [seed003.my_controller] * 2)
    assert (len(log["steps"]), log["winner"]) == (9, 3)


@pytest.mark.parametrize("options", [{"search": "mtdf"}, {"depth": 0}, {"depth": 2.5}, {"dept": 3}])
def test_wrong_options(options):
    with pytest.raises((ValueError, TypeError)):
        seed003.configure(**options)
    assert seed003._options == Options()
