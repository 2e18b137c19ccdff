"""A greedy agent that looks one move ahead.

In k in a row: completes its own row, else blocks the opponent's, else extends its longest row. In Reversi: flips the
most discs. Ties go to the cell nearest the centre, then to the first cell row by row, so play is deterministic.
"""

from typing import Optional, Tuple

from .observed import Cell, ReversiRules, Seen, Stones, controller, count, legal_cells

AGENTS = {
    "greedy": {
        "rank": 5,
        "about": "one move ahead: five, block, longest row, most discs; every game",
        "games": ("reversi", "k_in_a_row"),
    }
}

AXES = ((0, 1), (1, 0), (1, 1), (1, -1))
WINNING_ROW = 5  # stones; a board with a shorter side, such as tic-tac-toe, needs as many as that side has cells


def choose(seen: Seen) -> Optional[Cell]:
    """The best legal cell; None if there is none."""
    worth = disc_worth if seen.reversi else row_worth
    centre = ((len(seen.stones) - 1) / 2, (len(seen.stones[0]) - 1) / 2)
    return max(
        legal_cells(seen),
        key=lambda cell: (worth(seen, cell), -abs(cell[0] - centre[0]) - abs(cell[1] - centre[1])),
        default=None,
    )


def disc_worth(seen: Seen, cell: Cell) -> Tuple[int, ...]:
    """The number of discs that a Reversi move flips."""
    rules = ReversiRules(len(seen.stones))
    own, other, _ = rules.position(seen.stones, seen.player)
    return (count(rules.flips(own, other, rules.bit(cell))),)


def row_worth(seen: Seen, cell: Cell) -> Tuple[int, ...]:
    """(whether an own stone on `cell` wins, whether the opponent's would win, length of the own row through `cell`)."""
    enough = min(WINNING_ROW, len(seen.stones), len(seen.stones[0]))
    own, others = longest_row(seen, cell, seen.player), longest_row(seen, cell, 3 - seen.player)
    return (own >= enough, others >= enough, own)


def longest_row(seen: Seen, cell: Cell, colour: int) -> int:
    """The number of stones in the longest row that a stone of `colour` on `cell` would belong to."""
    return max(
        1 + sum(run_length(seen.stones, cell, step, colour) for step in ((dr, dc), (-dr, -dc))) for dr, dc in AXES
    )


def run_length(stones: Stones, cell: Cell, step: Cell, colour: int) -> int:
    """The number of stones of `colour` in a row that begins next to `cell` in the direction `step`."""
    length, row, col = 0, cell[0] + step[0], cell[1] + step[1]
    while 0 <= row < len(stones) and 0 <= col < len(stones[0]) and stones[row][col] == colour:
        length, row, col = length + 1, row + step[0], col + step[1]
    return length


my_controller = controller(choose)
