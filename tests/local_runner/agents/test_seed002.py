"""seed002: the scores and moves printed in its report, its shapes, and its clock."""

import doctest
import itertools

import pytest

from local_runner.agents.opponents import clock, seed002
from local_runner.agents.opponents.clock import MoveClock
from local_runner.agents.opponents.searchers import AlphaBetaSearch
from local_runner.agents.opponents.seed002 import Seed002Options, ShapeBoard, think
from tests.local_runner.agents.naive_reversi import drawn
from tests.local_runner.agents.test_opponents import ask

SIZE = 11

# The report's two rounds with the machine as Black: its stone and score, the human's stone and score.
START = ([(5, 5), (5, 6)], [(5, 4), (6, 5)])
ROUNDS = [((7, 6), 500.0, (4, 3), 0.0), ((3, 2), 150.0, (2, 1), 0.0)]


@pytest.fixture(autouse=True)
def usual(monkeypatch):
    """Restore the default options after a test."""
    monkeypatch.setattr(seed002, "_options", Seed002Options())


def board_of(black, white, size=SIZE):
    board = [[0] * size for _ in range(size)]
    for colour, cells in ((1, black), (2, white)):
        for row, col in cells:
            board[row][col] = colour
    return board


def test_the_printed_rounds():
    """On turn, the score is the report's for the machine; off turn, it is the report's for the human."""
    black, white = map(list, START)
    for machine, its_score, man, his_score in ROUNDS:
        assert ask(seed002, board_of(black, white), 1) == machine
        assert seed002.last_thought()["score"] == its_score
        assert seed002.last_thought()["depth"] == 3
        black.append(machine)
        ask(seed002, board_of(black, white), 1)
        assert seed002.last_thought()["score"] == his_score
        white.append(man)


def test_the_printed_scores_want_two_plies():
    """The report's "three layers" are the root, the machine's stone and the human's stone."""
    board = ShapeBoard(board_of(*START), 1, Seed002Options())
    assert [-AlphaBetaSearch(board, ordered=True).run(plies).value for plies in (1, 2, 3)] == [-100.0, 500.0, -100.0]


SHAPES = [  # the report's table, in its order
    (".XX..", 50), ("..XX.", 50), ("XX.X.", 200), ("..XXX", 500), ("XXX..", 500), (".XXX.", 5000), (".X.XX.", 5000),
    (".XX.X.", 5000), ("XXX.X", 5000), ("XX.XX", 5000), ("X.XXX", 5000), ("XXXX.", 5000), (".XXXX", 5000),
    (".XXXX.", 50000), ("XXXXX", 99999999),
]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "shapes"),
    [
        ("...OXXO....", []),
        ("....XX.....", [(50, 2)]),  # ..XX. starts before .XX..
        ("..OXXX..O..", [(500, 3)]),
        ("..O.XXXX.O.", [(50000, 3)]),
        ("..O.XXXXO..", [(5000, 3)]),
        ("XX.X.......", [(200, 0)]),
        ("......OX.XX", []),  # the table has only its mirror image
        ("XXXX.......", [(5000, 0)]),
        ("XXXXXX.....", [(99999999, 0)] * 2),  # the last stone's window of six starts with five X
        ("X.XXX.XXX..", [(5000, 0), (5000, 1), (5000, 2), (5000, 3)]),  # also the windows of the last three stones
    ],
)
def test_shapes_on_a_line(line, shapes):
    assert list(seed002.SHAPES.items()) == SHAPES
    assert seed002.shapes_of(line) == shapes


@pytest.mark.parametrize(
    ("board", "black", "plain"),
    [
        (".O... .XX.. .X... .O... O...O", 50, 50),  # the vertical two has no room
        ("...... .XXX.. .X.... .X.... ...... ......", 15000, 10000),  # two open threes that share a cell
        ("...... .XXX.. ...... .XXX.. ...... ......", 10000, 10000),  # apart
    ],
)
def test_shapes_that_share_a_cell(board, black, plain):
    shapes = drawn(board)
    assert ShapeBoard(shapes, 2, Seed002Options()).sides() == {"machine": 0, "man": black}
    assert ShapeBoard(shapes, 2, Seed002Options(bonus=False)).sides() == {"machine": 0, "man": plain}
    assert ShapeBoard(shapes, 2, Seed002Options()).score() == black
    assert ShapeBoard(shapes, 1, Seed002Options()).score() == -black * 0.3
    assert ShapeBoard(shapes, 1, Seed002Options(ratio=0.5)).score() == -black / 2


@pytest.mark.parametrize(
    ("reach", "near"),
    [
        (2, "......... ..#.#.#.. ...###... ..##.##.. ...###... ..#.#.#.. ........."),
        (1, "......... ......... ...###... ...#.#... ...###... ......... ........."),
    ],
)
def test_the_cells_that_are_tried(reach, near):
    board = ShapeBoard(drawn("......... " * 3 + "....X.... " + "......... " * 3), 2, Seed002Options(reach=reach))
    cells = [row * 9 + col for row in range(7) for col in range(9) if near.split()[row][col] == "#"]
    assert board.moves() == cells[::-1]


@pytest.mark.parametrize(
    ("player", "board", "cell"),
    [
        (1, "....... ....... ....... ....... ....... ....... .......", (3, 3)),
        (1, "....... .XXXX.. ..OOO.. .O..... ....... ....... .......", (1, 5)),  # ties of two fives: the last
        (1, "....... ....... ..OOO.. ....X.. ....X.. ....... X......", (2, 5)),  # stops an open three, at one end
        (2, "XXXXO OOOOX XOX.X XXOOX OO.XO", (4, 2)),
    ],
)
def test_moves(player, board, cell):
    seed002.configure(seconds=60)  # the move must not depend on the machine's speed
    assert ask(seed002, drawn(board), player) == cell


@pytest.mark.parametrize(
    ("board", "player", "reversi", "cell"),
    [("... ... ...", 1, False, (1, 1)), ("... .X. ...", 2, False, (0, 0)), (".... .OX. .XO. ....", 1, True, (0, 1))],
)
def test_other_games(board, player, reversi, cell):
    assert ask(seed002, drawn(board), player, reversi) == cell
    assert seed002.last_thought() is None


def test_deeper_under_the_clock(monkeypatch):
    """When time is up, it plays the best move so far and reports the finished depth."""
    options = Seed002Options(depth=9)
    _, thought = think(ShapeBoard(board_of(*START), 1, options), options, MoveClock(0))
    assert thought["depth"] == 1
    looks = itertools.count()
    monkeypatch.setattr(clock, "perf_counter", lambda: next(looks) * 0.0001)
    seed002.configure(depth=9, seconds=0.2)
    ask(seed002, board_of(*START), 1)
    assert 3 <= seed002.last_thought()["depth"] < 9


def test_the_example_in_its_docstring():
    assert doctest.testmod(seed002) == (0, 1)
