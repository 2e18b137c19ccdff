"""Counts by hand; score, Elo and LOS against published figures and degenerate counts."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_runner.matches.statistics.elo import (
    Estimate,
    Pentanomial,
    Tally,
    elo,
    elo_from_score,
    los,
    mean_and_variance,
    normalised_elo,
    of_pair,
    score,
    score_from_elo,
    tally,
)

INF = math.inf
COUNT = st.one_of(st.sampled_from([0, 1, 2]), st.integers(0, 3000))
GAMES = st.one_of(
    st.builds(Tally, COUNT, COUNT, COUNT),
    st.tuples(COUNT, COUNT, COUNT, COUNT, COUNT).map(Pentanomial),
)


def figures(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.low, estimate.value, estimate.high


@pytest.mark.parametrize(
    ("expected", "difference"),
    [(0.5, 0), (10 / 11, 400), (1 / 11, -400), (0.64, 99.95), (0.76, 200.24), (1, INF), (0, -INF)],
)
def test_elo_from_score_and_back(expected, difference):
    assert elo_from_score(expected) == pytest.approx(difference, abs=0.01)
    assert score_from_elo(difference) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, math.nan])
def test_a_score_out_of_range_has_no_elo(wrong):
    with pytest.raises(ValueError, match="between 0 and 1"):
        elo_from_score(wrong)


@pytest.mark.parametrize(
    ("wins", "losses", "low", "high"),
    [  # Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3
        (81, 182, 0.2553, 0.3662),
        (15, 133, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 28, 0.0061, 0.1718),
    ],
)
def test_games_without_draws_have_wilsons_interval(wins, losses, low, high):
    assert figures(score(Tally(wins, 0, losses))) == pytest.approx((low, wins / (wins + losses), high), abs=5.1e-5)


@pytest.mark.parametrize("games", [Tally(21404, 40708, 21184), Pentanomial((223, 9863, 21279, 10037, 246))])
def test_many_games_have_the_textbook_interval(games):
    """The textbook interval is the normal approximation from mean and variance of the observations."""
    n = sum(games.counts)
    mean, variance = mean_and_variance(games.counts)
    error = math.sqrt(variance / n)
    assert figures(score(games)) == pytest.approx((mean - 1.96 * error, mean, mean + 1.96 * error), abs=1e-6)
    assert figures(elo(games)) == pytest.approx(
        tuple(elo_from_score(mean + z * error) for z in (-1.96, 0, 1.96)), abs=1e-3
    )
    per_game = math.sqrt(variance * (2 if isinstance(games, Pentanomial) else 1))
    assert figures(normalised_elo(games)) == pytest.approx(
        tuple(347.4356 * (mean + z * error - 0.5) / per_game for z in (-1.96, 0, 1.96)), abs=2e-3
    )
    assert los(games) == pytest.approx(0.5 * (1 + math.erf((mean - 0.5) / error / math.sqrt(2))), abs=1e-4)


@pytest.mark.parametrize(("games", "of_score", "of_elo", "of_normalised", "superior"), [
    (Tally(), (0, 0.5, 1), (-INF, 0, INF), (-INF, 0, INF), 0.5),
    (Tally(10, 0, 0), (0.7225, 1, 1), (166.2, INF, INF), (172.6, INF, INF), 0.9992),
    (Tally(0, 0, 10), (0, 0, 0.2775), (-INF, -INF, -166.2), (-INF, -INF, -172.6), 0.0008),
    (Tally(0, 10, 0), (0.3448, 0.5, 0.6552), (-111.5, 0, 111.5), (-215.3, 0, 215.3), 0.5),
    (Pentanomial(), (0, 0.5, 1), (-INF, 0, INF), (-INF, 0, INF), 0.5),
    (Pentanomial((0, 0, 0, 0, 10)), (0.7225, 1, 1), (166.2, INF, INF), (122.1, INF, INF), 0.9992),
    (Pentanomial((0, 0, 0, 5, 0)), (0.4313, 0.75, 0.9223), (-48.0, 190.8, 429.7), (-46.4, INF, INF), 0.9361),
])  # fmt: skip
def test_games_without_variance(games, of_score, of_elo, of_normalised, superior):
    assert figures(score(games)) == pytest.approx(of_score, abs=1e-4)
    assert figures(elo(games)) == pytest.approx(of_elo, abs=0.1)
    assert figures(normalised_elo(games)) == pytest.approx(of_normalised, abs=0.1)
    assert los(games) == pytest.approx(superior, abs=1e-4)


@given(GAMES)
def test_the_figures_are_in_order_and_agree_about_who_is_ahead(games):
    for estimate in (score(games), elo(games), normalised_elo(games)):
        assert estimate.low <= estimate.value <= estimate.high
    assert {score(games).low > 0.5, elo(games).low > 0, normalised_elo(games).low > 0} == {los(games) > 0.975}


@given(GAMES)
def test_the_other_side_has_the_opposite_figures(games):
    for figure, whole in ((score, 1), (elo, 0), (normalised_elo, 0)):
        there, back = figure(games), figure(games.swapped)
        mirrored = (whole - there.high, whole - there.value, whole - there.low)
        assert figures(back) == pytest.approx(mirrored, rel=1e-6, abs=1e-6)
    assert los(games.swapped) == pytest.approx(1 - los(games))


# ---- counts


@pytest.mark.parametrize(("winners", "counts", "score"), [
    ((2, 1), (1, 0, 0, 0, 0), 0),  # lost with both colours
    ((2, 3), (0, 1, 0, 0, 0), 0.5),
    ((0, 1), (0, 1, 0, 0, 0), 0.5),
    ((3, 3), (0, 0, 1, 0, 0), 1),  # drawn, or the same colour won twice
    ((1, 1), (0, 0, 1, 0, 0), 1),
    ((3, 2), (0, 0, 0, 1, 0), 1.5),
    ((1, 2), (0, 0, 0, 0, 1), 2),
])  # fmt: skip
def test_a_pair_is_one_observation(winners, counts, score):
    first, second = winners
    found = of_pair(tally([first], 1), tally([second], 2))
    assert (found.counts, found.score, found.games) == (counts, score, 2)


def test_a_pentanomial_has_five_counts():
    with pytest.raises(ValueError, match="five counts, not 3"):
        Pentanomial((1, 2, 3))
