"""Line patterns against their definitions, taken literally: put the stone, look at the line after it."""

from __future__ import annotations

import itertools
import random
from functools import lru_cache
from operator import mul
from typing import Tuple

import pytest

from submission.k_in_a_row.patterns import CLASSES, COUNTS, VALUE_BITS, LineFacts, Pattern, Runs
from submission.lines import Line

Cells = Tuple[int, ...]  # a line: 0 free, 1 own, 2 other


# Arbitrary numbers, so large and different that a wrong count changes the sum.
WEIGHTS = (
    [1, 17, 231, 3001, 40009, 7, 113, 1511, 20011, 300007, 53],
    [-3 * 7**i for i in range(len(COUNTS) - 3)] + [-11, -131, -1709],
)
FIRST, STRIDE, FIELD = 2, 3, 50  # cells of a line, masks: of no board in particular


def _unpacked(value: int) -> tuple[int, int]:
    """The values with Black and with White to move."""
    low = (value + (1 << VALUE_BITS - 1)) % (1 << VALUE_BITS) - (1 << VALUE_BITS - 1)
    return low, value - low >> VALUE_BITS


def _five(line: Cells, k: int) -> bool:
    return any(line[i : i + k] == (1,) * k for i in range(len(line) - k + 1))


def _put(line: Cells, cell: int, stone: int = 1) -> Cells:
    return (*line[:cell], stone, *line[cell + 1 :])


def _free(line: Cells) -> list[int]:
    return [i for i, stone in enumerate(line) if not stone]


def _completions(line: Cells, k: int) -> list[int]:
    return [i for i in _free(line) if _five(_put(line, i), k)]


def _open_fours(line: Cells, k: int) -> list[int]:
    return [i for i in _free(line) if len(_completions(_put(line, i), k)) >= 2]


def _straight(line: Cells, k: int, added: Tuple[int, ...]) -> bool:
    """Whether the `added` stones, together with stones of the line, make a straight four: .XXXX."""
    for cell in added:
        line = _put(line, cell)
    return any(
        line[i : i + k + 1] == (0, *(1,) * (k - 1), 0) and all(i < cell < i + k for cell in added)
        for i in range(len(line) - k)
    )


def _by_definition(line: Cells, k: int) -> dict[Pattern, list[int]]:
    """The cells of each pattern in a line in which no five can be completed yet."""
    free = _free(line)
    open_fours = _open_fours(line, k)
    fours = [i for i in free if _completions(_put(line, i), k)]
    threes = [i for i in free if i not in fours and set(_open_fours(_put(line, i), k)) - set(open_fours)]
    in_twos = [i for i in free if _fours_after(line, i, k)]
    answers = [i for i in free if open_fours and not _open_fours(_put(line, i, 2), k)]
    return dict(zip(Pattern, ([], open_fours, fours, threes, in_twos, answers)))


def _fours_after(line: Cells, cell: int, k: int) -> bool:
    """Whether a stone there makes fours that remain after the opponent has stopped the fives it threatens."""
    line = _put(line, cell)
    for stop in _completions(line, k):
        line = _put(line, stop, 2)
    return any(
        j <= cell < j + k and line[j : j + k].count(1) == k - 2 and 2 not in line[j : j + k]
        for j in range(len(line) - k + 1)
    )


def _swapped(line: Cells) -> Cells:
    return tuple((0, 2, 1)[stone] for stone in line)


def _open_twos(line: Cells, k: int, strong: list[int]) -> list[int]:
    """Cells from which two more stones, and no fewer, make a straight four."""
    free = _free(line)
    pairs = list(itertools.permutations(free, 2))
    return [
        i for i in free if i not in strong and any(_straight(line, k, (i, *pair)) for pair in pairs if i not in pair)
    ]


def _counts_by_definition(line: Cells, k: int) -> tuple[int, ...]:
    windows = [line[i : i + k].count(1) for i in range(len(line) - k + 1) if 2 not in line[i : i + k]]
    spans = [
        line[i : i + k + 1].count(1)
        for i in range(len(line) - k)
        if 2 not in line[i : i + k + 1] and line[i] == line[i + k] == 0
    ]
    patterns = _by_definition(line, k)
    strong = patterns[Pattern.FOUR] + patterns[Pattern.OPEN_THREE]
    return (*(windows.count(stones) for stones in (1, 2, 3, 4)), *(spans.count(k - 1 - more) for more in (3, 2, 1)),
            len(patterns[Pattern.FOUR]), len(patterns[Pattern.OPEN_FOUR]), len(patterns[Pattern.OPEN_THREE]),
            len(_open_twos(line, k, strong)))  # fmt: skip


def _described(line: Cells, k: int) -> tuple[dict[Pattern, list[int]], tuple[int, int]]:
    """The engine's masks of colour 1 as cells, and its two values."""
    own, other = (sum(1 << i for i, stone in enumerate(line) if stone == colour) for colour in (1, 2))
    describe, there = _facts(k), Line(0, tuple(range(FIRST, FIRST + STRIDE * len(line), STRIDE)))
    as_black, as_white = describe(own, other, there), describe(other, own, there)
    masks = [as_black[0] >> i * FIELD & (1 << FIELD) - 1 for i in range(2 * CLASSES)]
    swapped = [as_white[0] >> i * FIELD & (1 << FIELD) - 1 for i in range(2 * CLASSES)]
    assert masks == swapped[CLASSES:] + swapped[:CLASSES]
    low, high = _unpacked(as_black[1])
    assert (high, low) == _unpacked(as_white[1])
    cells = {pattern: [i for i, cell in enumerate(there.cells) if masks[pattern] >> cell & 1] for pattern in Pattern}
    return cells, (low, high)


@lru_cache(maxsize=None)
def _facts(k: int) -> LineFacts:
    return LineFacts(Runs(k, *WEIGHTS), STRIDE, FIELD)


def _check(line: Cells, k: int) -> None:
    if _five(line, k):
        return
    masks, values = _described(line, k)
    assert masks[Pattern.FIVE] == _completions(line, k), line
    if not masks[Pattern.FIVE]:
        assert masks == _by_definition(line, k), line
        if k == 5 and not _completions(_swapped(line), k):
            own, other = (_counts_by_definition(each, k) for each in (line, _swapped(line)))
            assert values == tuple(
                sum(map(mul, one, WEIGHTS[0])) + sum(map(mul, two, WEIGHTS[1]))
                for one, two in ((own, other), (other, own))
            ), line


@pytest.mark.parametrize("length, k", [
    (3, 3), (4, 3), (5, 4), (5, 5), (6, 5),
    *(pytest.param(length, 5, marks=pytest.mark.slow) for length in (7, 8, 9)),
])  # fmt: skip
def test_all_contents_of_short_lines(length: int, k: int) -> None:
    for line in itertools.product(range(3), repeat=length):
        _check(line, k)


@pytest.mark.parametrize("length", [9, 15])
def test_random_contents_of_long_lines(length: int) -> None:
    noise = random.Random(length)
    for _ in range(20):
        own, other = noise.random(), noise.random() * 0.4
        _check(tuple(1 if noise.random() < own else 2 if noise.random() < other else 0 for _ in range(length)), 5)
