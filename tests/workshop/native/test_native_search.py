"""The compiled search equals the Python one node for node: move, value, depth, nodes, principal variation, source."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from submission.engine import engine_for
from submission.k_in_a_row.parameters import EVALUATORS, KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.search.clock import Deadline, Limits
from submission.search.deepening import Search
from submission.variant import K_IN_A_ROW, NO_MOVE, Variant
from tests.submission.open_threes import OpenThrees
from tests.workshop.native.compared import (
    GOBANG,
    OTHER_SHAPES,
    Bounds,
    Placed,
    Shape,
    agreed_source,
    answer,
    differing_searches,
    lines,
    playable,
)
from workshop.native.k_in_a_row import NativePosition
from workshop.native.search import NativeSearch, native_engine_for

FEW, MANY = 6, 500
BOUNDS: list[Bounds] = [*((nodes, None) for nodes in (1, 100, 777, 2000, 5000, 20000)),
                        *((None, depth) for depth in (1, 2, 3, 5, 7))]  # fmt: skip


@cache
def with_choice(shape: Shape, count: int, seed: int) -> list[Placed]:
    """Positions in which there is something to search."""
    position, found = NativePosition(*shape), []
    for placed in playable(shape, 100 * count, seed):
        position.set_up(*placed)
        if position.outcome() is None and len(position.moves()) > 1:
            found.append(placed)
            if len(found) == count:
                break
    return found


def differing(
    shape: Shape, placed: list[Placed], bounds: list[Bounds], parameters: KInARowParameters | None = None
) -> list[Placed]:
    both = KInARowPosition(*shape, parameters), NativePosition(*shape, parameters)
    return differing_searches(both, (Search, NativeSearch), placed, bounds)


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_at_fixed_nodes_and_at_a_fixed_depth(count: int) -> None:
    assert differing(GOBANG, with_choice(GOBANG, 2 * count, count), BOUNDS) == []


@pytest.mark.parametrize("shape", OTHER_SHAPES)
def test_on_other_boards(shape: Shape) -> None:
    assert differing(shape, with_choice(shape, 2, 2), [(1000, None), (None, 4)]) == []


def test_a_search_to_the_end() -> None:
    """With few cells left nothing is pruned or reduced; tic-tac-toe is a draw."""
    assert differing(Shape(3, 3, 3), [Placed(bytes(9), 0)], [(None, None)]) == []
    middle = Placed(bytes(4) + b"\1" + bytes(4), 1)
    thought, _ = answer(NativeSearch(), NativePosition(3, 3, 3), middle, (None, None))
    assert (thought.value, thought.depth) == (0, 8)


PARAMETERS: list[dict[str, Any]] = [
    {"killers": False}, {"null_window": False}, {"lmr": False}, {"lmr_divisor": 0.7}, {"iir_depth": 2},
    {"improving_plies": 0}, {"improving_plies": 3, "improving_depth": 1}, {"forced_replies": 0},
    {"extension_plies": 0}, {"extension_plies": 40}, {"futility": False}, {"razoring": False}, {"table_entries": 50},
    {"lazy_evaluation": False}, {"root_candidates": 5}, {"candidates": "3/20"}, {"learnt_order": False},
    {"fours_in_candidates": False}, {"root_nodes": 0}, {"root_share": 1.0}, {"vcf_nodes": 3},
    {"vcf_depth": 0}, {"vcf_depth": 5},
    {"vct_nodes": "50/400"}, {"vct_effort": 5}, {"effort_from_value": False}, {"hold_nodes": 0},
    {"evaluator": "lines"}, {"hold_share": 0.3, "hold_part": 3}, {"defence_nodes": 0}, {"defence_nodes": 3000},
]  # fmt: skip


@pytest.mark.parametrize("options", PARAMETERS, ids=str)
def test_with_other_parameters(options: dict[str, Any]) -> None:
    parameters = KInARowParameters().changed(**options)
    assert differing(GOBANG, with_choice(GOBANG, 4, 3), [(1200, None)], parameters) == []


def test_every_parameter_is_tried() -> None:
    """A new parameter must be built into the C++ engine, too, and added to PARAMETERS above."""
    assert {name for options in PARAMETERS for name in options} == set(KInARowParameters.names())


def test_the_tables_are_kept_from_move_to_move() -> None:
    """Whole games: each search finds the results of the searches before it, also in a small table."""
    rng = random.Random(8)
    for entries in (100, 40000):
        parameters = KInARowParameters(table_entries=entries)
        reference, mirror = KInARowPosition(*GOBANG, parameters), NativePosition(*GOBANG, parameters)
        search, compiled = Search(), NativeSearch()
        stones, side = bytearray(GOBANG.cells), 0
        for _ in range(12):
            placed = Placed(bytes(stones), side)
            found = answer(search, reference, placed, (400, None))
            assert answer(compiled, mirror, placed, (400, None)) == found
            if reference.outcome() is not None:
                break
            move = found[0].move if rng.random() < 0.9 else rng.choice(reference.moves()[:6])
            stones[move] = 1 + side
            side = 1 - side


def test_several_lines() -> None:
    reference, mirror, search, compiled = KInARowPosition(*GOBANG), NativePosition(*GOBANG), Search(), NativeSearch()
    for placed in with_choice(GOBANG, 3, 5):
        for many, nodes, depth in ((1, 700, None), (3, 2000, None), (3, 20, None), (8, None, 3), (300, 3000, None)):
            expected = lines(search, reference, placed, (nodes, depth), many)
            assert lines(compiled, mirror, placed, (nodes, depth), many) == expected


def test_the_engine() -> None:
    """The engines answer alike: from the book, inside the proof, where a game is decided, and by search."""
    variant = Variant(K_IN_A_ROW, 15, 15, 5)
    reference, mirror = engine_for(variant), native_engine_for(variant)
    placed = [Placed(bytes(225), 0), *(every := list(playable(GOBANG, 150, 6)))[:9], *every[3::20]]
    sources = {agreed_source(reference, mirror, each) for each in placed}
    assert sources == {"book", "proof", "threats", "search"}
    reference.new_game()
    mirror.new_game()
    start = bytes(225), 0, Limits(depth=2)
    ours, theirs = (engine.think(*start)._replace(seconds=0.0) for engine in (reference, mirror))
    assert ours == theirs
    mirror.close()


def test_the_seconds_end_a_search() -> None:
    position = NativePosition(*GOBANG)
    assert NativeSearch().think(position, Deadline(0.05)).move == 112  # the only candidate of an empty board
    position.play(112)
    thought = NativeSearch().think(position, Deadline(0.05))
    assert thought.nodes > 1000 and 0.04 < thought.seconds < 1


def test_wrong_use_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    position, search = NativePosition(3, 3, 3), NativeSearch()
    position.set_up(b"\1\2\1\1\2\2\2\1\1", 0)
    assert search.think(position, Deadline(None, 100)).move == NO_MOVE
    assert search.analyse(position, Deadline(None, 100)) == []
    with pytest.raises(ValueError, match="no progress"):
        search.think(NativePosition(*GOBANG), Deadline(None, 100), None, lambda thoughts: False)
    with pytest.raises(ValueError, match="does not play"):
        native_engine_for(Variant("chess", 8, 8))
    monkeypatch.setitem(EVALUATORS, "open_threes", OpenThrees)
    with pytest.raises(ValueError, match="'lines' and 'network', not 'open_threes'"):
        NativePosition(*GOBANG, KInARowParameters(evaluator="open_threes"))
