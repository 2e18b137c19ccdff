"""The searchers: published node counts, the reports' figures, and every switch against plain minimax."""

import functools
import itertools
import random
from fractions import Fraction

import pytest

from local_runner.agents.opponents import clock, seed002, seed003
from local_runner.agents.opponents.clock import MoveClock
from local_runner.agents.opponents.searchers import AlphaBetaSearch, SearchGame, minimax
from local_runner.agents.opponents.seed002 import Seed002Options
from tests.local_runner.agents.naive_reversi import drawn

SWITCHES = ("ordered", "deepening")
EMPTY = [[0] * 3 for _ in range(3)]


class Tree(SearchGame):
    """A tree of nested lists with values in the root's view, as in textbooks. `seen`: the evaluated leaves."""

    def __init__(self, tree):
        self.path = [tree]
        self.route = []
        self.seen = []

    def moves(self):
        return list(range(len(self.path[-1])))

    def play(self, move):
        self.path.append(self.path[-1][move])
        self.route.append(move)

    def undo(self, move):
        self.path.pop()
        assert self.route.pop() == move

    def is_over(self):
        return not isinstance(self.path[-1], list)

    def evaluate(self):
        if not self.is_over():
            return 0
        self.seen.append(self.path[-1])
        return -self.path[-1] if len(self.route) % 2 else self.path[-1]

    def key(self):
        return tuple(self.route)


@functools.cache
def dealt(*numbers):
    """A random value determined by the numbers."""
    return random.Random(str(numbers)).randint(-20, 20)


class Dag(SearchGame):
    """Steps left and right on a line of random values, so that many move orders lead to the same position."""

    def __init__(self, seed):
        self.seed = seed
        self.at, self.ply = 0, 0

    def moves(self):
        return [-2, -1, 1, 2]

    def play(self, move):
        self.at += move
        self.ply += 1

    def undo(self, move):
        self.at -= move
        self.ply -= 1

    def is_over(self):
        return self.at in (5, -5)

    def evaluate(self):
        return dealt(self.seed, *self.key())

    def key(self):
        return (self.at, self.ply)

    def forcing(self):
        return [] if self.ply > 8 or self.at % 2 else [1, 2]


def grids(count, seed, most=7):
    """Unfinished tic-tac-toe positions after some random moves."""
    rng = random.Random(seed)
    while count:
        cells = rng.sample(range(9), rng.randint(0, most))
        board = [[0] * 3 for _ in range(3)]
        for number, cell in enumerate(cells):
            board[cell // 3][cell % 3] = 1 + number % 2
        grid = seed003.TicTacToeBoard(board, 1 + len(cells) % 2)
        if not grid.is_over():
            count -= 1
            yield grid


GOMOKU = [
    ("...... .XXX.. ..OO.. ..O... ...... ......", 2, 2),
    ("XOXXO OXOOX XOX.X .XOOX O..XO", 1, 3),
]
POSITIONS = {
    **{f"tic-tac-toe {number}": (lambda number=number: list(grids(8, 5))[number], 4) for number in range(2)},
    **{f"dag {seed}": (lambda seed=seed: Dag(seed), 6) for seed in range(2)},
    **{
        f"gomoku {number}": (lambda b=b, p=p: seed002.ShapeBoard(drawn(b), p, Seed002Options()), depth)
        for number, (b, p, depth) in enumerate(GOMOKU)
    },
}


@pytest.mark.slow
def test_the_whole_tree_of_tic_tac_toe():
    """255,168 games and 549,946 nodes are well-known counts."""
    everything = minimax(seed003.TicTacToeBoard(EMPTY, 1), 9)
    assert (everything.value, everything.nodes, everything.leaves) == (0, 549946, 255168)


def test_report_002s_example():
    """The root's move s2 is worth 3 and s1 -6. After t6, s3 is worth at most -10, so t7 is cut off."""
    tree = [[9, -6], [8, 3], [-10, 7]]
    plain, cut = Tree(tree), Tree(tree)
    assert minimax(plain, 2)[:2] == (3, 1)
    assert plain.seen == [9, -6, 8, 3, -10, 7]
    assert AlphaBetaSearch(cut).run(2)[:2] == (3, 1)
    assert cut.seen == [9, -6, 8, 3, -10]


@pytest.mark.parametrize(
    ("name", "depth"), [(name, depth) for name, (_, most) in POSITIONS.items() for depth in range(most, 0, -2)]
)
def test_every_combination_of_switches_finds_the_plain_value(name, depth):
    position = POSITIONS[name][0]()
    before = position.key()
    plain = minimax(position, depth)
    for on in itertools.product((False, True), repeat=len(SWITCHES)):
        switches = dict(zip(SWITCHES, on, strict=True))
        found = AlphaBetaSearch(position, **switches).run(depth)
        assert (found.value, found.depth) == (plain.value, depth), switches
        assert position.key() == before
        assert -after(position, found.move, depth) == plain.value, switches
        if not any(on):
            assert found.move == plain.move and found.nodes <= plain.nodes


def after(position, move, depth):
    """The plain value of the position after a move, in the other side's view."""
    position.play(move)
    value = minimax(position, depth - 1).value
    position.undo(move)
    return value


# A full search from the empty board. 18,297 nodes of plain alpha-beta is a well-known count. The others are signatures:
# a refactoring must keep them.
NODES = [
    ((), 18297),
    (("ordered",), 3052),
    (("ordered", "deepening"), 9789),
]


@pytest.mark.parametrize(("switches", "nodes"), NODES)
def test_nodes_at_tic_tac_toe(switches, nodes):
    found = AlphaBetaSearch(seed003.TicTacToeBoard(EMPTY, 1), **dict.fromkeys(switches, True)).run(9)
    assert (found.value, found.nodes) == (0, nodes)


def test_nodes_of_quiescence():
    assert [AlphaBetaSearch(Dag(3), quiescence=on).run(4).nodes for on in (False, True)] == [94, 155]


@pytest.mark.parametrize(("width", "depth"), [(2, 7), (3, 5)])
def test_the_best_and_the_worst_order(width, depth):
    """Knuth and Moore (1975): w^ceil(d/2) + w^floor(d/2) - 1 leaves in the best order, all leaves in the worst."""
    best = AlphaBetaSearch(Tree(uniform(width, depth, worst_first=False))).run(depth)
    worst = AlphaBetaSearch(Tree(uniform(width, depth, worst_first=True))).run(depth)
    assert best.leaves == width ** ((depth + 1) // 2) + width ** (depth // 2) - 1
    assert worst.leaves == width**depth


def uniform(width, depth, worst_first, low=Fraction(0), high=Fraction(1), is_max=True):
    """A tree with different leaves in the best or worst order for alpha-beta."""
    if depth == 0:
        return (low + high) / 2
    step = (high - low) / width
    parts = [(low + step * i, low + step * (i + 1)) for i in range(width)]
    if is_max != worst_first:
        parts.reverse()
    return [uniform(width, depth - 1, worst_first, *part, is_max=not is_max) for part in parts]


def quiet_value(position, evaluate):
    """The definition of quiescence, without a window."""
    best = evaluate(position)
    for move in [] if position.is_over() else position.forcing():
        position.play(move)
        best = max(best, -quiet_value(position, evaluate))
        position.undo(move)
    return best


class QuietTicTacToe(seed003.TicTacToeBoard):
    def evaluate(self):
        return quiet_value(self, seed003.TicTacToeBoard.evaluate)


class QuietDag(Dag):
    def evaluate(self):
        return quiet_value(self, Dag.evaluate)


@pytest.mark.parametrize("depth", [1, 3])
def test_quiescence_is_minimax_over_quiet_values(depth):
    changed = 0
    for number, grid in enumerate(grids(20, seed=depth)):
        quiet = QuietTicTacToe(EMPTY, 1)
        quiet.sides, quiet.mover = grid.sides, grid.mover
        for position, same in ((grid, quiet), (Dag(number), QuietDag(number))):
            plain = minimax(same, depth)
            for deepening in (False, True):
                found = AlphaBetaSearch(position, quiescence=True, deepening=deepening).run(depth)
                assert found.value == plain.value
            changed += plain.value != minimax(position, depth).value
    assert changed > 5  # forcing moves have changed some values


def test_out_of_time(monkeypatch):
    """The clock ticks once a node. Whenever time is up, the position is restored and the move is the best so far."""
    ticks = itertools.count(1)
    monkeypatch.setattr(clock, "perf_counter", lambda: next(ticks))
    for switches in ({"deepening": True}, {"deepening": True, "ordered": True}, {}):
        dag = Dag(3)
        values = {depth: minimax(dag, depth) for depth in range(1, 6)}
        done = []
        for nodes in range(1, 800, 13):
            found = AlphaBetaSearch(dag, clock=MoveClock(nodes), **switches).run(5)
            assert dag.key() == (0, 0) and found.nodes <= nodes
            assert found.move in dag.moves()
            if found.depth == 0:
                assert nodes < 10 or not switches
            elif found.depth == 5:
                assert found.value == values[5].value
            else:
                better = (-after(dag, found.move, found.depth + 1), -after(dag, found.move, found.depth))
                assert found.value == better[0] or better[1] == found.value == values[found.depth].value
            done.append(found.depth)
        assert done == sorted(done) and done[0] == 0 and done[-1] == 5


def test_out_of_time_before_the_first_node():
    assert AlphaBetaSearch(Dag(1), clock=MoveClock(0)).run(4) == (Dag(1).evaluate(), -2, 0, 1, 0)
