"""Looks one move ahead: completes a row, blocks one, else lengthens its own longest; at Reversi turns the most discs.

Of equal cells the one nearest the centre, then the first row by row: the same position always gets the same answer.
"""

from typing import Any, List, Tuple

from .observed import Cell, Seen, flips, legal_cells, look, one_hots, run

AXES = ((0, 1), (1, 0), (1, 1), (1, -1))
WINNING_ROW = 5  # on boards that have room for it; on smaller ones a whole side, as at tic-tac-toe


def my_controller(observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
    """The platform's entry."""
    seen = look(observation)
    cells = legal_cells(seen) if seen is not None else []
    if seen is None or not cells:
        return one_hots((0, 0), action_space)
    worth = disc_worth if seen.reversi else row_worth
    centre = ((len(seen.stones) - 1) / 2, (len(seen.stones[0]) - 1) / 2)
    best = max(cells, key=lambda cell: (worth(seen, cell), -abs(cell[0] - centre[0]) - abs(cell[1] - centre[1])))
    return one_hots(best, action_space)


def disc_worth(seen: Seen, cell: Cell) -> Tuple[int, ...]:
    """Discs turned over at Reversi."""
    return (len(flips(seen.stones, cell, seen.player)),)


def row_worth(seen: Seen, cell: Cell) -> Tuple[int, ...]:
    """Whether a stone here wins, whether the other's would, and how long a row it makes."""
    enough = min(WINNING_ROW, len(seen.stones), len(seen.stones[0]))
    own, others = longest_row(seen, cell, seen.player), longest_row(seen, cell, 3 - seen.player)
    return (own >= enough, others >= enough, own)


def longest_row(seen: Seen, cell: Cell, colour: int) -> int:
    """The stones in the longest row that a stone of `colour` on `cell` would be part of."""
    return max(
        1 + len(run(seen.stones, cell, (dr, dc), colour)) + len(run(seen.stones, cell, (-dr, -dc), colour))
        for dr, dc in AXES
    )
