"""What a position has judged is kept while the board stands, and no longer, whatever is asked first."""

from __future__ import annotations

import random
from typing import Any

import pytest

from submission.k_in_a_row.position import KInARowPosition
from submission.search.clock import Deadline

from .test_position import _stones


@pytest.mark.parametrize(
    "ask",
    [
        KInARowPosition.outcome,
        KInARowPosition.forced,
        KInARowPosition.quiet,
        KInARowPosition.scanned_masks,
        KInARowPosition.moves,
        lambda position: position.forced_win(0, Deadline(None)),
        lambda position: position.forced_win(5, Deadline(None)),
    ],
)
def test_an_answer_is_of_the_board_as_it_stands(ask: Any) -> None:
    noise = random.Random(7)
    for _ in range(3):
        position, fresh = KInARowPosition(9, 9, 5), KInARowPosition(9, 9, 5)
        while fresh.outcome() is None:
            position.play(noise.choice(fresh.moves()[:4]))
            if noise.random() < 0.3:
                ask(position)
                position.undo()
            fresh.set_up(_stones(position), position.side)
            assert ask(position) == ask(fresh)
