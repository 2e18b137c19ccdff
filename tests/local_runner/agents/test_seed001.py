"""seed001 against plain minimax and a board of its report; its processes and its clock."""

import itertools
import multiprocessing
import random
import time
from functools import cache

import pytest

from local_runner.agents.opponents import clock, seed001
from local_runner.agents.opponents.clock import MoveClock
from local_runner.agents.opponents.rules import ReversiRules, bits, count
from local_runner.agents.opponents.seed001_search import LOST, HistoryTable, Seed001Options, Seed001Search
from local_runner.processes.portable.mo_board import MoBoard
from tests.local_runner.agents.naive_reversi import after, drawn, legal, positions, sets, weight_of

UNLIMITED = {"seconds": None, "game_seconds": None}

# The end of a game that it won in the report.
WON = "OOOOOOOO OOOOOOOO OOOOOOOO OOOOOOXO OOOOOOOO OOOOOOOO OOOOOOOO OOOOOOOO"
# The start of a game in the report.
GIVEN_START = "..XXXX.. ..XXXX.. XXXXXXXX XXXXXXXX XXXOXXXX XXX.XXXX ...OOO.. .....O.."


def name_of(cell):
    return "ABCDEFGH"[cell[1]] + str(cell[0] + 1)


def test_a_game_from_a_given_board():
    board = MoBoard([list(row) for row in GIVEN_START.split()])
    for color, player in (("X", 1), ("O", 2)):
        assert list(board.get_legal_actions(color)) == [name_of(cell) for cell in legal(drawn(GIVEN_START), player)]
    ours = {"X": seed001.AIPlayer("X", depth=3), "O": seed001.AIPlayer("O", depth=3)}
    color, passes = "X", 0
    while passes < 2:
        move = ours[color].get_move(board)
        legal_now = list(board.get_legal_actions(color))
        assert move in legal_now or (move is None and not legal_now)
        passes = 0 if move else passes + 1
        if move:
            before = [row[:] for row in board._board]
            flipped = board._move(move, color)
            board.backpropagation(move, flipped, color)
            assert board._board == before
            board._move(move, color)
        color = "O" if color == "X" else "X"
    assert board.count("X") + board.count("O") > 50
    assert seed001.AIPlayer("O").get_move(MoBoard([list(row) for row in WON.split()])) is None


TABLE = [[int(weight) for weight in row.split()] for row in (
    "150 -80 10 10 10 10 -80 150", "-80 -90 5 5 5 5 -90 -80", "10 5 1 1 1 1 5 10", "10 5 1 1 1 1 5 10",
    "10 5 1 1 1 1 5 10", "10 5 1 1 1 1 5 10", "-80 -90 5 5 5 5 -90 -80", "150 -80 10 10 10 10 -80 150",
)]  # fmt: skip
# As in the report: a corner and its two edges; its X square and the two rings. "row 0 0 7": row 0, columns 0 to 6.
EDGES = [
    ((0, 0), "row 0 0 7", "col 0 1 8", (1, 1), "row 1 1 6", "col 1 2 7"),
    ((0, 7), "col 7 0 7", "row 0 0 7", (1, 6), "col 6 1 6", "row 1 1 6"),
    ((7, 7), "row 7 1 8", "col 7 0 7", (6, 6), "row 6 2 7", "col 6 1 6"),
    ((7, 0), "col 0 1 8", "row 7 1 8", (6, 1), "col 1 2 7", "row 6 2 7"),
]
BESIDE = {
    (0, 0): [(0, 1), (1, 0), (1, 1)],
    (7, 0): [(7, 1), (6, 0), (6, 1)],
    (0, 7): [(0, 6), (1, 7), (1, 6)],
    (7, 7): [(7, 6), (6, 7), (6, 6)],
}


def cells_of(line):
    which, at, first, end = line.split()
    return {(int(at), i) if which == "row" else (i, int(at)) for i in range(int(first), int(end))}


def on_edges(discs):
    total = 0
    for corner, edge, other_edge, x_square, ring, other_ring in EDGES:
        if corner in discs:
            total += len(discs & cells_of(edge)) + len(discs & cells_of(other_edge))
            if x_square in discs:
                total += len(discs & cells_of(ring)) + len(discs & cells_of(other_ring))
    return total


def value(stones, player, options):
    """The evaluation without mobility, cell by cell."""
    own, other = sets(stones, player)
    bad = any(corner not in own and own & set(beside) for corner, beside in BESIDE.items())
    if not own or (options.bad_leaves and bad):
        return LOST
    return weight_of(TABLE)(stones, player) + options.factor * (on_edges(own) - on_edges(other)) * options.stability


@pytest.mark.parametrize(
    "options", [Seed001Options(), Seed001Options(stability=False), Seed001Options(bad_leaves=True, factor=7)]
)
def test_evaluation(options):
    rules = ReversiRules(8)
    search = Seed001Search(rules, options)
    found = set()
    rng = random.Random(1)
    crowded = [([[rng.choice([0, 1, 2, 2]) for _ in range(8)] for _ in range(8)], 2) for _ in range(40)]
    for stones, player in [*positions(8, 30), *crowded, (drawn(WON), 1), ([[2] * 8] * 8, 1)]:
        position = rules.position(stones, player)
        assert search.evaluate(position.own, position.other) == value(stones, player, options)
        found.add(on_edges(sets(stones, player)[0]))
    assert len(found) > 8


def minimax(stones, player, depth, options, only=None):
    """The value by the report's search without pruning, sorting or history table."""
    moves, others = legal(stones, player), legal(stones, 3 - player)
    discs = 64 - sum(row.count(0) for row in stones)
    if not moves and others:
        return -minimax(stones, 3 - player, depth, options)
    if not moves or not depth:
        early = options.vanishing and discs < 16 and moves
        return options.factor * (len(moves) - len(others)) + (0 if early else value(stones, player, options))
    chosen = [cell for cell in moves if only is None or cell in only][: options.width]
    return max([LOST, *(-minimax(after(stones, player, cell), 3 - player, depth - 1, options) for cell in chosen)])


@cache
def early_positions():
    """Positions in which searches of three plies end just before or just after the 16th disc."""
    return [pair for pair in positions(8, 12, seed=5) if 48 < sum(row.count(0) for row in pair[0]) < 52]


@pytest.mark.parametrize(
    "switches",
    [
        {}, {"history": False}, {"pruning": False}, {"history": False, "width": 3}, {"vanishing": False},
        {"stability": False, "factor": 0}, {"factor": 1}, {"bad_leaves": True},
        {"history": False, "pruning": False, "factor": 7},
    ],
    ids=str,
)  # fmt: skip
def test_the_search_finds_what_minimax_finds(switches):
    """With every option; the history table is kept from position to position."""
    rules, options = ReversiRules(8), Seed001Options(**switches)
    search = Seed001Search(rules, options)
    for number, (stones, player) in enumerate([*positions(8, 4, seed=3), *early_positions()]):
        depth = 1 + number % 3
        position = rules.position(stones, player)
        discs = count(position.own | position.other)
        found, move = search.alphabeta(position, discs, depth, LOST, -LOST)
        assert found == minimax(stones, player, depth, options)
        if move:
            cell = rules.cell(move)
            assert -minimax(after(stones, player, cell), 3 - player, depth - 1, options) == found
        else:
            assert found == LOST


def test_pruning_and_history_save_nodes():
    def nodes(**switches):
        class Counting(MoveClock):
            looked = 0

            def check(self):
                self.looked += 1

        clock, rules = Counting(None), ReversiRules(8)
        for stones, player in positions(8, 1, seed=5):
            search = Seed001Search(rules, Seed001Options(**switches))
            search.clock = clock
            position = rules.position(stones, player)
            search.alphabeta(position, count(position.own | position.other), 4, LOST, -LOST)
        return clock.looked

    assert nodes() < nodes(history=False) < nodes(history=False, pruning=False)


def test_the_history_table_exchanges_ranks():
    rules = ReversiRules(4)
    cells = list(bits(rules.cells))
    table = HistoryTable(rules)
    ranks = {(player, discs): cells[:] for player in (1, 2) for discs in (4, 5)}
    rng = random.Random(0)
    for _ in range(500):
        key, move, cut = rng.choice(list(ranks)), rng.choice(cells), rng.random() < 0.3
        table.reward(move, *key, cut=cut)
        order = ranks[key]
        at = order.index(move)
        to = 0 if cut else max(at - 1, 0)
        order[at], order[to] = order[to], order[at]
        some = rng.sample(cells, 5)
        assert table.ordered(some, *key) == [cell for cell in order if cell in some]


def chooser(**switches):
    return seed001.Player(8, Seed001Options(**{**UNLIMITED, **switches}).checked())


CORNERS = "A1", "A8", "H1", "H8"
AT_CORNERS = ".OX..XO. ........ ........ ...OX... ...XO... ........ ........ .OX..XO."


def test_corners_are_taken_at_once_in_the_reports_order():
    board = MoBoard([list(row) for row in AT_CORNERS.split()])
    for corner in CORNERS:
        assert seed001.AIPlayer("X").get_move(board) == corner
        board._move(corner, "X")


def test_corners_are_taken_where_the_search_alone_would_not():
    elsewhere = 0
    for stones, player in positions(8, 15, seed=8):
        corners = set(BESIDE) & set(legal(stones, player))
        if corners:
            assert chooser(depth=1).choose(stones, player) in corners
            elsewhere += chooser(depth=1, corners=False).choose(stones, player) not in corners
    assert elsewhere > 0


def test_bad_moves_are_left_out_while_twelve_cells_are_free():
    """Unless there are no others. Without the option, the search plays some of the skipped moves."""
    options = {"depth": 1, "corners": False, "vanishing": False}
    beside = {cell for cells in BESIDE.values() for cell in cells}
    avoided = kept = 0
    for stones, player in positions(8, 15, seed=6):
        moves = set(legal(stones, player))
        free = sum(row.count(0) for row in stones)
        allowed = (moves - beside or moves) if free >= 12 else moves
        chosen = chooser(bad_moves=True, **options).choose(stones, player)
        assert chosen in allowed
        best = minimax(stones, player, 1, Seed001Options(**options), allowed)
        assert -minimax(after(stones, player, chosen), 3 - player, 0, Seed001Options(**options)) == best
        wanted = chooser(**options).choose(stones, player)
        avoided += wanted not in allowed
        kept += chosen in beside and bool(moves - beside)
    assert avoided > 0 and kept > 0


@pytest.mark.parametrize(
    "options", [{"cores": 2, "seconds": 60}, {"cores": 3, "bad_moves": True}, {"cores": 64}], ids=str
)
def test_cores_find_the_same_move_and_leave_no_process(options):
    for stones, player in [*positions(8, 1, seed=9), *early_positions()[:1]]:
        alone = chooser(depth=3, corners=False, history=False, bad_moves=options.get("bad_moves", False))
        shared = chooser(depth=3, corners=False, **options)
        assert shared.choose(stones, player) == alone.choose(stones, player)
        assert multiprocessing.active_children() == []


def test_cores_keep_the_limit_and_leave_no_process():
    start = drawn("........ ........ ........ ...OX... ...XO... ........ ........ ........")
    begun = time.perf_counter()
    assert chooser(cores=2, depth=30, seconds=0.3).choose(start, 1) in legal(start, 1)
    assert time.perf_counter() - begun < 60
    assert chooser(cores=2, seconds=0).choose(start, 1) in legal(start, 1)
    assert multiprocessing.active_children() == []


def test_a_game_has_a_minute():
    player = chooser(game_seconds=60)
    player.discs = 4
    assert player._seconds() == 2
    player.spent, player.discs = 45, 44
    assert player._seconds() == 1.5
    player.spent = 61
    assert player._seconds() == 0
    assert (chooser(game_seconds=60, seconds=0.5)._seconds(), chooser()._seconds()) == (0.5, None)


def test_the_time_of_a_move_is_taken_from_the_games(monkeypatch):
    looks = itertools.count()
    monkeypatch.setattr(clock, "perf_counter", lambda: next(looks) * 0.001)
    start = drawn("........ ........ ........ ...OX... ...XO... ........ ........ ........")
    player = chooser(game_seconds=6, depth=30)
    player.choose(start, 1)
    assert player.spent == pytest.approx(6 / 30, abs=0.01)


def test_early_moves_at_random_are_good_ones():
    stones = drawn("........ ........ ........ ...OX... ...XO... ........ ........ ........")
    assert {chooser(vanishing="random", seed=seed).choose(stones, 1) for seed in range(60)} == set(legal(stones, 1))
    stones = drawn("........ ........ ..O..... ...OX... ...XX... ........ ........ ........")
    chosen = {chooser(vanishing="random", seed=seed).choose(stones, 1) for seed in range(60)}
    assert set(legal(stones, 1)) - chosen == {(1, 1)}
