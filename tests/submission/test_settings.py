"""The table of settings in submission.py: which row each game of the platform gets."""

from __future__ import annotations

import pytest

from submission.codec import Snapshot
from submission.player import Settings
from submission.submission import SETTINGS
from submission.variant import K_IN_A_ROW, REVERSI

PLATFORM_SECONDS = 1.0  # that a call may take
MARGIN = 0.15  # seconds of it that are kept free


@pytest.mark.parametrize("family, rows, cols, k, off_turn", [
    (K_IN_A_ROW, 15, 15, 5, True), (K_IN_A_ROW, 11, 11, 5, True), (K_IN_A_ROW, 3, 3, 3, False),
    (K_IN_A_ROW, 7, 9, 5, True), (REVERSI, 8, 8, None, True), (REVERSI, 10, 10, None, True)])  # fmt: skip
def test_every_game_is_searched_within_the_platforms_time(
    family: str,
    rows: int,
    cols: int,
    k: int | None,
    off_turn: bool,
) -> None:
    snapshot = Snapshot(family, rows, cols, bytes(rows * cols), 1)
    row = next(row for row in (Settings(*row) for row in SETTINGS) if row.fits(snapshot))
    assert (row.in_a_row, row.engine) == (k, "search")
    assert 0.5 < row.seconds <= PLATFORM_SECONDS - MARGIN
    assert (row.off_turn_seconds > 0, row.off_turn_seconds <= row.seconds) == (off_turn, True)
