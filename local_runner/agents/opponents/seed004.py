"""The rule-based gobang agent of report 004, which led the site's table in December 2021; rebuilt from its patterns.

The agent values every free cell, `*`, by four windows of nine cells, one for each direction. In a pattern, X is an own
stone, O an opposing stone, . a free cell, and ? anything, also off the board. In each class of patterns only the first
match counts. A cell's own value is the sum over classes and directions. The cell's total is the own value, plus the
value of the same cell for the opponent, minus a discount. The single value of 30 in `TABLE` is as printed in the
report. The agent is made for gobang and uses the same patterns, for five in a row, on other boards. If no
pattern matches, and in Reversi, the agent answers with the centre or the first legal cell.
"""

import re
from typing import Dict, List, Optional

from .observed import Cell, Seen, controller

AGENTS = {
    "seed004": {
        "rank": 2,
        "about": "the rule-based student agent that once led the site's gobang",
        "games": ("five_in_a_row",),
    }
}

REACH = 4  # cells of a window on each side of its middle cell

TABLE = {
    "five": ((10000, "XXXX*???? ????*XXXX ??XX*XX?? ?XXX*X??? ???X*XXX?"),),
    "open four": ((5000, ".XXX*.??? ???.*XXX. ?.XX*X.?? ??.X*XX.?"),),
    "four (blocked)": ((1700, "OXXX*.??? ?OXX*X.?? ??OX*XX.? ???O*XXX. .XXX*O??? ?.XX*XO?? ??.X*XXO? ???.*XXXO"),),
    "open three": (
        (1900, "..XX*.??? ?..X*X.?? ??..*XX.? ?.XX*..?? ??.X*X..? ???.*XX.."),
        (1600, ".XX.*.??? ??.X*.X.? ???.*X.X. ???.*.XX. .XX.*?.??"),
    ),
    "three (blocked)": (
        (350, "?OXX*..?? ??OX*X..? ???O*XX.. ..XX*O??? ?..X*XO?? ??..*XXO?"),
        (300, "O.XX*.O?? ?O.X*X.O? ??O.*XX.O OX.X*.O?? ?OX.*X.O? ??OX*.X.O ???O*.XX. OXX.*.??? ??OX*.X.?"),
        (300, "???O*X.X. XX..*O??? ??OX*..X? ???O*X..X X..X*O??? ?X..*XO?? ???O*..XX"),
        (30, ".XX.*O???"),
        (300, "??.X*.XO? ???.*X.XO .X.X*O??? ?.X.*XO?? ???.*.XXO X.X.*O??? ?OX.*.X?? ??X.*.XO? ???O*.X.X"),
    ),
    "open two": ((99, "?..X*..?? ??..*X..? ...X*.O?? ?...*X.O? ?O.X*...? ??O.*X..."),),
    "two (blocked)": (
        (5, "??OX*...? ???O*X... ...X*O??? ?...*XO?? ?O.X*..O? ??O.*X..O O.X.*.O?? ??O.*.X.O O..X*.O??"),
        (5, "?O..*X.O? .X..*O??? ???.*..XO ..X.*O??? ??..*.XO? ?OX.*..?? ???O*.X.. OX..*.??? ???O*..X."),
    ),
}

# (least, discount): an opponent's value of at least `least` is reduced by `discount`. The first pair that fits counts.
DISCOUNTS = ((10000, 500), (5000, 300), (2000, 250), (1500, 200), (99, 10), (5, 1))

EDGE = "#"
SWAP_SIDES = str.maketrans("XO", "OX")
_REGEX = str.maketrans({".": r"\.", "*": r"\.", "?": "."})
_RULES = [
    [(re.compile(pattern.translate(_REGEX)), value) for value, patterns in rows for pattern in patterns.split()]
    for rows in TABLE.values()
]
_known: Dict[str, int] = {}  # cache: window -> value


def choose(seen: Seen) -> Optional[Cell]:
    """The first cell with the highest total, row by row; None if no pattern matches, and in Reversi."""
    totals = all_totals(seen.stones, seen.player) if not seen.reversi else {}
    best = max(totals, key=lambda cell: totals[cell], default=None)
    return best if best is not None and totals[best] > 0 else None


def all_totals(stones: List[List[int]], player: int) -> Dict[Cell, int]:
    """The total of every free cell for the player to move, row by row."""
    marks = ".XO" if player == 1 else ".OX"
    width = len(stones[0]) + REACH  # one margin serves the right end of a row and the left end of the next
    margin = EDGE * REACH
    ends = EDGE * width * REACH
    board = ends + "".join(margin + "".join(marks[stone] for stone in row) for row in stones) + margin + ends
    totals = {}
    for row, line in enumerate(stones):
        for col, stone in enumerate(line):
            if stone == 0:
                totals[row, col] = total(board, (row + REACH) * width + REACH + col, width)
    return totals


def total(board: str, at: int, width: int) -> int:
    """The own value plus the opponent's discounted value, for the cell at index `at` of the flat board."""
    own = others = 0
    for step in (width, 1, width + 1, width - 1):
        window = board[at - REACH * step : at + REACH * step + 1 : step]
        own += window_value(window)
        others += window_value(window.translate(SWAP_SIDES))
    return own + others - next((discount for least, discount in DISCOUNTS if others >= least), 0)


def window_value(window: str) -> int:
    """The value for X of a stone on the middle cell of a window of nine cells."""
    value = _known.get(window)
    if value is None:
        fitting = (next((value for rule, value in rules if rule.match(window)), 0) for rules in _RULES)
        value = _known[window] = sum(fitting)
    return value


my_controller = controller(choose)
