"""What the content of one line means in k in a row: who can complete it, who threatens to, and what it is worth.

Names are those of five in a row, whatever k is (k = 3: a "five" is three in a row, a "four" two with a free third).
Five or more win, so a longer row counts as a five; there are no forbidden moves.
"""
from __future__ import annotations

from enum import IntEnum
from operator import mul
from typing import Sequence, Tuple

from ..lines import Describe, Facts

Weights = Tuple[Sequence[int], Sequence[int]]
VALUE_BITS = 32                     # a value is two, in the mover's view: low, of Black to move, and high, of White


class Pattern(IntEnum):
    """What a stone of one colour on an empty cell `*` does, the strongest first; X own stones, O the other side's.

    FIVE        completes a five                                        XXXX*
    OPEN_FOUR   leaves two or more cells that complete it               .XXX*.   X.XX*X.X
    FOUR        leaves at least one: the forced reply                   OXXX*.   XX.*X     (OPEN_FOUR is part of FOUR)
    OPEN_THREE  no four, leaves a new OPEN_FOUR cell                    .XX*..   .X.X*.
    THREE       stands in a window with two, of which a third makes FOUR cells      OXX*..   X.*.X

    and of the other colour's stone, where this one has OPEN_FOUR cells:
    ANSWER      leaves this one none of them                            .XXX*.   *XXX..

    Each is a mask of empty cells. All but FIVE are meant where FIVE is empty; where it is not, nobody asks for them.
    """

    FIVE = 0
    OPEN_FOUR = 1
    FOUR = 2
    OPEN_THREE = 3
    THREE = 4
    ANSWER = 5


CLASSES = len(Pattern)              # masks per colour; black's stand first, white's after them,
ORDER = 2 * CLASSES                 # then the bits of a number per cell, for ordering moves, the lowest first

# What is counted in a line for each colour, for its value: windows of k cells that the other colour has not entered, by
# own stones; spans, which are windows of k + 1 with free ends; and cells by what a stone there does.
COUNTS = ("1 in a window", "2 in a window", "3 in a window", "4 in a window", "1 in a span", "2 in a span",
          "3 in a span", "FOUR", "OPEN_FOUR", "OPEN_THREE", "open two")


def describer(length: int, k: int, weights: Weights) -> Describe:
    """Make the function that describes contents of lines of `length` cells for k in a row.

    `weights`: of each of COUNTS, for the side to move and for the other one. Answers are remembered: all directions of
    a board share one describer.
    """
    windows = [((1 << k) - 1) << i for i in range(length - k + 1)]
    spans = [(((1 << k + 1) - 1) << i, ((1 << k - 1) - 1) << i + 1) for i in range(length - k)]
    cache: dict[tuple[int, int], OneColour] = {}

    def one_colour(own: int, other: int) -> OneColour:
        found = cache.get((own, other))
        if found is None:
            found = cache[own, other] = OneColour(own, other, k, windows, spans)
            found.moving, found.waiting = (sum(map(mul, found.counts, each)) for each in weights)
        return found

    def describe(black: int, white: int) -> Facts:
        of_black, of_white = one_colour(black, white), one_colour(white, black)
        return Facts(of_black.masks + of_white.masks + _added(of_black.levels, of_white.levels),
                     of_black.moving + of_white.waiting + (of_white.moving + of_black.waiting << VALUE_BITS))

    return describe


class OneColour:
    """One colour's side of a line's content.

    masks: one for each Pattern; counts: as COUNTS names them, worth `moving` if it is this colour's turn, else
    `waiting`; levels: masks of the cells of level 1, 2 and 3 in the order of moves, apart from each other.
    """

    __slots__ = ("counts", "levels", "masks", "moving", "waiting")

    def __init__(self, own: int, other: int, k: int, windows: list[int], spans: list[tuple[int, int]]) -> None:
        missing: dict[int, list[int]] = {}              # stones missing -> the windows' empty cells
        for window in windows:
            if not window & other:
                empty = window & ~own
                missing.setdefault(bin(empty).count("1"), []).append(empty)
        pairs, triples = missing.get(2, []), missing.get(3, [])
        five = _union(missing.get(1, []))
        four, open_four = _fours(pairs)
        open_three = 0
        for cell in _bits(_union(triples) & ~four):
            after = pairs + [empty ^ cell for empty in triples if empty & cell]
            if _fours(after)[1] & ~(cell | open_four):
                open_three |= cell
        stronger = five | four | open_three
        open_two = 0
        spanned = [0, 0, 0, 0]                          # spans by the stones that they miss for a straight four
        for span, inside in spans:
            if not span & other and span & own and not (span ^ inside) & own:
                empty = inside & ~own
                count = bin(empty).count("1")
                if count < 4:
                    spanned[count] += 1
                if count == 3:
                    open_two |= empty
        answer = 0
        if open_four:
            for cell in _bits(_union(pairs)):
                if not _fours([pair for pair in pairs if not pair & cell])[1]:
                    answer |= cell
        three = _union(triples)
        self.masks = (five, open_four, four, open_three, three, answer)
        second = (three | open_two) & ~stronger
        self.levels = (_union(missing.get(4, [])) & ~(stronger | second), second, stronger)
        self.counts = (
            *(len(missing.get(k - stones, ())) for stones in (1, 2, 3, 4)), spanned[3], spanned[2], spanned[1],
            *(bin(mask).count("1") for mask in (four, open_four, open_three, open_two & ~stronger)))
        self.moving = self.waiting = 0


def _added(black: tuple[int, int, int], white: tuple[int, int, int]) -> tuple[int, ...]:
    """The bits of the sum of both colours' levels, 0 to 6 a cell, the lowest first."""
    b0, b1 = black[0] | black[2], black[1] | black[2]
    w0, w1 = white[0] | white[2], white[1] | white[2]
    carry = b0 & w0
    return b0 ^ w0, b1 ^ w1 ^ carry, b1 & w1 | carry & (b1 ^ w1)


def _fours(pairs: list[int]) -> tuple[int, int]:
    """(FOUR, OPEN_FOUR): cells after which one, and two or more, cells complete a window; `pairs` are what two miss."""
    partners: dict[int, int] = {}
    for pair in pairs:
        low = pair & -pair
        high = pair ^ low
        partners[low] = partners.get(low, 0) | high
        partners[high] = partners.get(high, 0) | low
    four = open_four = 0
    for cell, fives in partners.items():
        four |= cell
        if fives & (fives - 1):
            open_four |= cell
    return four, open_four


def _union(masks: list[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _bits(mask: int) -> list[int]:
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low)
        mask ^= low
    return bits
