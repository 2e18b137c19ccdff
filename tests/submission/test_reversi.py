"""Reversi: published perft counts, and the values of finished games."""

from __future__ import annotations

import pytest

from submission.lines import BLACK
from submission.reversi import weights
from submission.reversi.board import ReversiBoard
from submission.reversi.cell_lists import cell_lists
from submission.reversi.evaluation import C_SQUARE, CORNER, EDGE, MOBILITY, X_SQUARE, CellListEvaluator
from submission.reversi.position import DISC, final_value
from submission.reversi.weights import STAGES, stage


def test_final_values_are_ordered_by_the_disc_difference() -> None:
    values = [final_value(discs) for discs in range(-64, 65)]
    assert values == sorted(set(values))
    assert final_value(0) == 0 and final_value(1) - final_value(0) > 64 * DISC


LEARNT = [8, 10]


@pytest.mark.parametrize("n", [4, 6, 8, 10, 26])
def test_a_game_goes_through_all_stages(n: int) -> None:
    by_discs = [stage(n, discs) for discs in range(4, n * n + 1)]
    assert by_discs == sorted(by_discs)
    assert set(by_discs) == set(range(min(STAGES, 13))) if n > 4 else by_discs[0] == 0
    lengths = [by_discs.count(number) for number in set(by_discs)]
    assert max(lengths) - min(lengths) <= 1
    assert stage(n, 0) == 0


@pytest.mark.parametrize("n", [4, 6, 8, 10, 12, 26])
def test_the_learnt_sizes_have_weights_of_all_kinds_and_the_others_weights_set_by_hand(n: int) -> None:
    learnt = weights.read(n)
    assert (learnt is not None) == (n in LEARNT) == ({*CellListEvaluator.model(n).mobility} != {MOBILITY})
    for kind, cells in {each.kind: each.cells for each in cell_lists(n)}.items() if learnt else ():
        keys = list(learnt.keys[kind])
        assert keys == sorted(set(keys)) and keys
        assert len(learnt.rows[kind]) == len(keys) * STAGES
        assert len(learnt.cells[kind]) == len(cells) * STAGES
    assert not learnt or len(learnt.turn) == len(learnt.mobility) == n * n + 1


@pytest.mark.parametrize("black, white, value", [  # cells of black and white discs on 6x6
    ([0], [], CORNER), ([5], [], CORNER), ([35], [], CORNER), ([1], [], C_SQUARE), ([6], [], C_SQUARE),
    ([34], [], C_SQUARE), ([7], [], X_SQUARE), ([28], [], X_SQUARE), ([2], [], EDGE), ([18], [], EDGE), ([8], [], 0),
    ([14], [], 0), ([1, 6, 7], [], 2 * C_SQUARE + X_SQUARE), ([0, 1, 6, 7], [], CORNER), ([2, 3, 12], [], 3 * EDGE),
    ([0], [1, 7], CORNER), ([1], [6], 0), ([7], [1], X_SQUARE - C_SQUARE), ([2, 3], [12], EDGE), ([0, 5], [30], CORNER),
])  # fmt: skip
def test_values_by_hand(black: list[int], white: list[int], value: int) -> None:
    board = ReversiBoard(6)
    masks = [sum(1 << cell for cell in cells) for cells in (black, white)]
    for discs, expected in ((masks, value), (masks[::-1], -value)):
        board.set_discs(*discs, BLACK)
        assert {sum(node[stage] for node in board.nodes) for stage in range(STAGES)} == {expected}
