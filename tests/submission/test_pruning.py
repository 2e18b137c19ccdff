"""What futility pruning and razoring may do: nothing with margins that no value exceeds, and less nodes with others."""
from __future__ import annotations

import pytest

from submission.clock import Deadline
from submission.evaluator import Margins
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.lines import BLACK
from submission.search import Search, Thought

from .test_alphabeta import QUIET


def _think(parameters: KInARowParameters, margins: Margins | None = None) -> Thought:
    position = KInARowPosition(15, 15, 5, parameters)
    position.set_up(QUIET.stones, BLACK)
    position.margins = margins or position.margins
    return Search().think(position, Deadline(None), 4)


@pytest.mark.parametrize("margins", [Margins(), Margins((10 ** 6,) * 5, (10 ** 6,) * 5), Margins((10 ** 6,), ())])
def test_margins_that_no_value_exceeds_prune_nothing(margins: Margins) -> None:
    off = _think(KInARowParameters(futility=False, razoring=False))
    assert _think(KInARowParameters(), margins)[:5] == off[:5]
    assert _think(KInARowParameters()).nodes < off.nodes
