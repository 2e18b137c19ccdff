"""The patterns of one line of k in a row: the fives, fours and threes that a stone would make, and the line's value.

Names are those of five in a row for every k. For k = 3, a "five" is three in a row, and a "four" is two stones and a
free third cell. k or more in a row win, so a longer row also counts as a "five". There are no forbidden moves.

For one colour a line is a list of runs: stretches of cells without a stone of the other colour. The analysis of a run
is stored and used again wherever the run occurs.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache, reduce
from operator import mul, or_
from typing import Dict, Sequence, Tuple

from ..boards import BLACK, WHITE, Line, spread
from .line_table import Facts

Described = Tuple[int, int, bool]  # a run of a colour: packed masks, packed value, whether it has OPEN_FOUR cells
# A packed value is two values of 32 bits. Low: Black's view, Black to move; high: White's view, White to move.
VALUE_BITS = 32


class Pattern(IntEnum):
    """The shape that a stone on the empty cell `*` makes, strongest first; X own stones, O the opponent's.

    FIVE        a five                                                  XXXX*
    OPEN_FOUR   a four that two or more cells complete                  .XXX*.   X.XX*X.X
    FOUR        a four that at least one cell completes                 OXXX*.   XX.*X     (includes OPEN_FOUR)
    OPEN_THREE  a three that threatens a new OPEN_FOUR                  .XX*..   .X.X*.
    THREE       a three that still has a FOUR cell, even after the      OXX*..   X.*.X
                opponent's reply to a four by the same stone

    ANSWER      the cell where the other colour's stone removes every   .XXX*.   *XXX..
                OPEN_FOUR cell of this colour in the line

    Each pattern is a mask of empty cells. If the FIVE mask is not empty, the other masks have no meaning.
    """

    FIVE = 0
    OPEN_FOUR = 1
    FOUR = 2
    OPEN_THREE = 3
    THREE = 4
    ANSWER = 5


CLASSES = len(Pattern)  # masks per colour; Black's are packed below White's

# Features of a line, per colour. A window is k cells without stones of the other colour, a span k + 1 such cells with
# both ends free. Windows and spans are counted by own stones, empty cells by the pattern that a stone there makes.
COUNTS = ("1 in a window", "2 in a window", "3 in a window", "4 in a window", "1 in a span", "2 in a span",
          "3 in a span", "FOUR", "OPEN_FOUR", "OPEN_THREE", "open two")  # fmt: skip


class LineFacts:
    """The `describe` function (see line_table.py) for the lines of one direction: masks and value of a configuration.

    Args: stride: difference of neighbouring cells of a line; field: bits of a mask, one per cell of the board.
    """

    def __init__(self, runs: Runs, stride: int, field: int) -> None:
        self.runs, self.stride, self.field = runs, stride, field
        self.caches: tuple[dict[int, Described], ...] = ({}, {})  # analysed runs by colour and run key
        self.not_answers = [
            (1 << CLASSES * 2 * field) - 1 & ~((1 << field) - 1 << (CLASSES * colour + Pattern.ANSWER) * field)
            for colour in (BLACK, WHITE)
        ]

    def __call__(self, black: int, white: int, line: Line) -> Facts:
        first, length = line.cells[0], len(line.cells)
        packed = value = 0
        for colour, own, other in ((BLACK, black, white), (WHITE, white, black)):
            cache, threats = self.caches[colour], 0  # threats: number of runs with OPEN_FOUR cells
            for start, cells, end in free_runs(other, length, self.runs.k):
                key = own >> start & cells | end
                described = cache.get(key)
                if described is None:
                    described = cache[key] = self._of_run(colour, key)
                packed |= described[0] << first + start * self.stride
                value += described[1]
                threats += described[2]
            if threats > 1:  # a single stone cannot answer OPEN_FOUR cells in two runs
                packed &= self.not_answers[colour]
        return packed, value

    def _of_run(self, colour: int, key: int) -> Described:
        run = self.runs[key]
        places = enumerate(run.masks, CLASSES * colour)
        masks = sum(spread(mask, self.stride) << place * self.field for place, mask in places if mask)
        by_turn = (run.moving, run.waiting) if colour == BLACK else (run.waiting, run.moving)
        return masks, by_turn[BLACK] + (by_turn[WHITE] << VALUE_BITS), run.masks[Pattern.OPEN_FOUR] != 0


@lru_cache(maxsize=1 << 13)
def free_runs(other: int, length: int, shortest: int) -> list[tuple[int, int, int]]:
    """The runs of a line without stones of `other`, of at least `shortest` cells: (start, mask of the cells, end bit).

    In both ints, bit 0 is the run's first cell. The end bit is the bit after the run's last cell. A run's key is the
    end bit plus the bits of the colour's stones.

    >>> free_runs(0b0010000, 7, 2)
    [(0, 15, 16), (5, 3, 4)]
    """
    runs = []
    free = (1 << length) - 1 & ~other
    while free:
        low = free & -free
        cells = free & ~(free + low)
        free ^= cells
        start = low.bit_length() - 1
        if cells >> start + shortest - 1:
            runs.append((start, cells >> start, (cells >> start) + 1))
    return runs


class Runs(Dict[int, "Run"]):
    """The analysed runs by key; a missing run is analysed when it is read.

    Args: moving, waiting: weights of COUNTS if the run's colour is to move, and if it is not.
    """

    def __init__(self, k: int, moving: Sequence[int], waiting: Sequence[int]) -> None:
        super().__init__()
        self.k, self.weights = k, (moving, waiting)

    def __missing__(self, key: int) -> Run:
        size = key.bit_length() - 1
        self[key] = run = Run(size, key ^ 1 << size, self)
        return run


class Run:
    """The analysis of one run.

    masks: one for each Pattern; counts: one for each of COUNTS
    moving, waiting: the value of the run if its colour is to move, and if it is not
    """

    __slots__ = ("counts", "masks", "moving", "waiting")

    def __init__(self, size: int, own: int, runs: Runs) -> None:
        k = runs.k
        missing: dict[int, list[int]] = {}  # number of empty cells -> masks of them, one for each window
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
        spanned = [0, 0, 0, 0]  # spans, by the stones missing for an open four
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
        in_windows = [len(missing.get(k - stones, ())) for stones in (1, 2, 3, 4)]
        counted = (four, open_four, open_three, open_two & ~(five | four | open_three))
        self.counts = (*in_windows, *spanned[3:0:-1], *(bin(mask).count("1") for mask in counted))
        self.moving, self.waiting = (sum(map(mul, self.counts, each)) for each in runs.weights)


def _fours(pairs: list[int]) -> tuple[int, int]:
    """The masks (FOUR, OPEN_FOUR). `pairs`: masks of the two empty cells of windows that lack two stones.

    A stone on one cell of a pair makes a four, which the other cell completes. An OPEN_FOUR cell has two partners.
    """
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
    return reduce(or_, masks, 0)


def _bits(mask: int) -> list[int]:
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low)
        mask ^= low
    return bits
