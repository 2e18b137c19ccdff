"""What the content of one line means in k in a row: who can complete it, who threatens to, and what it is worth.

Names are those of five in a row, whatever k is (k = 3: a "five" is three in a row, a "four" two with a free third).
Five or more win, so a longer row counts as a five. Every mask holds empty cells only:

    FIVE        a stone here completes a five                           XXXX*
    OPEN_FOUR   a stone here leaves two or more cells that complete it  .XXX*.   X.XX*X.X
    FOUR        a stone here leaves at least one                        OXXX*.   XX.*X     (OPEN_FOUR is part of FOUR)
    OPEN_THREE  a stone here, no four, makes a new OPEN_FOUR cell       .XX*..   .X.X*.

The last three are meant where FIVE is empty; where it is not, nobody asks for them.
"""
from __future__ import annotations

from ..lines import Describe, Facts

FIVE, OPEN_FOUR, FOUR, OPEN_THREE = range(4)
CLASSES = 4             # masks per colour; black's stand first, white's after them

# Value of a window of k cells that only one colour has entered, by the stones still missing from it.
WINDOW_VALUE = {1: 120, 2: 30, 3: 6, 4: 1}
# The same window seen from one of its empty cells, when moves are put in order.
CELL_VALUE = {1: 400, 2: 60, 3: 12, 4: 3}


def describer(length: int, k: int) -> Describe:
    """Make the function that describes contents of lines of `length` cells for k in a row.

    Answers are remembered: all directions of a board share one describer.
    """
    windows = [((1 << k) - 1) << i for i in range(length - k + 1)]
    cache: dict[tuple[int, int], Facts] = {}

    def describe(black: int, white: int) -> Facts:
        facts = cache.get((black, white))
        if facts is None:
            of_black, value_black, order_black = _one_colour(black, white, windows, k, length)
            of_white, value_white, order_white = _one_colour(white, black, windows, k, length)
            order = tuple(b + w for b, w in zip(order_black, order_white))
            facts = cache[black, white] = Facts(of_black + of_white, value_black - value_white, order)
        return facts

    return describe


def _one_colour(own: int, other: int, windows: list[int], k: int,
                length: int) -> tuple[tuple[int, ...], int, list[int]]:
    """The four masks, the value and the cell values of one colour."""
    open_windows = [window for window in windows if not window & other]
    value = 0
    order = [0] * length
    for window in open_windows:
        empty = window & ~own
        missing = bin(empty).count("1")
        if missing < k:
            value += WINDOW_VALUE.get(missing, 0)
        weight = CELL_VALUE.get(missing, 0)
        while weight and empty:
            low = empty & -empty
            order[low.bit_length() - 1] += weight
            empty ^= low
    five = _fives(own, open_windows)
    four, open_four = _fours(own, open_windows)
    open_three = 0
    for first in _bits(_open_cells(own, open_windows)):
        if first & four:
            continue
        if _fours(own | first, open_windows)[1] & ~(first | open_four):
            open_three |= first
    return (five, open_four, four, open_three), value, order


def _fives(own: int, open_windows: list[int]) -> int:
    """Cells that complete a window from which one stone is missing."""
    cells = 0
    for window in open_windows:
        empty = window & ~own
        if empty & (empty - 1) == 0:
            cells |= empty
    return cells


def _fours(own: int, open_windows: list[int]) -> tuple[int, int]:
    """(FOUR, OPEN_FOUR): cells after which one, and two or more, cells complete a window."""
    partners: dict[int, int] = {}
    for window in open_windows:
        empty = window & ~own
        low = empty & -empty
        high = empty ^ low
        if high and high & (high - 1) == 0:
            partners[low] = partners.get(low, 0) | high
            partners[high] = partners.get(high, 0) | low
    four = open_four = 0
    for cell, fives in partners.items():
        four |= cell
        if fives & (fives - 1):
            open_four |= cell
    return four, open_four


def _open_cells(own: int, open_windows: list[int]) -> int:
    """Empty cells of windows from which three stones are missing: only there can a stone prepare a four."""
    cells = 0
    for window in open_windows:
        empty = window & ~own
        if bin(empty).count("1") == 3:
            cells |= empty
    return cells


def _bits(mask: int) -> list[int]:
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low)
        mask ^= low
    return bits
