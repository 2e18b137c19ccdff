"""The opponents' rules in lockstep with the referee, and their searches against plain minimax."""

import functools
import itertools
import random

import pytest

from env_adapter import answer, make
from local_runner.agents.opponents import clock, seed003
from local_runner.agents.opponents.clock import MoveClock
from local_runner.agents.opponents.montecarlo import DRAW, KInARowRules, ReversiPlayouts
from local_runner.agents.opponents.observed import PASS, bits
from local_runner.agents.opponents.searchers import AlphaBetaSearch, SearchGame
from tests.local_runner.agents import naive_reversi

# ---- rules

DRAWN_BY_REFEREE = 3


def stones_of(rules, position):
    stones = [[0] * rules.width for _ in range(rules.height)]
    for mask, colour in ((position.own, position.player), (position.other, 3 - position.player)):
        for bit in bits(mask):
            row, col = rules.cell(bit)
            stones[row][col] = colour
    return stones


def referees_winner(env):
    winner = env.outcome().winner
    return DRAW if winner == DRAWN_BY_REFEREE else winner


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_reversi_as_the_referee_plays_it(size):
    rng = random.Random(size)
    passes = 0
    for _ in range(8 if size < 10 else 2):
        env = make("reversi_1v1", rules="stated", board_size=size)
        rules = ReversiPlayouts(size)
        position = rules.position(env.stones(), 1)
        while not env.is_terminal():
            assert rules.winner(position) is None or not env.legal_moves()
            expected = [rules.bit(cell) for cell in env.legal_moves()] or [PASS]
            assert rules.moves(position) == expected
            cell = naive_reversi.play(env, rng)
            position = rules.play(position, rules.bit(cell) if cell else PASS)
            passes += not cell
            assert stones_of(rules, position) == env.stones()
        assert rules.winner(position) == referees_winner(env)
    assert passes > 0


@pytest.mark.parametrize(
    ("height", "width", "length"), [(15, 15, 5), (11, 11, 5), (3, 3, 3), (4, 7, 4), (7, 4, 3), (6, 6, 6)]
)
def test_k_in_a_row_as_the_referee_plays_them(height, width, length):
    rng = random.Random(height * width)
    ends = set()
    for _ in range(3 if height > 9 else 10):
        env = make("gobang_1v1", rules="stated", board_height=height, board_width=width, in_a_row=length)
        rules = KInARowRules(height, width, length)
        position = rules.position(env.stones(), 1)
        while not env.is_terminal():
            assert rules.winner(position) is None
            assert [rules.cell(move) for move in rules.moves(position)] == env.legal_moves()
            cell = rng.choice(env.legal_moves())
            env.step([answer(cell, height, width)] * 2)
            position = rules.play(position, rules.bit(cell))
        assert rules.winner(position) == referees_winner(env)
        assert stones_of(rules, position) == env.stones()
        ends.add(rules.winner(position))
    assert {1, 2} <= ends or length == 6


@pytest.mark.parametrize(
    ("rules", "rows"),
    [
        (ReversiPlayouts(4), "OOOX XXOX XOOX X.O."),
        (ReversiPlayouts(4), "XXXX XOOX XXOX O..."),
        (ReversiPlayouts(4), "XXOX OOXO .XX. OOO."),
        (KInARowRules(3, 3, 3), "XOX .O. .X."),
        (KInARowRules(3, 3, 3), "X.O .X. ..O"),
    ],
)
@pytest.mark.parametrize("player", [1, 2])
def test_a_game_to_the_end_may_end_in_every_way_that_there_is(rules, rows, player):
    position = rules.position(naive_reversi.drawn(rows), player)

    def ends(position):
        winner = rules.winner(position)
        return (
            {winner}
            if winner is not None
            else {end for move in rules.moves(position) for end in ends(rules.play(position, move))}
        )

    rng = random.Random(0)
    assert {rules.finish(position, rng) for _ in range(300)} == ends(position)


# ---- searches


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


def minimax(position, depth):
    """The value by the definition."""
    if not depth or position.is_over():
        return position.evaluate()
    return max(-after(position, move, depth) for move in position.moves())


def after(position, move, depth):
    """The value of the position after a move, in the other side's view."""
    position.play(move)
    value = minimax(position, depth - 1)
    position.undo(move)
    return value


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("depth", [6, 4, 1])
def test_every_combination_of_switches_finds_the_plain_value(seed, depth):
    dag, nodes = Dag(seed), {}
    value = minimax(dag, depth)
    for pruning, ordered, deepening in itertools.product((False, True), repeat=3):
        found = AlphaBetaSearch(dag, pruning, ordered, deepening).run(depth)
        assert (found.value, found.depth, dag.key()) == (value, depth, (0, 0))
        assert -after(dag, found.move, depth) == value
        if not (ordered or deepening):
            assert found.move == max(dag.moves(), key=lambda move: -after(dag, move, depth))  # ties: the first
            nodes[pruning] = found.nodes
    assert nodes[True] <= nodes[False]


# A full search of tic-tac-toe. 549,946 nodes of minimax and 18,297 of alpha-beta are well-known counts.
@pytest.mark.parametrize(("search", "nodes"), [
    (lambda grid: AlphaBetaSearch(grid).run(9), 18297),
    (lambda grid: AlphaBetaSearch(grid, ordered=True, deepening=True).run(9), 9789),
    pytest.param(lambda grid: AlphaBetaSearch(grid, pruning=False).run(9), 549946, marks=pytest.mark.slow),
])  # fmt: skip
def test_nodes_at_tic_tac_toe(search, nodes):
    found = search(seed003.TicTacToeBoard([[0] * 3 for _ in range(3)], 1))
    assert (found.value, found.nodes) == (0, nodes)


def quiet_value(position, evaluate):
    """The definition of quiescence, without a window."""
    best = evaluate(position)
    for move in [] if position.is_over() else position.forcing():
        position.play(move)
        best = max(best, -quiet_value(position, evaluate))
        position.undo(move)
    return best


class QuietDag(Dag):
    def evaluate(self):
        return quiet_value(self, Dag.evaluate)


@pytest.mark.parametrize("depth", [1, 3])
def test_quiescence_is_minimax_over_quiet_values(depth):
    changed = 0
    for seed in range(20):
        value = minimax(QuietDag(seed), depth)
        for deepening in (False, True):
            assert AlphaBetaSearch(Dag(seed), quiescence=True, deepening=deepening).run(depth).value == value
        changed += value != minimax(Dag(seed), depth)
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
                assert found.value == values[5]
            else:
                better = (-after(dag, found.move, found.depth + 1), -after(dag, found.move, found.depth))
                assert found.value == better[0] or better[1] == found.value == values[found.depth]
            done.append(found.depth)
        assert done == sorted(done) and done[0] == 0 and done[-1] == 5
