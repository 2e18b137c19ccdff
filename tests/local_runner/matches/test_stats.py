"""Counts and percentiles against tables worked out by hand."""

import pytest

from local_runner.matches.statistics.counts import Pentanomial, of_pair, percentile, tally


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [
        ([15, 20, 35, 40, 50], 5, 15),  # the worked example of the nearest-rank method in Wikipedia
        ([15, 20, 35, 40, 50], 30, 20),
        ([15, 20, 35, 40, 50], 40, 20),
        ([15, 20, 35, 40, 50], 100, 50),
        ([3], 99, 3),
        ([2, 1], 50, 1),
        ([2, 1], 51, 2),
        (list(range(1, 1001)), 99.9, 999),
    ],
)
def test_percentile(values, percent, expected):
    assert percentile(values, percent) == expected


def test_no_values_have_no_percentile():
    with pytest.raises(ValueError, match="needs at least one value"):
        percentile([], 50)


@pytest.mark.parametrize(
    ("winners", "counts", "score"),
    [
        ((2, 1), (1, 0, 0, 0, 0), 0),  # lost with both colours
        ((2, 3), (0, 1, 0, 0, 0), 0.5),
        ((0, 1), (0, 1, 0, 0, 0), 0.5),
        ((3, 3), (0, 0, 1, 0, 0), 1),  # drawn, or the same colour won twice
        ((1, 1), (0, 0, 1, 0, 0), 1),
        ((3, 2), (0, 0, 0, 1, 0), 1.5),
        ((1, 2), (0, 0, 0, 0, 1), 2),
    ],
)
def test_a_pair_is_one_observation(winners, counts, score):
    first, second = winners
    found = of_pair(tally([first], 1), tally([second], 2))
    assert (found.counts, found.score, found.games) == (counts, score, 2)


def test_a_pentanomial_has_five_counts():
    with pytest.raises(ValueError, match="five counts, not 3"):
        Pentanomial((1, 2, 3))
