"""What several tests of this folder share because it takes seconds to make."""

from __future__ import annotations

import pytest

from workshop.gobang import leaves as gobang_leaves
from workshop.gobang.leaves import GameLeaves, collect_leaves

LEAF_NODES, GAME_NODES, ROOT_NODES = 60, 50, (150, 300, 600)


def small_leaves(number: int) -> GameLeaves:
    """The leaves of a game, from small searches."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gobang_leaves, "ROOT_NODES", ROOT_NODES)
        return collect_leaves(number, LEAF_NODES, GAME_NODES)


@pytest.fixture(scope="session")
def all_leaves() -> list[GameLeaves]:
    """The leaves of two games."""
    return [small_leaves(number) for number in (5, 6)]
