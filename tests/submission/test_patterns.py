"""Line patterns against their definitions, read literally: put the stone, look what it leaves."""
from __future__ import annotations

import itertools
import random
from typing import Iterator, Tuple

import pytest

from submission.gomoku.patterns import CLASSES, describer

Cells = Tuple[int, ...]             # a line: 0 free, 1 own, 2 other


def _five(line: Cells, k: int) -> bool:
    return any(line[i:i + k] == (1,) * k for i in range(len(line) - k + 1))


def _put(line: Cells, cell: int) -> Cells:
    return (*line[:cell], 1, *line[cell + 1:])


def _free(line: Cells) -> list[int]:
    return [i for i, stone in enumerate(line) if not stone]


def _completions(line: Cells, k: int) -> list[int]:
    return [i for i in _free(line) if _five(_put(line, i), k)]


def _by_definition(line: Cells, k: int) -> tuple[list[int], list[int], list[int], list[int]]:
    """(FIVE, OPEN_FOUR, FOUR, OPEN_THREE) of a line in which no five can be completed yet."""
    open_fours = [i for i in _free(line) if len(_completions(_put(line, i), k)) >= 2]
    fours = [i for i in _free(line) if _completions(_put(line, i), k)]
    threes = [i for i in _free(line) if i not in fours
              and any(j not in open_fours and len(_completions(_put(_put(line, i), j), k)) >= 2
                      for j in _free(_put(line, i)))]
    return _completions(line, k), open_fours, fours, threes


def _masks(line: Cells, length: int, k: int) -> list[list[int]]:
    wall = (1 << length) - 1 >> len(line) << len(line)
    own = sum(1 << i for i, stone in enumerate(line) if stone == 1) | wall
    other = sum(1 << i for i, stone in enumerate(line) if stone == 2) | wall
    as_black = describer(length, k)(own, other)
    as_white = describer(length, k)(other, own)
    assert as_black.masks[:CLASSES] == as_white.masks[CLASSES:]
    assert as_black.masks[CLASSES:] == as_white.masks[:CLASSES]
    assert as_black.value == -as_white.value
    assert as_black.order == as_white.order
    return [[i for i in range(length) if mask >> i & 1] for mask in as_black.masks[:CLASSES]]


def _check(line: Cells, length: int, k: int) -> None:
    if _five(line, k):
        return
    masks = _masks(line, length, k)
    assert masks[0] == _completions(line, k), line
    if not masks[0]:
        assert masks == list(_by_definition(line, k)), line


def _samples(length: int, count: int) -> Iterator[Cells]:
    noise = random.Random(length)
    for _ in range(count):
        own, other = noise.random(), noise.random() * 0.4
        yield tuple(1 if noise.random() < own else 2 if noise.random() < other else 0 for _ in range(length))


@pytest.mark.parametrize("length, k", [(3, 3), (4, 3), (5, 4), (5, 5), (6, 5), (7, 5), (8, 5)])
def test_all_contents_of_short_lines(length: int, k: int) -> None:
    for line in itertools.product(range(3), repeat=length):
        _check(line, length, k)


@pytest.mark.parametrize("cells", [9, 12, 15])
def test_random_contents_of_long_lines(cells: int) -> None:
    for line in _samples(cells, 700):
        _check(line, 15, 5)
