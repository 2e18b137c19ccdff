"""The scripts that learn make the same games and leaves with the compiled engine as without it."""

from __future__ import annotations

import pytest

from submission.native.k_in_a_row import NativePosition
from submission.native.reversi import NativeReversiPosition
from submission.reversi.position import ReversiPosition
from tests.workshop.conftest import small_leaves
from workshop.gobang import game
from workshop.gobang.game import LeafPosition, searched_position
from workshop.gobang.games import play
from workshop.reversi import games as reversi_games


def results() -> list[object]:
    return [
        *(play(number, 60, width) for number, width in ((1, None), (2, 60))),
        *(small_leaves(number) for number in range(1, 5)),
        *(reversi_games.play(size, number, 40) for size, number in ((6, 1), (6, 2), (8, 1))),
    ]


def test_games_and_leaves_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reversi_games, "EXACT", 6)
    compiled = results()
    assert isinstance(searched_position([]), NativePosition)
    assert isinstance(reversi_games.start(8), NativeReversiPosition)
    assert isinstance(reversi_games.start(12), ReversiPosition)  # a size that is not compiled
    for module in (game, reversi_games):
        monkeypatch.setattr(module, "available", lambda: False)
    assert isinstance(searched_position([]), LeafPosition)
    assert results() == compiled
