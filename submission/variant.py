"""A variant names one game: its family, the size of its board, and k of k in a row."""

from __future__ import annotations

from typing import NamedTuple, Optional

K_IN_A_ROW, REVERSI = "k_in_a_row", "reversi"  # the families
NO_MOVE = -1  # a pass, or no move because the game is over


class Variant(NamedTuple):
    """One concrete game. in_a_row: None in Reversi, whose board is square with even sides."""

    family: str
    rows: int
    cols: int
    in_a_row: Optional[int] = None
