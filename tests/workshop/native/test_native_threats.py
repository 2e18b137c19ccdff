"""The compiled threat searches equal the Python ones: the winning line, the nodes, whether the budget was enough."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from tests.workshop.native.compared import GOBANG, OTHER_SHAPES, Compared, Placed, each_of
from workshop.gobang.positions import board_of, stones_after
from workshop.lab.bench import vcf_positions

FEW, MANY = 40, 10000


def results(threats: Any) -> list[Any]:
    """All kinds of threat search, one after the other on one memory."""
    return [
        threats.vcf(8000), threats.vcf(40, in_line=True), threats.vct(5), threats.vct(200),
        threats.vct(500, most_effort=30), threats.opponent_vct(100), threats.vct(2000),
    ]  # fmt: skip


def same_results(game: Compared, every: Iterable[Placed], forget: bool = False) -> None:
    """All results are equal, and the boards are left as they were."""
    reference, mirror = game.positions()
    for placed in every:
        for position in (reference, mirror):
            position.set_up(*placed)
            if forget:
                position.threats.forget()
        assert results(reference.threats) == results(mirror.threats), placed
        assert (reference.key, reference.side) == (mirror.key, mirror.side), placed


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize("forget", [True, False], ids=["new memory", "kept memory"])
def test_all_threat_searches_are_equal(count: int, forget: bool) -> None:
    same_results(GOBANG, GOBANG.playable(count, count), forget)


@each_of(OTHER_SHAPES)
def test_on_other_boards(game: Compared) -> None:
    same_results(game, game.playable(FEW // 2, 1))


def test_wins_of_many_fours() -> None:
    every = [Placed(board_of(stones_after(moves)), len(moves) % 2) for moves in vcf_positions()[::10]]
    same_results(GOBANG, every)
    mirror, won = GOBANG.positions()[1], 0
    for placed in every:
        mirror.set_up(*placed)
        won += bool(mirror.threats.vcf(8000).line)
    assert won > 15
