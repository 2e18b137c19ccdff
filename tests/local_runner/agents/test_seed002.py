"""seed002: the scores and moves printed in its report, its shapes, and its search against plain minimax."""

import doctest
import itertools
import random

import pytest

from local_runner.agents.opponents import clock, seed002
from local_runner.agents.opponents.clock import MoveClock
from local_runner.agents.opponents.searchers import AlphaBetaSearch, minimax
from local_runner.agents.opponents.seed002 import Seed002Options, ShapeBoard, think
from tests.local_runner.agents.naive_reversi import drawn
from tests.local_runner.agents.test_opponents import ask

SIZE = 11
AXES = ((1, 1), (1, 0), (0, 1), (1, -1))

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


def naive_side(own, others):
    """One side's score stone by stone, with sets of cells; a shape at the edge covers its own cells."""
    table, counted, total = dict(SHAPES), [], 0
    for stone, axis in itertools.product(sorted(own), AXES):
        if any(stone in cells and axis == along for _, cells, along in counted):
            continue
        best = (0, frozenset(), axis)
        for first in range(-5, 1):
            window = [(stone[0] + i * axis[0], stone[1] + i * axis[1]) for i in range(first, first + 6)]
            window = [cell for cell in window if min(cell) >= 0 and max(cell) < SIZE]
            text = "".join("X" if cell in own else "O" if cell in others else "." for cell in window)
            score = max(table.get(text, 0), table.get(text[:5], 0))
            if score > best[0]:
                best = (score, frozenset(window[:5]), axis)
        if best[0]:
            total += best[0] + sum((best[0] + score) // 2 for score, cells, _ in counted if cells & best[1])
            counted.append(best)
    return total


def deal(seed, most=60, within=range(SIZE)):
    rng = random.Random(seed)
    cells = rng.sample(list(itertools.product(within, repeat=2)), rng.randint(4, most))
    return set(cells[::2]), set(cells[1::2])


@pytest.mark.parametrize("seed", range(12))
def test_lines_add_up_to_the_naive_score(seed):
    black, white = deal(seed, *((60, range(SIZE)) if seed % 2 else (40, range(3, 11))))
    board = ShapeBoard(board_of(black, white), 2, Seed002Options())
    assert board.sides() == {"machine": naive_side(white, black), "man": naive_side(black, white)}


def test_stones_come_and_go_without_a_trace():
    black, white = deal(4, 30)
    board, rng = ShapeBoard(board_of(black, white), 1, Seed002Options()), random.Random(4)
    before, played = (board.score(), board.key(), board.moves()), []
    while not board.is_over() and len(played) < 20:
        played.append(rng.choice(board.moves()))
        board.play(played[-1])
        shapes = [[".XO".index(mark) for mark in board.marks[at : at + SIZE]] for at in range(0, SIZE**2, SIZE)]
        fresh = ShapeBoard(shapes, 1, Seed002Options())
        assert (board.score(), board.five, board.mover) == (fresh.score(), fresh.five, fresh.mover)
    while played:
        board.undo(played.pop())
    assert (board.score(), board.key(), board.moves()) == before


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


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "options", [Seed002Options(), Seed002Options(depth=2), Seed002Options(ratio=1.0, reach=1, bonus=False)]
)
def test_it_plays_the_last_of_the_best_moves(seed, options):
    board = ShapeBoard(board_of(*deal(seed, 14, range(3, 8))), 1 + seed % 2, options)
    if board.is_over() or board.mover != board.machine:
        board.mover = board.machine
    plies, values = options.depth - 1, {}
    for move in board.moves():
        board.play(move)
        values[move] = -minimax(board, plies - 1).value
        board.undo(move)
    cell, thought = think(board, options, MoveClock(None))
    best = max(values.values())
    assert cell == divmod(max(move for move, value in values.items() if value == best), SIZE)
    assert thought["score"] == -best


def test_deeper_under_the_clock(monkeypatch):
    """When time is up, it plays the best move so far and reports the finished depth."""
    black, white = deal(2, 40, range(2, 9))
    options = Seed002Options(depth=9)
    _, thought = think(ShapeBoard(board_of(black, white), 1, options), options, MoveClock(0))
    assert thought["depth"] == 1
    looks = itertools.count()
    monkeypatch.setattr(clock, "perf_counter", lambda: next(looks) * 0.0001)
    seed002.configure(depth=9, seconds=0.2)
    ask(seed002, board_of(*START), 1)
    assert 3 <= seed002.last_thought()["depth"] < 9


def test_the_example_in_its_docstring():
    assert doctest.testmod(seed002) == (0, 1)
