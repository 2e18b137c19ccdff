"""The search against plain minimax, under interruption at every node, and on games small enough to be solved."""
from __future__ import annotations

import random
import time
from typing import Any

import pytest

from submission import alphabeta
from submission.alphabeta import FORCED, WIN, Search
from submission.clock import Deadline, TimeUp
from submission.gomoku.position import Position as LinePosition
from submission.lines import BLACK
from submission.reversi.position import Position as ReversiPosition
from submission.table import UPPER

from .boards import draw, padded
from .interruption import StopsAt


def _minimax(position: Any) -> int:
    """Value of a position by looking at every line to its end; a win counts less the longer it takes."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome
    best = -WIN
    for move in position.moves():
        position.play(move)
        value = -_minimax(position)
        position.undo()
        if abs(value) > FORCED:
            value += -1 if value > 0 else 1
        best = max(best, value)
    return best


def _random_reversi(n: int, free: int, seed: int) -> ReversiPosition:
    noise = random.Random(seed)
    while True:
        position = ReversiPosition.start(n)
        while position.plies_left() > free and position.outcome() is None:
            position.play(noise.choice(position.moves()))
        if position.outcome() is None:
            position.history.clear()
            return position


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("n, free", [(4, 8), (6, 6), (8, 6)])
def test_exact_disc_difference_at_the_end(n: int, free: int, seed: int) -> None:
    position = _random_reversi(n, free, seed)
    thought = Search().think(position, Deadline(None))
    exact = _minimax(position)
    if len(position.moves()) > 1:
        assert thought.value == exact
    position.play(thought.move)
    assert -_minimax(position) == exact


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("rows, cols, k, stones", [(3, 3, 3, 2), (4, 4, 4, 8), (4, 3, 3, 4), (5, 5, 4, 16)])
def test_small_line_games_are_solved(rows: int, cols: int, k: int, stones: int, seed: int) -> None:
    noise = random.Random(seed)
    position = LinePosition(rows, cols, k)
    while bin(position.occupied).count("1") < stones and position.outcome() is None:
        position.play(noise.choice(position.moves()))
    thought = Search().think(position, Deadline(None))
    exact = _minimax(position)
    position.play(thought.move)
    after = -_minimax(position)
    assert (after > 0, after < 0) == (exact > 0, exact < 0)
    if thought.depth:
        assert (thought.value > 0, thought.value < 0) == (exact > 0, exact < 0)


def test_tic_tac_toe_is_a_draw() -> None:
    assert _minimax(LinePosition(3, 3, 3)) == 0


QUIET = padded(draw("""
    . . . . . . .
    . . O . X . .
    . . . X . . .
    . . O X O . .
    . . . O X . .
    . . . . . . ."""))


def _quiet_line_position() -> LinePosition:
    position = LinePosition(15, 15, 5)
    position.set_up(QUIET.stones, BLACK)
    return position


@pytest.mark.parametrize("make", [_quiet_line_position, lambda: _random_reversi(8, 40, 1)], ids=["gobang", "reversi"])
def test_interrupted_at_every_node(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alphabeta, "CHECK_NODES", 0)
    fresh = make()
    key, legal = fresh.key, fresh.moves()
    search = Search()
    for last in range(1, 400):
        position = make()
        thought = search.think(position, StopsAt(last), 4)
        assert thought.move in legal
        assert thought.nodes <= last
        assert (position.key, position.history) == (key, [])


class _Corridor:
    """A game with a choice at the first move only: after it one reply follows another, for ever."""

    few, margins, shallower = 1, ((0, -alphabeta.NEVER),), ()
    reductions, fallen = alphabeta.late_move_reductions(1.6), None

    def __init__(self) -> None:
        self.history: list[int] = []
        self.longest = 0

    key = property(lambda self: hash(tuple(self.history)))

    def outcome(self) -> None:
        return None

    def forced(self) -> bool:
        return bool(self.history)

    def moves(self, depth: int = 0) -> list[int]:
        return [1] if self.history else [1, 2]

    def root_moves(self, deadline: Deadline) -> list[int]:
        return self.moves()

    def escapes(self, moves: list[int], deadline: Deadline) -> list[int]:
        return []

    def forced_win(self, depth: int, deadline: Deadline) -> int:
        return 0

    def forced_line(self, deadline: Deadline) -> list[int]:
        return []

    def plies_left(self) -> int:
        return 200

    def evaluate(self, low: int, high: int) -> int:
        return 0

    def play(self, move: int) -> None:
        self.history.append(move)
        self.longest = max(self.longest, len(self.history))

    def undo(self) -> None:
        self.history.pop()


@pytest.mark.parametrize("depth", [1, 2, 5, 20])
def test_forced_replies_lengthen_a_line_only_so_far(depth: int) -> None:
    game = _Corridor()
    assert Search().think(game, Deadline(None), depth).depth == depth
    assert game.longest == depth + alphabeta.EXTRA_PLIES


def test_same_nodes_same_thought() -> None:
    thoughts = [Search().think(_quiet_line_position(), Deadline(None, nodes=2000)) for _ in range(2)]
    assert thoughts[0][:5] == thoughts[1][:5]
    assert 200 <= thoughts[0].nodes < 2000 + alphabeta.CHECK_NODES + 1         # looks for threats count, too


# name -> plies within which X to move must see the win, drawing with the winning cells marked *.
TACTICS = {
    "a four, then four and open three": (1, """
        . . . O . . . . . . .
        O X X X * * . . . . .
        . . . . . X . X . . .
        . . . . . . X X . . .
        . . . . . . . . . . .
        . . O . . . . . . . .
        . . . . . O . . . O .
        . . . . . . . . . . ."""),
    "two open threes against a four": (3, """
        . . . . . . . .
        . . . X . . . .
        . . . X . . . .
        . X X * . . . .
        . . . . . . . .
        . . O . . . . .
        . . . . . . . .
        X O O O . . . ."""),
}


@pytest.mark.parametrize("name", TACTICS)
def test_tactics(name: str) -> None:
    depth, drawing = TACTICS[name]
    drawn = padded(draw(drawing))
    position = LinePosition(15, 15, 5)
    position.set_up(drawn.stones, BLACK)
    thought = Search().think(position, Deadline(None), depth)
    assert thought.value > FORCED
    assert thought.move in drawn.marked


def _playable(position: Any, line: list[int]) -> bool:
    for move in line:
        if move not in position.moves():
            return False
        position.play(move)
    return True


def test_expected_line_can_be_played() -> None:
    thought = Search().think(_quiet_line_position(), Deadline(None), 5)
    assert thought.line[0] == thought.move
    assert len(thought.line) > 1
    assert _playable(_quiet_line_position(), thought.line)


def test_no_moves_is_an_error() -> None:
    position = LinePosition(3, 3, 3)
    position.set_up(draw("XOX/XOO/OXX").stones, BLACK)
    with pytest.raises(ValueError, match="no moves"):
        Search().think(position, Deadline(None))


def test_what_a_deeper_search_has_found_is_kept() -> None:
    position, search = _quiet_line_position(), Search()
    search.think(position, Deadline(None), 1)
    deep = (5, UPPER, FORCED, -1)                           # says nothing about the window
    search.table.put(position.key, deep)
    search._search(2, -1, 0, 1)
    assert search.table.get(position.key) == deep
    search._search(6, -1, 0, 1)
    assert search.table.get(position.key)[0] == 6


def test_ground_is_lost_in_one_line() -> None:
    """What the lines were worth at the mover's last turn is never that of another line."""
    position = _quiet_line_position()
    asked = set()

    class Values(list):
        """By ply, each with the moves that led to it."""

        def __setitem__(self, ply: Any, value: int) -> None:
            super().__setitem__(ply, (value, [entry[0] for entry in position.history]))

        def __getitem__(self, ply: Any) -> int:
            value, line = super().__getitem__(ply)
            assert line == [entry[0] for entry in position.history][:ply]
            asked.add(ply)
            return value

    class Watched(Search):
        values = property(lambda self: self.by_ply, lambda self, blank: setattr(self, "by_ply", Values(blank)))

    Watched().think(position, Deadline(None), 7)
    assert max(asked) > 3


def test_deadline_in_seconds() -> None:
    with pytest.raises(TimeUp):
        Deadline(0.0).check(0)
    Deadline(60.0).check(0)
    assert Deadline(1.0).elapsed() >= 0


def test_what_is_left_of_the_time_is_used_however_little() -> None:
    """As after a solver that has taken its share in vain."""
    position = _random_reversi(8, 24, 1)
    assert Search().think(position, Deadline(60.0, started=time.perf_counter() - 50), 3).depth == 3


def test_shallow_cuts_save_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = {}
    for name, shallower in (("without", ()), ("none at any depth", ((0, 0),) * 8), ("with", ReversiPosition.shallower)):
        monkeypatch.setattr(ReversiPosition, "shallower", shallower)
        nodes[name] = sum(Search().think(_random_reversi(8, 24, seed), Deadline(None), 6).nodes for seed in range(4))
    assert nodes["with"] < nodes["without"] == nodes["none at any depth"]


@pytest.mark.parametrize("seed", range(6))
def test_a_shallow_cut_is_what_the_shallow_search_says(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    margin = 40
    monkeypatch.setattr(ReversiPosition, "shallower", ((0, 0), (0, 0), (0, 0), (1, margin)))
    search = Search()
    search.position = _random_reversi(8, 30, seed)
    search.reduce, search.last_ply, search.killers = False, 20, [[-1, -1] for _ in range(30)]
    value = search._search(1, -alphabeta.INFINITE, alphabeta.INFINITE, 1)
    above, below = value - margin - 1, value + margin
    assert [search._shallow_cut(3, alpha, 1) for alpha in (above - 1, above)] == [above, above + 1]
    assert [search._shallow_cut(3, alpha, 1) for alpha in (below, below + 1)] == [below, below + 1]
    assert [search._shallow_cut(3, alpha, 1) for alpha in (above + 1, value, below - 1)] == [None] * 3
    assert search._shallow_cut(2, above, 1) is None
