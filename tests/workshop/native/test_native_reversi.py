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
from tests.workshop.native.compared import Bounds, Placed, agreed_source, answer, differing_searches, lines
from workshop.native.reversi import SIZES, NativeReversiPosition, NativeSolver, stones_of
from workshop.native.search import NativeSearch, native_engine_for

SITE = [8, 10]
FEW, MANY = 30, 10000  # positions
SOME, MOST = 12, 1000  # searches
BOUNDS: list[Bounds] = [*((nodes, None) for nodes in (1, 300, 1000, 4000)), *((None, depth) for depth in (1, 2, 4, 5))]


def games(n: int, count: int, seed: int) -> Iterator[Placed]:
    """Positions of random games, ends included; every tenth has random discs instead, which no game reaches."""
    rng = random.Random(seed)
    found = 0
    while True:
        position = ReversiPosition.start(n)
        while True:
            moves, stones = position.moves(), stones_of(position)
            if rng.random() < 0.1:
                stones = bytes(rng.choice((0, 1, 2)) if rng.random() < 0.9 else 0 for _ in range(n * n))
            yield Placed(stones, position.side)
            found += 1
            if found == count:
                return
            if not moves:
                break
            position.play(moves[0] if rng.random() < 0.5 else rng.choice(moves))


@cache
def with_moves(n: int, count: int, seed: int, most: int = 1000) -> list[Placed]:
    """Positions with a choice and with at most `most` free cells."""
    found = []
    for placed in games(n, 1000 * count, seed):
        if placed.stones.count(0) <= most and set(placed.stones) >= {1, 2}:
            position = ReversiPosition.from_stones(placed.stones, n, placed.side)
            if len(position.moves()) > 1:
                found.append(placed)
                if len(found) == count:
                    break
    return found


def differing(
    n: int, placed: list[Placed], bounds: list[Bounds], parameters: ReversiParameters | None = None
) -> list[Placed]:
    both = ReversiPosition(n, parameters), NativeReversiPosition(n, parameters)
    return differing_searches(both, (ReversiSearch, lambda: NativeSearch(n)), placed, bounds)


def figures(position: Any) -> dict[str, Any]:
    return {
        "key": position.key, "discs": position.discs, "legal": [position.legal_cells(side) for side in (0, 1)],
        "outcome": position.outcome(), "forced": position.forced(), "quiet": position.quiet(),
        "plies left": position.plies_left(), "value": position.evaluate(), "margin": position.probcut_margin(),
        "moves": [position.moves(depth) for depth in (0, 2, 3, 9)],
    }  # fmt: skip


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize("n", SIZES)
def test_all_figures_are_equal(n: int, count: int) -> None:
    both = ReversiPosition(n), NativeReversiPosition(n)
    for placed in games(n, count, seed=count):
        for position in both:
            position.set_up(*placed)
        assert figures(both[0]) == figures(both[1]), placed


@pytest.mark.parametrize("n", [4, 8])
def test_play_and_undo(n: int) -> None:
    rng = random.Random(n)
    reference, mirror = both = ReversiPosition.start(n), NativeReversiPosition(n)
    mirror.set_up(stones_of(reference), 0)
    played = passes = 0
    for _ in range(200):
        moves = reference.moves()
        if moves and (not played or rng.random() < 0.7):
            move = rng.choice(moves)
            for position in both:
                position.play(move)
            played += 1
            passes += move == PASS
        else:
            for position in both:
                position.undo()
            played -= 1
        assert figures(reference) == figures(mirror)
    assert passes or n > 6


@pytest.mark.parametrize("count", [SOME, pytest.param(MOST, marks=pytest.mark.long)])
@pytest.mark.parametrize("n", SITE)
def test_searches_at_fixed_nodes_and_at_a_fixed_depth(n: int, count: int) -> None:
    assert differing(n, with_moves(n, count, seed=count), BOUNDS) == []


@pytest.mark.parametrize("n", [4, 6])
def test_other_sizes(n: int) -> None:
    assert differing(n, with_moves(n, SOME // 2, seed=1), [(2000, None), (None, 4)]) == []


PARAMETERS: list[dict[str, Any]] = [
    {"killers": False}, {"null_window": False}, {"lmr": False}, {"lmr_divisor": 0.8}, {"iir_depth": 3},
    {"improving_plies": 2, "improving_depth": 2}, {"forced_replies": 3}, {"extension_plies": 2}, {"table_entries": 60},
    {"futility": False}, {"razoring": False}, {"probcut_depths": "0/0/0/1/2"}, {"probcut_margin": 1.3},
    {"ordered_depth": 1}, {"reply_rank": 5}, {"valued_depth": 2}, {"value_rank": 7},
    {"few_discs": 20}, {"solver_empties": 10, "solver_only_empties": 6}, {"solver_share": 0.2}, {"solver_entries": 40},
]  # fmt: skip


@pytest.mark.parametrize("options", PARAMETERS, ids=str)
def test_with_other_parameters(options: dict[str, Any]) -> None:
    positions = with_moves(8, 3, seed=3) + with_moves(8, 3, seed=4, most=18)
    assert differing(8, positions, [(1500, None)], ReversiParameters().changed(**options)) == []


def test_every_parameter_is_tried() -> None:
    tried = {name for options in PARAMETERS for name in options}
    assert tried == set(ReversiParameters.names()) - {"evaluator"}


@pytest.mark.parametrize("nodes", [None, 500])
@pytest.mark.parametrize("n", SITE)
def test_the_endgame_solver(n: int, nodes: int | None) -> None:
    """Move, bounds and nodes are equal; the tables are kept, also small ones."""
    for entries in (30, 20000):
        reference, mirror = Solver(n, entries), NativeSolver(n, entries)
        position = NativeReversiPosition(n)
        for placed in with_moves(n, 3, seed=5, most=11 if nodes is None else 15):
            position.set_up(*placed)
            ours = reference.solve(*position.discs, placed.side, Deadline(None, nodes))
            assert mirror.solve(position, nodes or 0) == ours._replace(seconds=0.0)


@pytest.mark.parametrize("n", [6, *SITE])
def test_the_tables_are_kept_from_move_to_move(n: int) -> None:
    reference, mirror, search, compiled = ReversiPosition(n), NativeReversiPosition(n), ReversiSearch(), NativeSearch(n)
    position = ReversiPosition.start(n)
    while moves := position.moves():
        placed = Placed(stones_of(position), position.side)
        found = answer(search, reference, placed, (250, None))
        assert answer(compiled, mirror, placed, (250, None)) == found
        assert found[0].move in moves
        position.play(found[0].move)
    assert position.outcome() is not None


def test_several_lines() -> None:
    reference, mirror, search, compiled = ReversiPosition(8), NativeReversiPosition(8), ReversiSearch(), NativeSearch(8)
    for placed in with_moves(8, 3, seed=6) + with_moves(8, 3, seed=7, most=12):
        for many, nodes, depth in ((3, 1000, None), (2, None, 3), (99, 3000, None)):
            expected = lines(search, reference, placed, (nodes, depth), many)
            assert lines(compiled, mirror, placed, (nodes, depth), many) == expected


def test_the_engine() -> None:
    variant = Variant(REVERSI, 8, 8)
    reference, mirror = engine_for(variant), native_engine_for(variant)
    sources = set()
    for placed in with_moves(8, 10, seed=8) + with_moves(8, 5, seed=9, most=9):
        sources.add(agreed_source(reference, mirror, placed))
    assert sources == {"search", "solver"}


def test_wrong_use_is_refused() -> None:
    for n in (5, 12, 26):
        with pytest.raises(ValueError, match="4, 6, 8, 10"):
            NativeReversiPosition(n)
    position = NativeReversiPosition(8)
    for stones, side in ((bytes(64), 2), (bytes(64), -1), (bytes([3] * 64), 0)):
        with pytest.raises(ValueError, match="a side is 0 or 1"):
            position.set_up(stones, side)
    for move in (0, PASS, 64):
        with pytest.raises(ValueError, match="not a legal move"):
            position.play(move)
    with pytest.raises(ValueError, match="no move"):
        position.undo()
