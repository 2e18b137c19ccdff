"""What futility pruning, razoring and internal iterative reductions may do."""

from __future__ import annotations

import contextlib

import pytest

from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.lines import BLACK
from submission.search.clock import Deadline
from submission.search.deepening import Search, Thought
from submission.search.evaluator import Margins
from submission.search.searchable import WIN, Tactics
from submission.search.table import EXACT, LOWER, UPPER

from .test_alphabeta import QUIET


def _think(parameters: KInARowParameters, margins: Margins | None = None) -> Thought:
    position = KInARowPosition(15, 15, 5, parameters)
    position.set_up(QUIET.stones, BLACK)
    position.margins = margins or position.margins
    return Search().think(position, Deadline(None), 4)


@pytest.mark.parametrize("margins", [Margins(), Margins((10**6,) * 5, (10**6,) * 5), Margins((10**6,), ())])
def test_margins_that_no_value_exceeds_prune_nothing(margins: Margins) -> None:
    off = _think(KInARowParameters(futility=False, razoring=False))
    assert _think(KInARowParameters(), margins)[:5] == off[:5]
    assert _think(KInARowParameters()).nodes < off.nodes


class _Searched(Exception):
    """The node is not pruned: its moves are asked for."""


class _Node(Tactics):
    """A node with a value, whose margins are 100."""

    margins = Margins((100,), (100,))
    key = 1

    def __init__(self, value: int) -> None:
        self.value = value

    def outcome(self) -> None:
        return None

    def evaluate(self, alpha: int, beta: int) -> int:
        return self.value

    def moves(self, depth: int = 0) -> list[int]:
        raise _Searched


@pytest.mark.parametrize(("value", "bound", "stored", "pruned"), [
    (0, LOWER, 150, 150), (0, EXACT, 150, 150), (150, LOWER, 120, 150),             # above 1 + margin
    (0, UPPER, -150, -150), (0, EXACT, -150, -150), (-150, UPPER, -120, -150),      # below 0 - margin
    (0, UPPER, 150, None), (0, LOWER, -150, None), (0, LOWER, 90, None),
    (150, UPPER, 50, None), (150, EXACT, 0, None), (-150, LOWER, -50, None),        # no longer outside
    (0, LOWER, WIN - 9, None), (0, UPPER, 9 - WIN, None), (150, EXACT, 9 - WIN, 150),
])  # fmt: skip
def test_a_bound_of_a_shallower_search_corrects_the_evaluation(
    value: int, bound: int, stored: int, pruned: int | None
) -> None:
    search = Search()
    search._prepare(_Node(value))
    search.table.put(_Node.key, (0, bound, stored, -1))
    with contextlib.nullcontext() if pruned is not None else pytest.raises(_Searched):
        assert search._search(1, 0, 1, 1) == pruned


@pytest.mark.parametrize(("known", "depth", "searched"), [(False, 3, 3), (False, 4, 3), (True, 4, 4)])
def test_a_deep_search_without_hash_move_is_a_ply_less_deep(known: bool, depth: int, searched: int) -> None:
    position, search = KInARowPosition(15, 15, 5), Search()
    position.set_up(QUIET.stones, BLACK)
    search.think(position, Deadline(None), 1)
    search.table.put(position.key, (1, UPPER, WIN, position.moves()[0] if known else -1))
    search._search(depth, -1, 0, 1)
    assert search.table.get(position.key)[0] == searched
