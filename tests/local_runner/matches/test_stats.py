"""Counts and percentiles against tables worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_runner.matches.statistics.counts import Pentanomial, Tally, pentanomial, percentile, tally


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [
        ([15, 20, 35, 40, 50], 5, 15),  # the worked example of the nearest-rank method in Wikipedia
        ([15, 20, 35, 40, 50], 30, 20),
        ([15, 20, 35, 40, 50], 40, 20),
        ([15, 20, 35, 40, 50], 50, 35),
        ([15, 20, 35, 40, 50], 100, 50),
        ([3], 1, 3),
        ([3], 99, 3),
        ([2, 1], 50, 1),
        ([2, 1], 51, 2),
        (list(range(1, 101)), 99, 99),
        (list(range(1, 1001)), 99.9, 999),
    ],
)
def test_percentile(values, percent, expected):
    assert percentile(values, percent) == expected


@given(st.lists(st.integers(), min_size=1), st.integers(1, 100))
def test_a_percentile_is_the_least_value_that_covers_enough(values, percent):
    at = percentile(values, percent)
    covered = [sum(value <= x for value in values) * 100 for x in sorted(set(values))]
    assert at in values
    assert at == next(x for x, n in zip(sorted(set(values)), covered, strict=True) if n >= percent * len(values))


def test_no_values_have_no_percentile():
    with pytest.raises(ValueError, match="needs at least one value"):
        percentile([], 50)


@pytest.mark.parametrize(
    ("winners", "side", "expected", "score"),
    [
        ([], 1, Tally(0, 0, 0), 0),
        ([1, 1, 2, 3, 0], 1, Tally(2, 2, 1), 3),
        ([1, 1, 2, 3, 0], 2, Tally(1, 2, 2), 2),
    ],
)
def test_tally(winners, side, expected, score):
    found = tally(winners, side)
    assert (found, found.score, found.games) == (expected, score, len(winners))


def test_tallies_add_up():
    assert Tally(1, 2, 3) + Tally(10, 20, 30) == Tally(11, 22, 33)


def test_a_tally_from_the_other_side():
    assert (Tally(1, 2, 3).swapped, Tally(1, 2, 3).counts) == (Tally(3, 2, 1), (3, 2, 1))


@pytest.mark.parametrize(
    ("pairs", "counts", "score"),
    [
        ([], (0, 0, 0, 0, 0), 0),
        ([(2, 1)], (1, 0, 0, 0, 0), 0),  # lost with both colours
        ([(2, 3), (0, 1)], (0, 2, 0, 0, 0), 1),
        ([(3, 3), (1, 1), (2, 2)], (0, 0, 3, 0, 0), 3),  # drawn, or the same colour won twice
        ([(1, 3), (3, 2)], (0, 0, 0, 2, 0), 3),
        ([(1, 2), (1, 2), (2, 1)], (1, 0, 0, 0, 2), 4),
    ],
)
def test_pentanomial(pairs, counts, score):
    found = pentanomial(pairs, side=1)
    assert (found.counts, found.score, found.games) == (counts, score, 2 * len(pairs))
    assert pentanomial(pairs, side=2) == found.swapped


def test_pentanomials_add_up():
    assert Pentanomial((1, 2, 3, 4, 5)) + Pentanomial((10, 20, 30, 40, 50)) == Pentanomial((11, 22, 33, 44, 55))


def test_a_pentanomial_has_five_counts():
    with pytest.raises(ValueError, match="five counts, not 3"):
        Pentanomial((1, 2, 3))
