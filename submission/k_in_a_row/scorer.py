"""The rule-based pattern scorer: each free cell gets the values of the patterns that a stone there makes for each side.

A student agent that once led the site's gobang table played by this method (docs/en/reference/opponents.md, report
004). The scorer looks one stone ahead and takes 2 ms at most. The scorer plays when there is no time to search, or
always with `engine="scorer"`. The scorer uses the patterns of five in a row for every k.

A pattern is nine cells of one line around a free cell `*`, four on each side: X own stone, O the opponent's, `.`
free, `?` anything. A cell off the board matches `?` only. In each line, only the first match of a class counts. A
cell's value for one side is the sum over the classes and the four lines through the cell.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from ..boards import board_lines

REACH = 4  # cells of a pattern on either side of the free cell
MOST_WINDOWS = 50000  # most windows in the cache, 0.3 kB each

# (class, value, patterns), tried in this order. All values come from report 004, also the only 30.
PATTERNS = (
    ("five", 10000, "XXXX*???? ????*XXXX ??XX*XX?? ?XXX*X??? ???X*XXX?"),
    ("open four", 5000, ".XXX*.??? ???.*XXX. ?.XX*X.?? ??.X*XX.?"),
    ("four", 1700, "OXXX*.??? ?OXX*X.?? ??OX*XX.? ???O*XXX."),
    ("four", 1700, ".XXX*O??? ?.XX*XO?? ??.X*XXO? ???.*XXXO"),
    ("open three", 1900, "..XX*.??? ?..X*X.?? ??..*XX.? ?.XX*..?? ??.X*X..? ???.*XX.."),
    ("open three", 1600, ".XX.*.??? ??.X*.X.? ???.*X.X. ???.*.XX. .XX.*?.??"),
    ("three", 350, "?OXX*..?? ??OX*X..? ???O*XX.. ..XX*O??? ?..X*XO?? ??..*XXO?"),
    ("three", 300, "O.XX*.O?? ?O.X*X.O? ??O.*XX.O OX.X*.O?? ?OX.*X.O? ??OX*.X.O ???O*.XX."),
    ("three", 300, "OXX.*.??? ??OX*.X.? ???O*X.X. XX..*O??? ??OX*..X? ???O*X..X X..X*O??? ?X..*XO?? ???O*..XX"),
    ("three", 30, ".XX.*O???"),
    ("three", 300, "??.X*.XO? ???.*X.XO .X.X*O??? ?.X.*XO?? ???.*.XXO X.X.*O??? ?OX.*.X?? ??X.*.XO? ???O*.X.X"),
    ("open two", 99, "?..X*..?? ??..*X..? ...X*.O?? ?...*X.O? ?O.X*...? ??O.*X..."),
    ("two", 5, "??OX*...? ???O*X... ...X*O??? ?...*XO?? ?O.X*..O? ??O.*X..O O.X.*.O?? ??O.*.X.O O..X*.O??"),
    ("two", 5, "?O..*X.O? .X..*O??? ???.*..XO ..X.*O??? ??..*.XO? ?OX.*..?? ???O*.X.. OX..*.??? ???O*..X."),
)

# (least, discount): an opponent's value of `least` or more is reduced by `discount`, so own patterns come first.
DISCOUNT = ((10000, 500), (5000, 300), (2000, 250), (1500, 200), (99, 10), (5, 1))

_SYMBOLS = ".XO"  # the symbols of a free cell, a black and a white stone
_SWAP = str.maketrans("XO", "OX")
_WORTH: dict[str, tuple[int, int]] = {}  # cache: window -> its value for Black and for White


def cell_values(stones: bytes, rows: int, cols: int, player: int) -> list[int]:
    """The value of every cell if `player` (1 black, 2 white) is to move; 0 for occupied cells.

    A value is the cell's value for the player plus the reduced value for the opponent.
    `stones`: rows * cols bytes, 0 free, 1 black, 2 white, row-major.
    """
    black, white = [0] * len(stones), [0] * len(stones)
    margin = "#" * REACH
    worth = _WORTH
    for cells in _lines(rows, cols):
        text = margin + "".join([_SYMBOLS[stones[cell]] for cell in cells]) + margin
        for i, cell in enumerate(cells):
            if not stones[cell]:
                window = text[i : i + 2 * REACH + 1]
                pair = worth.get(window)
                if pair is None:
                    if len(worth) >= MOST_WINDOWS:
                        worth.clear()
                    pair = worth[window] = (_value(window), _value(window.translate(_SWAP)))
                if pair != (0, 0):
                    black[cell] += pair[0]
                    white[cell] += pair[1]
    own, other = (black, white) if player == 1 else (white, black)
    return [mine + _discounted(theirs) for mine, theirs in zip(own, other)]


def best_cell(stones: bytes, rows: int, cols: int, player: int) -> int:
    """The first cell of the largest value. If all values are 0: the middle if it is free, else the first free cell."""
    values = cell_values(stones, rows, cols, player)
    best = max(values)
    if best > 0:
        return values.index(best)
    middle = rows // 2 * cols + cols // 2
    return middle if not stones[middle] else max(stones.find(0), 0)


def _bits(text: str) -> int:
    """A window or a pattern as an int with a bit per cell and symbol. A pattern matches a window with all its bits."""
    width = 2 * REACH + 1
    return sum([1 << _SYMBOLS.index(symbol) * width + i for i, symbol in enumerate(text) if symbol in _SYMBOLS])


_RULES = [
    [(value, _bits(pattern)) for _, value, patterns in rows for pattern in patterns.split()]
    for _, rows in groupby(PATTERNS, key=itemgetter(0))
]


def _value(window: str) -> int:
    """Value of one window for X."""
    total = 0
    seen = _bits(window)
    for rules in _RULES:
        for value, bits in rules:
            if seen & bits == bits:
                total += value
                break
    return total


def _discounted(value: int) -> int:
    for least, discount in DISCOUNT:
        if value >= least:
            return value - discount
    return value


@lru_cache(maxsize=8)
def _lines(rows: int, cols: int) -> list[tuple[int, ...]]:
    return [line.cells for line in board_lines(rows, cols, 5)]
