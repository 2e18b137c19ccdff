"""The opponents' rules in lockstep with the referee, and their searches against plain minimax."""

import functools
import itertools
import random

import pytest

from env_adapter import make
from local_runner.agents.opponents import searchers, seed003
from local_runner.agents.opponents.montecarlo import KInARowRules, ReversiPlayouts
from local_runner.agents.opponents.observed import PASS
from local_runner.agents.opponents.searchers import AlphaBetaSearch, MoveClock, SearchGame
from tests.local_runner.agents import references

# ---- rules


@pytest.mark.parametrize(("rules", "games"), [
    *((ReversiPlayouts(size), 8 if size < 10 else 3) for size in (4, 6, 8, 10)),
    *((KInARowRules(*numbers), 2 if numbers[0] > 9 else 10)
      for numbers in ((15, 15, 5), (11, 11, 5), (3, 3, 3), (4, 7, 4), (7, 4, 3), (6, 6, 6))),
])  # fmt: skip
def test_rules_as_the_referee_plays_them(rules, games):
    rng, is_reversi, (passes, ends) = random.Random(rules.cells), isinstance(rules, ReversiPlayouts), (0, set())
    for _ in range(games):
        env = make("reversi_1v1", "stated", board_size=rules.width) if is_reversi else make(
            "gobang_1v1", "stated", board_height=rules.height, board_width=rules.width, in_a_row=rules.k)  # fmt: skip
        position = rules.position(env.stones(), 1)
        while not env.is_terminal():
            assert rules.winner(position) is None or not env.legal_moves()
            assert rules.moves(position) == ([rules.bit(cell) for cell in env.legal_moves()] or [PASS])
            cell = references.play(env, rng)
            position = rules.play(position, rules.bit(cell) if cell else PASS)
            passes += not cell
            assert position == rules.position(env.stones(), position.player)
        ends.add(rules.winner(position))
        assert rules.winner(position) == env.outcome().winner % 3  # the referee's 3 is a draw
    assert rules.height >= 10 or (bool(passes) is is_reversi and (len(ends) > 1 or rules.height == 6))


@pytest.mark.parametrize(("rules", "rows"), [
    *((ReversiPlayouts(4), rows) for rows in ("OOOX XXOX XOOX X.O.", "XXXX XOOX XXOX O...", "XXOX OOXO .XX. OOO.")),
    *((KInARowRules(3, 3, 3), rows) for rows in ("XOX .O. .X.", "X.O .X. ..O")),
])  # fmt: skip
@pytest.mark.parametrize("player", [1, 2])
def test_a_game_to_the_end_may_end_in_every_way_that_there_is(rules, rows, player):
    def ends(position):
        if (winner := rules.winner(position)) is not None:
            return {winner}
        return {end for move in rules.moves(position) for end in ends(rules.play(position, move))}

    position, rng = rules.position(references.drawn(rows), player), random.Random(0)
    assert {rules.finish(position, rng) for _ in range(300)} == ends(position)


# ---- searches


@functools.cache
def dealt(*numbers):
    return random.Random(str(numbers)).randint(-20, 20)


class Dag(SearchGame):
    """Steps left and right on a line of random values, so that many move orders lead to the same position."""

    def __init__(self, seed):
        self.seed, self.at, self.ply = seed, 0, 0

    def moves(self):
        return [-2, -1, 1, 2]

    def play(self, move):
        self.at, self.ply = self.at + move, self.ply + 1

    def undo(self, move):
        self.at, self.ply = self.at - move, self.ply - 1

    def is_over(self):
        return self.at in (5, -5)

    def evaluate(self):
        return dealt(self.seed, *self.key())

    def key(self):
        return (self.at, self.ply)

    def forcing(self):
        return [] if self.ply > 8 or self.at % 2 else [1, 2]


def minimax(position, depth, quiet=False):
    """The value by the definition; at depth 0, with `quiet`, that of quiescence."""
    if depth and not position.is_over():
        return max(-after(position, move, depth, quiet) for move in position.moves())
    moves = position.forcing() if quiet and not position.is_over() else []
    return max([position.evaluate(), *(-after(position, move, 1, quiet) for move in moves)])


def after(position, move, depth, quiet=False):
    position.play(move)
    value = minimax(position, depth - 1, quiet)
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
            assert found.move == max(dag.moves(), key=lambda move: -after(dag, move, depth))  # the first best
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


@pytest.mark.parametrize("depth", [1, 3])
def test_quiescence_is_minimax_over_quiet_values(depth):
    changed = 0
    for seed in range(20):
        value = minimax(Dag(seed), depth, quiet=True)
        for deepening in (False, True):
            assert AlphaBetaSearch(Dag(seed), quiescence=True, deepening=deepening).run(depth).value == value
        changed += value != minimax(Dag(seed), depth)
    assert changed > 5  # number of positions whose value the quiescence search has changed


def test_out_of_time(monkeypatch):
    """The clock ticks once a node. Whenever time is up, the position is restored and the move is the best so far."""
    ticks = itertools.count(1)
    monkeypatch.setattr(searchers, "perf_counter", lambda: next(ticks))
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
