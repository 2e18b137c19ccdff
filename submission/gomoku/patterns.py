"""What the content of one line means in k in a row: who can complete it, who threatens to, and what it is worth.

Names are those of five in a row, whatever k is (k = 3: a "five" is three in a row, a "four" two with a free third).
Five or more win, so a longer row counts as a five; there are no forbidden moves.

A line is, for one colour, the runs of cells that the other one has not entered: what a run means is found out once, for
whatever line it is met in.
"""
from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from operator import mul
from typing import Dict, Sequence, Tuple

from ..lines import BLACK, WHITE, Describe, Facts, Line, spread

Weights = Tuple[Sequence[int], Sequence[int]]
Described = Tuple[int, int, bool]   # a run of a colour: its masks, its value, whether it has OPEN_FOUR cells
VALUE_BITS = 32                     # a value is two, in the mover's view: low, of Black to move, and high, of White


class Pattern(IntEnum):
    """What a stone of one colour on an empty cell `*` does, the strongest first; X own stones, O the other side's.

    FIVE        completes a five                                        XXXX*
    OPEN_FOUR   leaves two or more cells that complete it               .XXX*.   X.XX*X.X
    FOUR        leaves at least one: the forced reply                   OXXX*.   XX.*X     (OPEN_FOUR is part of FOUR)
    OPEN_THREE  no four, leaves a new OPEN_FOUR cell                    .XX*..   .X.X*.
    THREE       stands in a window with two, so that there are FOUR cells again     OXX*..   X.*.X
                when a five that it leaves has been stopped

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
    k = runs.k
    answers = [(1 << field) - 1 << (CLASSES * colour + Pattern.ANSWER) * field for colour in (BLACK, WHITE)]
    known: tuple[dict[int, Described], ...] = ({}, {})

    def of_run(colour: int, key: int) -> Described:
        run = runs[key]
        masks = sum(spread(mask, stride) << i * field for i, mask in enumerate(run.masks, CLASSES * colour) if mask)
        by_turn = (run.moving, run.waiting) if colour == BLACK else (run.waiting, run.moving)
        return masks, by_turn[BLACK] + (by_turn[WHITE] << VALUE_BITS), run.masks[Pattern.OPEN_FOUR] != 0

    def describe(black: int, white: int, line: Line) -> Facts:
        first, length = line.cells[0], len(line.cells)
        packed = value = 0
        for colour, own, other in ((BLACK, black, white), (WHITE, white, black)):
            described, threats = known[colour], 0           # runs with OPEN_FOUR cells
            for start, cells, end in free_runs(other, length, k):
                key = own >> start & cells | end
                found = described.get(key)
                if found is None:
                    found = described[key] = of_run(colour, key)
                packed |= found[0] << first + start * stride
                value += found[1]
                threats += found[2]
            if threats > 1:                                 # nothing answers in two runs
                packed &= ~answers[colour]
        return packed, value

    return describe


@lru_cache(maxsize=1 << 13)
def free_runs(other: int, length: int, shortest: int) -> list[tuple[int, int, int]]:
    """The runs of so many cells or more in a line that `other` has not entered: where each begins, its cells as a mask
    from there, and the bit that ends it. With the own stones below that bit it is the key by which a run is known.

    >>> free_runs(0b0010000, 7, 2)
    [(0, 15, 16), (5, 3, 4)]
    """
    found = []
    free = (1 << length) - 1 & ~other
    while free:
        low = free & -free
        cells = free & ~(free + low)
        free ^= cells
        start = low.bit_length() - 1
        if cells >> start + shortest - 1:
            found.append((start, cells >> start, (cells >> start) + 1))
    return found


class Runs(Dict[int, "Run"]):
    """The runs met so far, by their keys.

    Args: weights: of each of COUNTS, for the side to move and for the other one.
    """

    def __init__(self, k: int, weights: Weights) -> None:
        super().__init__()
        self.k, self.weights = k, weights

    def __missing__(self, key: int) -> Run:
        size = key.bit_length() - 1
        self[key] = run = Run(size, key ^ 1 << size, self)
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
        three = 0
        for cell in _bits(_union(triples)):
            stops = _union([pair for pair in pairs if pair & cell]) & ~cell
            if any(empty & cell and not empty & stops for empty in triples):
                three |= cell
        answer = 0
        if open_four:
            for cell in _bits(_union(pairs)):
                if not _fours([pair for pair in pairs if not pair & cell])[1]:
                    answer |= cell
        self.masks = (five, open_four, four, open_three, three, answer)
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
