"""The search against plain minimax, under interruption at every node, and on games small enough to be solved."""

from __future__ import annotations

import random
import time
from typing import Any, Dict, Optional

import pytest

from submission.k_in_a_row.position import KInARowPosition
from submission.lines import BLACK
from submission.reversi.parameters import ReversiParameters
from submission.reversi.position import ReversiPosition
from submission.search import alphabeta
from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.parameters import SearchParameters
from submission.search.searchable import PROVED_WIN, WIN, Tactics
from submission.search.table import UPPER

from .boards import draw, padded
from .interruption import StopsAt


def _minimax(position: Any, known: Optional[Dict[frozenset, int]] = None) -> int:
    """Value of a position by looking at every line to its end; a win counts less the longer it takes.

    known: at k in a row, the values of positions that were looked at, by the moves since the first one.
    """
    outcome = position.outcome()
    if outcome is not None:
        return outcome
    if known is not None:
        stones = frozenset((number % 2, entry[0]) for number, entry in enumerate(position.history))
        if stones in known:
            return known[stones]
    best = -WIN
    for move in position.moves():
        position.play(move)
        value = -_minimax(position, known)
        position.undo()
        if abs(value) > PROVED_WIN:
            value += -1 if value > 0 else 1
        best = max(best, value)
    if known is not None:
        known[stones] = best
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


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n, free", [(4, 8), (6, 6), (8, 6)])
def test_exact_disc_difference_at_the_end(n: int, free: int, seed: int) -> None:
    position = _random_reversi(n, free, seed)
    thought = Search().think(position, Deadline(None))
    exact = _minimax(position)
    if len(position.moves()) > 1:
        assert thought.value == exact
    position.play(thought.move)
    assert -_minimax(position) == exact


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rows, cols, k, stones", [(3, 3, 3, 2), (4, 4, 4, 8), (4, 3, 3, 4), (5, 5, 4, 16)])
def test_small_k_in_a_row_games_are_solved(rows: int, cols: int, k: int, stones: int, seed: int) -> None:
    noise = random.Random(seed)
    position = KInARowPosition(rows, cols, k)
    while bin(position.occupied).count("1") < stones and position.outcome() is None:
        position.play(noise.choice(position.moves()))
    thought = Search().think(position, Deadline(None))
    known: Dict[frozenset, int] = {}
    exact = _minimax(position, known)
    position.play(thought.move)
    after = -_minimax(position, known)
    assert (after > 0, after < 0) == (exact > 0, exact < 0)
    if thought.depth:
        assert (thought.value > 0, thought.value < 0) == (exact > 0, exact < 0)


def test_tic_tac_toe_is_a_draw() -> None:
    assert _minimax(KInARowPosition(3, 3, 3), {}) == 0


QUIET = padded(
    draw("""
    . . . . . . .
    . . O . X . .
    . . . X . . .
    . . O X O . .
    . . . O X . .
    . . . . . . .""")
)


def _quiet_position() -> KInARowPosition:
    position = KInARowPosition(15, 15, 5)
    position.set_up(QUIET.stones, BLACK)
    return position


@pytest.mark.parametrize("make", [_quiet_position, lambda: _random_reversi(8, 40, 1)], ids=["gobang", "reversi"])
def test_interrupted_at_every_node(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alphabeta, "CHECK_MASK", 0)
    fresh = make()
    key, legal = fresh.key, fresh.moves()
    search = Search()
    for last in (*range(1, 50), *range(50, 400, 17)):
        position = make()
        thought = search.think(position, StopsAt(last), 4)
        assert thought.move in legal
        assert thought.nodes <= last
        assert 0 <= thought.depth <= min(last - 1, 4)
        assert (position.key, position.history) == (key, [])


class _Corridor(Tactics):
    """A game with a choice at the first move only: after it one reply follows another, for ever."""

    def __init__(self) -> None:
        self.line: list[int] = []
        self.longest = 0

    key = property(lambda self: hash(tuple(self.line)))

    def outcome(self) -> None:
        return None

    def forced(self) -> bool:
        return bool(self.line)

    def moves(self, depth: int = 0) -> list[int]:
        return [1] if self.line else [1, 2]

    def evaluate(self, alpha: int, beta: int) -> int:
        return 0

    def play(self, move: int) -> None:
        self.line.append(move)
        self.longest = max(self.longest, len(self.line))

    def undo(self) -> None:
        self.line.pop()


class _Nim:
    """The smallest game: take one, two or three; who takes the last one wins. Nothing but the core."""

    def __init__(self, left: int) -> None:
        self.left, self.taken = left, []

    key = property(lambda self: self.left * 2 + len(self.taken) % 2)
    outcome = lambda self: None if self.left else -WIN  # noqa: E731
    moves = lambda self, depth=0: [move for move in (1, 2, 3) if move <= self.left]  # noqa: E731
    evaluate = lambda self, alpha, beta: 0  # noqa: E731

    def play(self, move: int) -> None:
        self.left -= move
        self.taken.append(move)

    def undo(self) -> None:
        self.left += self.taken.pop()


@pytest.mark.parametrize("left", range(2, 16))
def test_a_game_of_the_core_alone_is_searched(left: int) -> None:
    thought = Search().think(_Nim(left), Deadline(None), 16)
    assert (thought.value > PROVED_WIN, thought.value < -PROVED_WIN) == (left % 4 > 0, left % 4 == 0)
    assert thought.move == left % 4 or left % 4 == 0
    assert thought.depth <= left  # no deeper than the proof


@pytest.mark.parametrize("depth", [1, 2, 5, 20])
def test_forced_replies_lengthen_a_line_only_so_far(depth: int) -> None:
    game = _Corridor()
    assert Search().think(game, Deadline(None), depth).depth == depth
    assert game.longest == depth + SearchParameters().extension_plies


def test_same_nodes_same_thought() -> None:
    thoughts = [Search().think(_quiet_position(), Deadline(None, nodes=2000)) for _ in range(2)]
    assert thoughts[0][:5] == thoughts[1][:5]
    assert 200 <= thoughts[0].nodes < 2000 + alphabeta.CHECK_MASK + 1  # looks for threats count, too


# name -> plies within which X to move must see the win, drawing with the winning cells marked *.
TACTICS = {
    "a four, then four and open three": (
        1,
        """
        . . . O . . . . . . .
        O X X X * * . . . . .
        . . . . . X . X . . .
        . . . . . . X X . . .
        . . . . . . . . . . .
        . . O . . . . . . . .
        . . . . . O . . . O .
        . . . . . . . . . . .""",
    ),
    "two open threes against a four": (
        3,
        """
        . . . . . . . .
        . . . X . . . .
        . . . X . . . .
        . X X * . . . .
        . . . . . . . .
        . . O . . . . .
        . . . . . . . .
        X O O O . . . .""",
    ),
}


@pytest.mark.parametrize("name", TACTICS)
def test_tactics(name: str) -> None:
    depth, drawing = TACTICS[name]
    drawn = padded(draw(drawing))
    position = KInARowPosition(15, 15, 5)
    position.set_up(drawn.stones, BLACK)
    thought = Search().think(position, Deadline(None), depth)
    assert (thought.source, thought.move, thought.value) == ("threats", thought.pv[0], WIN - len(thought.pv))
    assert thought.move in drawn.marked


def _playable(position: Any, line: list[int]) -> bool:
    for move in line:
        if move not in position.moves():
            return False
        position.play(move)
    return True


def test_what_a_deeper_search_has_found_is_kept() -> None:
    position, search = _quiet_position(), Search()
    search.think(position, Deadline(None), 1)
    deep = (5, UPPER, PROVED_WIN, position.moves()[0])  # says nothing about the window
    search.table.put(position.key, deep)
    search._search(2, -1, 0, 1)
    assert search.table.get(position.key) == deep
    search._search(6, -1, 0, 1)
    assert search.table.get(position.key)[0] == 6


def test_ground_is_lost_in_one_line() -> None:
    """What the lines were worth at the mover's last turn is never that of another line."""
    position = _quiet_position()
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
        quick_values = property(lambda self: self.by_ply, lambda self, blank: setattr(self, "by_ply", Values(blank)))

    Watched().think(position, Deadline(None), 7)
    assert max(asked) > 3


def test_what_is_left_of_the_time_is_used_however_little() -> None:
    """As after a solver that has taken its share in vain."""
    position = _random_reversi(8, 24, 1)
    assert Search().think(position, Deadline(60.0, started=time.perf_counter() - 50), 3).depth == 3


def _cut(depths: tuple[int, ...], margin: float = 0.5) -> ReversiParameters:
    return ReversiParameters(probcut_depths=depths, probcut_margin=margin)


def test_probcut_saves_nodes() -> None:
    nodes = {}
    for name, parameters in (("off", _cut(())), ("no depth", _cut((0,) * 8)), ("on", ReversiParameters())):
        nodes[name] = 0
        for seed in range(2):
            position = ReversiPosition(8, parameters)
            source = _random_reversi(8, 24, seed)
            position.set_discs(*source.discs, source.side)
            nodes[name] += Search().think(position, Deadline(None), 6).nodes
    assert nodes["on"] < nodes["off"] == nodes["no depth"]


@pytest.mark.parametrize("seed", range(6))
def test_probcut_is_what_the_shallow_search_says(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    margin = 40
    position = _random_reversi(8, 30, seed)
    position.probcut_depths = (0, 0, 0, 1)
    monkeypatch.setattr(position, "probcut_margin", lambda: margin)
    search = Search()
    search._prepare(position)
    search.selective, search.last_ply, search.killers = False, 20, [[-1, -1] for _ in range(30)]
    value = search._search(1, -alphabeta.INFINITE, alphabeta.INFINITE, 1)
    static, seen = position.evaluate(), set()
    for alpha in range(min(static, value) - 2 * margin, max(static, value) + 2 * margin):
        bound = alpha + 1 if static > alpha else alpha
        outside = value >= bound + margin if static > alpha else value <= bound - margin
        assert search._probcut(3, alpha, 1) == (bound if outside else None)
        seen.add((outside, static > alpha))
    assert seen >= {(True, True), (True, False)} and len(seen) > 2
    assert search._probcut(2, min(static, value) - 2 * margin, 1) is None
