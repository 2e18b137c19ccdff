"""Compiled Reversi equals the Python one: rules, evaluation, move order, endgame solver and search, node for node."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from submission.engine import engine_for
from submission.reversi.board import PASS
from submission.reversi.endgame import Solver
from submission.reversi.parameters import ReversiParameters
from submission.reversi.position import ReversiPosition
from submission.reversi.search import ReversiSearch
from submission.search.clock import Deadline
from submission.variant import REVERSI, Variant
from tests.workshop.native.positions import Placed
from tests.workshop.native.test_native_search import agreed, asked, asked_for_lines
from workshop.native.reversi import SIZES, NativeReversiPosition, NativeSolver
from workshop.native.search import NativeSearch, native_engine_for

SITE = [8, 10]
FEW, MANY = 30, 10000  # positions
SOME, MOST = 6, 500  # searches


def games(n: int, count: int, seed: int) -> Iterator[Placed]:
    """Positions of random games, ends included; every tenth has random discs instead, which no game reaches."""
    noise = random.Random(seed)
    found = 0
    while True:
        position = ReversiPosition.start(n)
        while True:
            moves = position.moves()
            black, white = position.discs
            stones = bytes(1 if black >> cell & 1 else 2 if white >> cell & 1 else 0 for cell in range(n * n))
            if noise.random() < 0.1:
                stones = bytes(noise.choice((0, 1, 2)) if noise.random() < 0.9 else 0 for _ in range(n * n))
            yield Placed(stones, position.side)
            found += 1
            if found == count:
                return
            if not moves:
                break
            position.play(moves[0] if noise.random() < 0.5 else noise.choice(moves))


@cache
def with_moves(n: int, count: int, seed: int, fewest: int = 0, most: int = 1000) -> list[Placed]:
    """Positions with a choice and with `fewest` to `most` free cells."""
    found = []
    for placed in games(n, 1000 * count, seed):
        if fewest <= placed.stones.count(0) <= most and set(placed.stones) >= {1, 2}:
            position = ReversiPosition.from_stones(placed.stones, n, placed.side)
            if len(position.moves()) > 1:
                found.append(placed)
                if len(found) == count:
                    break
    return found


def facts(position: Any) -> dict[str, Any]:
    return {
        "key": position.key, "discs": position.discs, "legal": [position.legal_cells(side) for side in (0, 1)],
        "outcome": position.outcome(), "forced": position.forced(), "quiet": position.quiet(),
        "plies left": position.plies_left(), "value": position.evaluate(), "margin": position.probcut_margin(),
        "moves": [position.moves(depth) for depth in (0, 2, 3, 9)],
    }  # fmt: skip


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize("n", [pytest.param(n, marks=[] if n in (6, 8) else pytest.mark.slow) for n in SIZES])
def test_all_facts_are_equal(n: int, count: int) -> None:
    both = ReversiPosition(n), NativeReversiPosition(n)
    for placed in games(n, count, seed=count):
        for position in both:
            position.set_up(*placed)
        assert facts(both[0]) == facts(both[1]), placed


@pytest.mark.parametrize("n", [4, 8])
def test_play_and_undo(n: int) -> None:
    noise = random.Random(n)
    reference, mirror = both = ReversiPosition.start(n), NativeReversiPosition(n)
    black, white = reference.discs
    mirror.set_up(bytes(1 if black >> cell & 1 else 2 if white >> cell & 1 else 0 for cell in range(n * n)), 0)
    played = passes = 0
    for _ in range(200):
        moves = reference.moves()
        if moves and (not played or noise.random() < 0.7):
            move = noise.choice(moves)
            for position in both:
                position.play(move)
            played += 1
            passes += move == PASS
        else:
            for position in both:
                position.undo()
            played -= 1
        assert facts(reference) == facts(mirror)
    assert passes or n > 6


@pytest.mark.parametrize("count", [SOME, pytest.param(MOST, marks=pytest.mark.long)])
@pytest.mark.parametrize("n", SITE)
def test_searches_at_fixed_nodes(n: int, count: int) -> None:
    limits = (1, 300, 1000, 4000)
    assert wrong_searches(n, with_moves(n, count, seed=count), [(nodes, None) for nodes in limits]) == []


@pytest.mark.parametrize("count", [SOME, pytest.param(MOST, marks=pytest.mark.long)])
@pytest.mark.parametrize("n", SITE)
def test_searches_at_a_fixed_depth(n: int, count: int) -> None:
    assert wrong_searches(n, with_moves(n, count, seed=count + 1), [(None, depth) for depth in (1, 2, 4, 5)]) == []


@pytest.mark.parametrize("n", [4, 6])
def test_other_sizes(n: int) -> None:
    assert wrong_searches(n, with_moves(n, SOME, seed=1), [(2000, None), (None, 4)]) == []


def wrong_searches(
    n: int,
    positions: list[Placed],
    limits: list[tuple[int | None, int | None]],
    parameters: ReversiParameters | None = None,
) -> list[Placed]:
    wrong = []
    reference, mirror = ReversiPosition(n, parameters), NativeReversiPosition(n, parameters)
    for number, placed in enumerate(positions):
        nodes, depth = limits[number % len(limits)]
        expected = asked(ReversiSearch(), reference, placed, nodes, depth)
        if asked(NativeSearch(n), mirror, placed, nodes, depth) != expected:
            wrong.append(placed)
    return wrong


PARAMETERS: list[dict[str, Any]] = [
    {"killers": False}, {"null_window": False}, {"lmr": False}, {"lmr_divisor": 0.8}, {"iir_depth": 3},
    {"improving_plies": 2, "improving_depth": 2}, {"forced_replies": 3}, {"extension_plies": 2}, {"table_entries": 60},
    {"futility": False}, {"razoring": False}, {"probcut_depths": "0/0/0/1/2"}, {"probcut_margin": 1.3},
    {"ordered_depth": 1}, {"reply_rank": 5}, {"valued_depth": 2}, {"value_rank": 7},
    {"few_discs": 20}, {"solver_empties": 10, "solver_only_empties": 6}, {"solver_share": 0.2}, {"solver_entries": 40},
]  # fmt: skip


@pytest.mark.parametrize("count, nodes", [(2, 300), pytest.param(5, 1500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("options", PARAMETERS, ids=str)
def test_with_other_parameters(options: dict[str, Any], count: int, nodes: int) -> None:
    parameters = ReversiParameters().changed(**options)
    positions = with_moves(8, count, seed=3) + with_moves(8, count, seed=4, most=18)
    assert wrong_searches(8, positions, [(nodes, None)], parameters) == []


def test_every_parameter_is_tried() -> None:
    tried = {name for options in PARAMETERS for name in options}
    assert tried == set(ReversiParameters.names()) - {"evaluator"}


@pytest.mark.parametrize("nodes", [None, 500])
@pytest.mark.parametrize("n", SITE)
def test_the_endgame_solver(n: int, nodes: int | None) -> None:
    """Move, bounds and nodes; the tables are kept, in small tables, too."""
    for entries in (30, 20000):
        reference, mirror = Solver(n, entries), NativeSolver(n, entries)
        position = NativeReversiPosition(n)
        for placed in with_moves(n, 3, seed=5, most=11 if nodes is None else 15):
            position.set_up(*placed)
            ours = reference.solve(*position.discs, placed.side, Deadline(None, nodes))
            assert mirror.solve(position, nodes or 0) == ours._replace(seconds=0.0)


@pytest.mark.parametrize("n", [6, *(pytest.param(n, marks=pytest.mark.slow) for n in SITE)])
def test_the_tables_are_kept_from_move_to_move(n: int) -> None:
    reference, mirror = ReversiPosition(n), NativeReversiPosition(n)
    searches = ReversiSearch(), NativeSearch(n)
    position = ReversiPosition.start(n)
    while moves := position.moves():
        black, white = position.discs
        stones = bytes(1 if black >> cell & 1 else 2 if white >> cell & 1 else 0 for cell in range(n * n))
        answers = [
            asked(search, each, Placed(stones, position.side), 250, None)
            for search, each in zip(searches, (reference, mirror), strict=True)
        ]
        assert answers[0] == answers[1]
        position.play(answers[0][0])
        assert answers[0][0] in moves
    assert position.outcome() is not None


def test_several_lines() -> None:
    reference, mirror = ReversiPosition(8), NativeReversiPosition(8)
    searches = ReversiSearch(), NativeSearch(8)
    for placed in with_moves(8, 3, seed=6) + with_moves(8, 3, seed=7, most=12):
        for lines, nodes, depth in ((3, 1000, None), (2, None, 3), (99, 3000, None)):
            ours, theirs = (
                asked_for_lines(search, position, placed, nodes, depth, lines)
                for search, position in zip(searches, (reference, mirror), strict=True)
            )
            assert ours == theirs


def test_the_engine() -> None:
    variant = Variant(REVERSI, 8, 8)
    reference, mirror = engine_for(variant), native_engine_for(variant)
    sources = set()
    for placed in with_moves(8, 10, seed=8) + with_moves(8, 5, seed=9, most=9):
        sources.add(agreed(reference, mirror, placed))
        assert [mirror.quick_move(side) for side in (0, 1)] == [reference.quick_move(side) for side in (0, 1)]
    assert sources == {"search", "solver"}


def test_wrong_use_is_refused() -> None:
    for n in (5, 12, 26):
        with pytest.raises(ValueError, match="4, 6, 8, 10"):
            NativeReversiPosition(n)
    position = NativeReversiPosition(8)
    with pytest.raises(ValueError, match="64 cells"):
        position.set_up(bytes(9), 0)
    for stones, side in ((bytes(64), 2), (bytes(64), -1), (bytes([3] * 64), 0)):
        with pytest.raises(ValueError, match="a side is 0 or 1"):
            position.set_up(stones, side)
    for move in (0, PASS, 64):
        with pytest.raises(ValueError, match="not a legal move"):
            position.play(move)
    with pytest.raises(ValueError, match="no move"):
        position.undo()
