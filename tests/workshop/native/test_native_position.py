"""The compiled position equals the Python one: masks, values, scores, forced replies and candidates in their order."""

from __future__ import annotations

import random
from typing import Any

import pytest

from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.weights import NO_WEIGHTS, Weights, evaluation_weights
from submission.search.evaluator import INFINITE
from tests.workshop.native.compared import GOBANG, OTHER_SHAPES, SMALL_K, Placed, Shape, positions
from workshop.native.k_in_a_row import NativePosition

FEW, MANY = 60, 10000
DEPTHS = (0, 1, 2, 5, 9, 30)
WINDOWS = ((-INFINITE, INFINITE), (-50, 50), (0, 1), (300, 301), (-900, -899))
OTHER_WEIGHTS = evaluation_weights()._replace(moving=tuple(range(-5, 6)), board=((7, 1), (-30, 5), (99, -98), (3, -2)))


def figures(position: Any) -> dict[str, Any]:
    """All figures of a position; `masks` as KInARowBoard packs them."""
    if isinstance(position, NativePosition):
        totals, crossings = position.masks()
        evaluator: Any = position
    else:
        totals = t0, t1, t2, t3 = position.totals
        crossings, evaluator = t0 & t1 | t2 & t3 | (t0 | t1) & (t2 | t3), position.evaluator
    return {
        "key": position.key, "side": position.side, "masks": totals, "crossings": crossings,
        "outcome": position.outcome(), "forced": position.forced(), "quiet": position.quiet(),
        "plies left": position.plies_left(), "quick value": position.quick_value(),
        "values": [position.evaluate(*window) for window in WINDOWS],
        "effort": [evaluator.effort(attacks) for attacks in (False, True)],
        "moves": [position.moves(depth) for depth in DEPTHS], "scores": position.scores(),
        "best scores": position.best_scores(), "answers": position.open_four_answers(),
    }  # fmt: skip


def pair(shape: Shape, *arguments: Any) -> tuple[KInARowPosition, NativePosition]:
    return KInARowPosition(*shape, *arguments), NativePosition(*shape, *arguments)


def differing(both: tuple[Any, Any], shape: Shape, count: int, seed: int) -> list[tuple[Placed, list[str]]]:
    """The positions whose figures differ, with the names of these figures."""
    wrong = []
    for placed in positions(shape, count, seed):
        for position in both:
            position.set_up(*placed)
        reference, mirror = map(figures, both)
        if names := [name for name in reference if reference[name] != mirror[name]]:
            wrong.append((placed, names))
    return wrong


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_all_figures_are_equal(count: int) -> None:
    assert differing(pair(GOBANG), GOBANG, count, seed=count) == []


@pytest.mark.parametrize("shape", OTHER_SHAPES + SMALL_K)
def test_on_other_boards_and_for_other_k(shape: Shape) -> None:
    assert differing(pair(shape), shape, FEW // 2, seed=1) == []


@pytest.mark.parametrize("parameters, weights", [
    (KInARowParameters(learnt_order=False), None), (KInARowParameters(lazy_evaluation=False), None),
    (KInARowParameters(fours_in_candidates=False, candidates=(10**9,)), None),
    (KInARowParameters(candidates=(1,)), None), (KInARowParameters(effort_from_value=False), None),
    (KInARowParameters(vcf_depth=0), None), (KInARowParameters(vcf_depth=9), None),
    (None, NO_WEIGHTS), (None, OTHER_WEIGHTS),
], ids=range(9))  # fmt: skip
def test_with_other_parameters_and_weights(parameters: KInARowParameters | None, weights: Weights | None) -> None:
    assert differing(pair(GOBANG, parameters, weights), GOBANG, FEW // 5, seed=2) == []


def test_play_and_undo_in_any_order() -> None:
    """The masks and scores are updated from any earlier position, whether or not it was evaluated."""
    rng = random.Random(4)
    reference, mirror = both = pair(GOBANG)
    for placed in positions(GOBANG, 4, seed=5):
        for position in both:
            position.set_up(*placed)
        played = 0
        for _ in range(60):
            free = [cell for cell in range(GOBANG.cells) if not reference.occupied >> cell & 1]
            if free and (not played or rng.random() < 0.6):
                cell = rng.choice(free)
                for position in both:
                    position.play(cell)
                played += 1
            elif played:
                for position in both:
                    position.undo()
                played -= 1
            if rng.random() < 0.3:
                assert figures(reference) == figures(mirror)


def test_wrong_use_is_refused() -> None:
    for shape in ((17, 15, 5), (15, 17, 5), (0, 3, 3)):
        with pytest.raises(ValueError, match="up to 16 rows"):
            NativePosition(*shape)
    position = NativePosition(*GOBANG)
    with pytest.raises(ValueError, match="225"):
        position.set_up(bytes(9), 0)
    for stones, side in ((bytes(225), 2), (bytes(225), -1), (bytes([3] * 225), 0)):
        with pytest.raises(ValueError, match="a side is 0 or 1"):
            position.set_up(stones, side)
    with pytest.raises(ValueError, match="no move"):
        position.undo()
    position.play(112)
    for cell in (112, -1, 225):
        with pytest.raises(ValueError, match="not free"):
            position.play(cell)
    with pytest.raises(ValueError, match="64 items"):
        NativePosition(*GOBANG, KInARowParameters(vct_nodes=(1,) * 64))
