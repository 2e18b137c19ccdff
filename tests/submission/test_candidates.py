"""Which cells a line position offers with little depth left: the best by ordering score, fours, answers to a threat."""

from __future__ import annotations

from functools import lru_cache

import pytest

from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.lines import WHITE
from submission.search.clock import Deadline

from .boards import draw
from .naive_line import NaiveBoard

WIDTHS = (KInARowParameters().root_candidates, *KInARowParameters().candidates)  # by depth; 0: the root


@pytest.mark.parametrize("depth", range(1, 2 * len(WIDTHS)))
def test_the_best_cells_alone_are_offered_where_little_depth_is_left(depth: int) -> None:
    position = KInARowPosition(15, 15, 5)
    for cell in (112, 97, 98):
        position.play(cell)
    assert position.moves(depth) == position.moves()[: WIDTHS[min(depth, len(WIDTHS) - 1)]]


# White wins by fours, though there are as many cells that seem to matter more than some of them.
CROWDED = """
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . X . . . . . .
    . . . . . . . O . . . . . . .
    . . . . . . X X . . X . . . .
    . . . . X X X O X O . . . . .
    . . . . X O . . O . . . . . .
    . . . O . . X O O . . . . . .
    . . . . . . O X O . . . . . .
    . . . . . X . O . . . . . . .
    . . . . . . . . * . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . ."""


@lru_cache(maxsize=None)
def _fours(stones: bytes) -> set[int]:
    """The cells where a stone of either side leaves a five to make, by the naive rules."""
    naive = NaiveBoard(15, 15, 5, stones)
    return {cell for player in (1, 2) for cell in naive.free() if naive.after(player, cell).fives(player)}


@pytest.mark.parametrize("depth", range(len(WIDTHS)))
def test_no_four_is_left_out_however_few_cells_are_offered(depth: int) -> None:
    drawn = draw(CROWDED)
    position = KInARowPosition(15, 15, 5, KInARowParameters(vcf_depth=0))
    position.set_up(drawn.stones, WHITE)
    moves = position.moves(depth)
    assert len(moves) > WIDTHS[depth] or WIDTHS[depth] > 30  # so many have room for all fours of this drawing
    assert drawn.marked <= set(moves)
    fours = _fours(drawn.stones)
    assert fours <= set(moves)
    assert set(moves[WIDTHS[depth] :]) <= fours


@pytest.mark.parametrize("depth", range(len(WIDTHS)))
def test_up_to_the_depth_of_vcf_a_four_is_no_reason_to_be_offered(depth: int) -> None:
    """VCF finds the win in its place; above that depth VCT does."""
    drawn = draw(CROWDED)
    position = KInARowPosition(15, 15, 5, KInARowParameters(vcf_depth=4))
    position.set_up(drawn.stones, WHITE)
    best = KInARowPosition(15, 15, 5, KInARowParameters(fours_in_candidates=False))
    best.set_up(drawn.stones, WHITE)
    assert (position.moves(depth) == best.moves(depth)) == (0 < depth <= 4 or WIDTHS[depth] > 30)
    assert position.forced_win(depth, Deadline(None))


@pytest.mark.parametrize("depth", range(len(WIDTHS)))
def test_up_to_the_depth_of_vcf_only_answers_to_a_threat_are_offered(depth: int) -> None:
    """White's fours in the second row do not stop Black's open four."""
    drawn = draw("""
        . . . . . . . . . .
        . O O O . X . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . * X X X * . .
        . . . . . . . . . .""")
    position = KInARowPosition(drawn.rows, drawn.cols, 5)
    position.set_up(drawn.stones, WHITE)
    fours = set() if 0 < depth <= position.parameters.vcf_depth else {10, 14}
    assert set(position.moves(depth)) == drawn.marked | fours
