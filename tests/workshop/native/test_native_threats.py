"""The compiled threat searches equal the Python ones: the winning line, the nodes, whether the budget was enough."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from submission.k_in_a_row.position import KInARowPosition
from submission.search.clock import Deadline
from tests.workshop.native.positions import GOBANG, OTHER_SHAPES, Placed, Shape, positions
from workshop.lab.bench.gobang import VCF
from workshop.native.k_in_a_row import NativePosition

FEW, MANY = 40, 10000
SEARCHES: dict[str, Any] = {
    "vcf 8000": lambda threats: threats.vcf(8000),
    "vcf 40 in line": lambda threats: threats.vcf(40, in_line=True),
    "vct 5": lambda threats: threats.vct(5),
    "vct 200": lambda threats: threats.vct(200),
    "vct 500 effort 30": lambda threats: threats.vct(500, most_effort=30),
    "opponent's vct": lambda threats: threats.opponent_vct(100),
    "vct 2000": lambda threats: threats.vct(2000),
}


def differing(placed: Placed, reference: KInARowPosition, mirror: NativePosition) -> list[str]:
    """The searches, one after the other on one memory, whose results differ."""
    wrong = []
    for position in (reference, mirror):
        position.set_up(*placed)
    for name, search in SEARCHES.items():
        if search(InPython(reference)) != search(mirror.threats):
            wrong.append(name)
    if reference.key != mirror.key or reference.totals != mirror.masks().totals:
        wrong.append("the board is not left as it was")
    return wrong


class InPython:
    """The threat searches of a Python position, called as those of a NativePosition."""

    def __init__(self, position: KInARowPosition) -> None:
        self.threats = position.threats

    def vcf(self, budget: int, in_line: bool = False) -> Any:
        return self.threats.vcf(budget, None, in_line)

    def vct(self, budget: int, most_effort: int = 10**9) -> Any:
        return self.threats.vct(budget, None, most_effort)

    def opponent_vct(self, budget: int) -> Any:
        return self.threats.opponent_vct(budget)


def playable(shape: Shape, count: int, seed: int) -> Iterator[Placed]:
    """Positions that a game can reach: there is no five on the board, but perhaps one to be made."""
    return (
        placed
        for placed in positions(shape, count, seed)
        if placed.stones.count(0) > 0 and not has_five(placed.stones, shape)
    )


def has_five(stones: bytes, shape: Shape) -> bool:
    for cell, stone in enumerate(stones):
        row, col = divmod(cell, shape.cols)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [(row + i * down, col + i * right) for i in range(shape.k)]
            if stone and all(
                0 <= r < shape.rows and 0 <= c < shape.cols and stones[r * shape.cols + c] == stone for r, c in line
            ):
                return True
    return False


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize("forget", [True, False], ids=["new memory", "kept memory"])
def test_all_threat_searches_are_equal(count: int, forget: bool) -> None:
    reference, mirror = KInARowPosition(*GOBANG), NativePosition(*GOBANG)
    wrong = []
    for placed in playable(GOBANG, count, seed=count):
        if forget:
            reference.threats.forget()
            mirror.threats.forget()
        if names := differing(placed, reference, mirror):
            wrong.append((placed, names))
    assert wrong == []


@pytest.mark.parametrize("shape", [shape for shape in OTHER_SHAPES if shape.values[0].k > 2])
def test_on_other_boards(shape: Shape) -> None:
    reference, mirror = KInARowPosition(*shape), NativePosition(*shape)
    assert [placed for placed in playable(shape, FEW // 2, seed=1) if differing(placed, reference, mirror)] == []


def test_wins_of_many_fours() -> None:
    reference, mirror = KInARowPosition(*GOBANG), NativePosition(*GOBANG)
    found = 0
    for row in VCF.read_text("ascii").splitlines()[::10]:
        moves = row.split()[0]
        cells = [(ord(a) - 97) * 15 + ord(b) - 97 for a, b in zip(moves[::2], moves[1::2], strict=True)]
        stones = bytearray(GOBANG.cells)
        for number, cell in enumerate(cells):
            stones[cell] = 1 + number % 2
        assert differing(Placed(bytes(stones), len(cells) % 2), reference, mirror) == []
        found += bool(mirror.threats.vcf(8000).line)
    assert found > 15


def test_a_deadline_in_nodes_ends_a_threat_search_at_the_same_node() -> None:
    """Through the search: its limit of nodes counts what threat searches have used."""
    from submission.search.deepening import Search
    from workshop.native.search import NativeSearch

    for placed in list(playable(GOBANG, 60, seed=7))[2::9]:
        reference, mirror = KInARowPosition(*GOBANG), NativePosition(*GOBANG)
        for position in (reference, mirror):
            position.set_up(*placed)
        for nodes in (16, 40, 100, 333):
            ours, theirs = Deadline(None, nodes), Deadline(None, nodes)
            thought = Search().think(reference, ours)
            assert NativeSearch().think(mirror, theirs)[:5] == thought[:5]
            assert ours.spent == theirs.spent
