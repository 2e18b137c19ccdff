"""What the content of one line means in k in a row: who can complete it, who threatens to, and what it is worth.

Names are those of five in a row, whatever k is (k = 3: a "five" is three in a row, a "four" two with a free third).
Five or more win, so a longer row counts as a five; there are no forbidden moves.

A line is, for one colour, the runs of cells that the other one has not entered: what a run means is found out once, for
whatever line it is met in.
"""
from __future__ import annotations

from enum import IntEnum
from operator import mul
from typing import Dict, Sequence, Tuple

from ..lines import Describe, Facts, Line, spread

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


CLASSES = len(Pattern)              # masks per colour; black's stand first, then white's

# What is counted in a line for each colour, for its value: windows of k cells that the other colour has not entered, by
# own stones; spans, which are windows of k + 1 with free ends; and cells by what a stone there does.
COUNTS = ("1 in a window", "2 in a window", "3 in a window", "4 in a window", "1 in a span", "2 in a span",
          "3 in a span", "FOUR", "OPEN_FOUR", "OPEN_THREE", "open two")


def describer(runs: Runs, stride: int, field: int) -> Describe:
    """Make the function that describes contents of lines of one direction, whose cells are `stride` apart."""
    answers, open_fours = Pattern.ANSWER * field, Pattern.OPEN_FOUR * field
    one_field = (1 << field) - 1
    known: dict[tuple[int, int], tuple[int, int, int]] = {}

    def one_colour(own: int, other: int, line: Line) -> tuple[int, int, int]:
        """A colour's masks, packed; its value to move, and to wait."""
        first = line.cells[0]
        packed = moving = waiting = 0
        for start, key in runs_of(own, other, len(line.cells)):
            found = known.get(key)
            if found is None:
                run = runs[key]
                masks = sum(spread(mask, stride) << i * field for i, mask in enumerate(run.masks))
                found = known[key] = masks, run.moving, run.waiting
            twice = packed >> open_fours & one_field and found[0] >> open_fours & one_field
            packed |= found[0] << first + start * stride
            if twice:                               # nothing answers in two runs
                packed &= ~(one_field << answers)
            moving += found[1]
            waiting += found[2]
        return packed, moving, waiting

    def describe(black: int, white: int, line: Line) -> Facts:
        of_black, black_moving, black_waiting = one_colour(black, white, line)
        of_white, white_moving, white_waiting = one_colour(white, black, line)
        return Facts(of_black | of_white << CLASSES * field,
                     black_moving + white_waiting + (white_moving + black_waiting << VALUE_BITS))

    return describe


def runs_of(own: int, other: int, length: int) -> list[tuple[int, tuple[int, int]]]:
    """The runs of a colour in a line of so many cells: where each begins, its size and its own stones.

    >>> runs_of(0b0010, 0b1000, 6)
    [(0, (3, 2)), (4, (2, 0))]
    """
    found = []
    free = (1 << length) - 1 & ~other
    while free:
        low = free & -free
        cells = free & ~(free + low)
        free ^= cells
        start = low.bit_length() - 1
        found.append((start, (cells.bit_length() - start, (own & cells) >> start)))
    return found


class Runs(Dict[Tuple[int, int], "Run"]):
    """The runs met so far, by size and own stones.

    Args: weights: of each of COUNTS, for the side to move and for the other one.
    """

    def __init__(self, k: int, weights: Weights) -> None:
        super().__init__()
        self.k, self.weights = k, weights

    def __missing__(self, key: tuple[int, int]) -> Run:
        self[key] = run = Run(*key, self)
        return run


class Run:
    """Cells in a row that the other colour has not entered, with nothing but its stones and the edge around them.

    masks: one for each Pattern
    counts: as COUNTS names them, worth `moving` if it is this colour's turn, else `waiting`
    """

    __slots__ = ("counts", "masks", "moving", "waiting")

    def __init__(self, size: int, own: int, runs: Runs) -> None:
        k = runs.k
        missing: dict[int, list[int]] = {}              # stones missing -> the windows' empty cells
        for i in range(size - k + 1):
            empty = (1 << k) - 1 << i & ~own
            missing.setdefault(bin(empty).count("1"), []).append(empty)
        pairs, triples = missing.get(2, []), missing.get(3, [])
        five = _union(missing.get(1, []))
        four, open_four = _fours(pairs)
        open_three = 0
        for cell in _bits(_union(triples) & ~four):
            after = pairs + [empty ^ cell for empty in triples if empty & cell]
            if _fours(after)[1] & ~(cell | open_four):
                open_three |= cell
        open_two = 0
        spanned = [0, 0, 0, 0]                          # spans by the stones that they miss for a straight four
        for i in range(size - k):
            span, inside = (1 << k + 1) - 1 << i, (1 << k - 1) - 1 << i + 1
            if span & own and not (span ^ inside) & own:
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
        self.masks = (five, open_four, four, open_three, _union(triples), answer)
        self.counts = (
            *(len(missing.get(k - stones, ())) for stones in (1, 2, 3, 4)), spanned[3], spanned[2], spanned[1],
            *(bin(mask).count("1") for mask in (four, open_four, open_three, open_two & ~(five | four | open_three))))
        self.moving, self.waiting = (sum(map(mul, self.counts, each)) for each in runs.weights)


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
