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
from submission.search.deepening import Search, Thought
from submission.variant import K_IN_A_ROW, Variant
from tests.submission.open_threes import OpenThrees
from tests.workshop.native.positions import GOBANG, OTHER_SHAPES, Placed, Shape
from tests.workshop.native.test_native_threats import playable
from workshop.native.k_in_a_row import NativePosition
from workshop.native.search import NativeSearch, native_engine_for

FEW, MANY = 5, 500


def asked(search: Any, position: Any, placed: Placed, nodes: int | None, depth: int | None) -> tuple[Any, ...]:
    """What a search answers, without the seconds, and the nodes of its threat searches."""
    position.set_up(*placed)
    deadline = Deadline(None, nodes)
    thought = search.think(position, deadline, depth)
    return (*without_seconds(thought), deadline.spent)


def asked_for_lines(
    search: Any, position: Any, placed: Placed, nodes: int | None, depth: int | None, lines: int
) -> list[Thought]:
    """What a search answers with several lines, without the seconds."""
    position.set_up(*placed)
    return [without_seconds(thought) for thought in search.analyse(position, Deadline(None, nodes), depth, lines)]


def agreed(reference: Any, mirror: Any, placed: Placed) -> str:
    """The source of the answer that both engines give."""
    for engine in (reference, mirror):
        engine.set_up(*placed)
    ours, theirs = (without_seconds(engine.think(Limits(nodes=500))) for engine in (reference, mirror))
    assert ours == theirs
    return ours.source


def without_seconds(thought: Thought) -> Thought:
    return thought._replace(seconds=0.0)


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


def wrong_searches(
    shape: Shape,
    placed: list[Placed],
    limits: list[tuple[int | None, int | None]],
    parameters: KInARowParameters | None = None,
) -> list[Placed]:
    """The positions for which new searches differ; the limits (nodes, depth) in turn."""
    wrong = []
    reference, mirror = KInARowPosition(*shape, parameters), NativePosition(*shape, parameters)
    for number, each in enumerate(placed):
        nodes, depth = limits[number % len(limits)]
        reference.threats.forget()
        mirror.threats.forget()
        if asked(Search(), reference, each, nodes, depth) != asked(NativeSearch(), mirror, each, nodes, depth):
            wrong.append(each)
    return wrong


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_at_fixed_nodes(count: int) -> None:
    limits = [(nodes, None) for nodes in (1, 100, 777, 2000, 5000, 20000)]
    assert wrong_searches(GOBANG, with_choice(GOBANG, count, count), limits) == []


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_at_a_fixed_depth(count: int) -> None:
    limits = [(None, depth) for depth in (1, 2, 3, 5, 7)]
    assert wrong_searches(GOBANG, with_choice(GOBANG, count, count + 1), limits) == []


@pytest.mark.parametrize("shape", [shape for shape in OTHER_SHAPES if shape.values[0].k > 2])
def test_on_other_boards(shape: Shape) -> None:
    assert wrong_searches(shape, with_choice(shape, 2, 2), [(1000, None), (None, 4)]) == []


def test_a_search_to_the_end() -> None:
    """With few cells left nothing is pruned or reduced; tic-tac-toe is a draw."""
    empty = Placed(bytes(9), 0)
    assert wrong_searches(Shape(3, 3, 3), [empty], [(None, None)]) == []
    thought = asked(NativeSearch(), NativePosition(3, 3, 3), Placed(bytes(4) + b"\1" + bytes(4), 1), None, None)
    assert thought[1:3] == (0, 8)


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


@pytest.mark.parametrize("count, nodes", [(1, 300), pytest.param(5, 1200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("options", PARAMETERS, ids=str)
def test_with_other_parameters(options: dict[str, Any], count: int, nodes: int) -> None:
    parameters = KInARowParameters().changed(**options)
    assert wrong_searches(GOBANG, with_choice(GOBANG, count, 3), [(nodes, None)], parameters) == []


def test_every_parameter_is_tried() -> None:
    """A new parameter must be mirrored, and entered above."""
    tried = {name for options in PARAMETERS for name in options}
    assert tried == set(KInARowParameters.names())


def test_another_evaluator_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EVALUATORS, "open_threes", OpenThrees)
    with pytest.raises(ValueError, match="'lines' and 'network', not 'open_threes'"):
        NativePosition(*GOBANG, KInARowParameters(evaluator="open_threes"))


def test_the_tables_are_kept_from_move_to_move() -> None:
    """Whole games: each search finds what the ones before it have stored, threats included, in a small table, too."""
    noise = random.Random(8)
    for entries in (100, 40000):
        parameters = KInARowParameters(table_entries=entries)
        reference, mirror = KInARowPosition(*GOBANG, parameters), NativePosition(*GOBANG, parameters)
        searches = Search(), NativeSearch()
        stones, side = bytearray(GOBANG.cells), 0
        for _ in range(12):
            placed = Placed(bytes(stones), side)
            answers = [
                asked(search, position, placed, 400, None)
                for search, position in zip(searches, (reference, mirror), strict=True)
            ]
            assert answers[0] == answers[1]
            if reference.outcome() is not None:
                break
            move = answers[0][0] if noise.random() < 0.9 else noise.choice(reference.moves()[:6])
            stones[move] = 1 + side
            side = 1 - side


def test_several_lines() -> None:
    reference, mirror = KInARowPosition(*GOBANG), NativePosition(*GOBANG)
    searches = Search(), NativeSearch()
    for placed in with_choice(GOBANG, 3, 5):
        for lines, nodes, depth in ((1, 700, None), (3, 2000, None), (3, 20, None), (8, None, 3), (300, 3000, None)):
            ours, theirs = (
                asked_for_lines(search, position, placed, nodes, depth, lines)
                for search, position in zip(searches, (reference, mirror), strict=True)
            )
            assert ours == theirs


def test_the_engine() -> None:
    """The engines answer alike: from the book, inside the proof, where a game is decided, and by search."""
    variant = Variant(K_IN_A_ROW, 15, 15, 5)
    reference, mirror = engine_for(variant), native_engine_for(variant)
    placed = [Placed(bytes(225), 0), *(every := list(playable(GOBANG, 150, 6)))[:9], *every[3::43]]
    assert {agreed(reference, mirror, each) for each in placed} == {"book", "proof", "threats", "search"}
    reference.new_game()
    mirror.new_game()
    assert without_seconds(mirror.think(Limits(depth=2))) == without_seconds(reference.think(Limits(depth=2)))
    mirror.close()


def test_the_seconds_end_a_search() -> None:
    thought = NativeSearch().think(NativePosition(*GOBANG), Deadline(0.05))
    assert thought.move == 112  # the only candidate of an empty board
    position = NativePosition(*GOBANG)
    position.play(112)
    thought = NativeSearch().think(position, Deadline(0.05))
    assert thought.nodes > 1000
    assert 0.04 < thought.seconds < 1


def test_wrong_use_is_refused() -> None:
    position, search = NativePosition(3, 3, 3), NativeSearch()
    position.set_up(b"\1\2\1\1\2\2\2\1\1", 0)
    with pytest.raises(ValueError, match="no moves"):
        search.think(position, Deadline(None, 100))
    with pytest.raises(ValueError, match="no progress"):
        search.think(NativePosition(*GOBANG), Deadline(None, 100), None, lambda thoughts: False)
    with pytest.raises(ValueError, match="does not play"):
        native_engine_for(Variant("chess", 8, 8))
