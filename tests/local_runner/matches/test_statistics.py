"""Score, Elo, LOS and the SPRT against published figures, and the error rates of simulated matches."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_runner.errors import RunnerError
from local_runner.matches.statistics import sprt
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
from local_runner.matches.statistics.sprt import Decision, EloModel, Sprt

INF = math.inf
COUNT = st.one_of(st.sampled_from([0, 1, 2]), st.integers(0, 3000))
GAMES = st.builds(Tally, COUNT, COUNT, COUNT) | st.tuples(COUNT, COUNT, COUNT, COUNT, COUNT).map(Pentanomial)


def figures(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.low, estimate.value, estimate.high


@pytest.mark.parametrize(("expected", "difference"), [
    (0.5, 0), (10 / 11, 400), (1 / 11, -400), (0.64, 99.95), (0.76, 200.24), (1, INF), (0, -INF)
])  # fmt: skip
def test_elo_from_score_and_back(expected, difference):
    assert elo_from_score(expected) == pytest.approx(difference, abs=0.01)
    assert score_from_elo(difference) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(("wins", "losses", "low", "high"), [
    # Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3
    (81, 182, 0.2553, 0.3662), (15, 133, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 28, 0.0061, 0.1718),
])  # fmt: skip
def test_games_without_draws_have_wilsons_interval(wins, losses, low, high):
    assert figures(score(Tally(wins, 0, losses))) == pytest.approx((low, wins / (wins + losses), high), abs=5.1e-5)


@pytest.mark.parametrize("games", [Tally(21404, 40708, 21184), Pentanomial((223, 9863, 21279, 10037, 246))])
def test_many_games_have_the_textbook_interval(games):
    """The textbook interval is the normal approximation from mean and variance of the observations."""
    n = sum(games.counts)
    mean, variance = mean_and_variance(games.counts)
    error = math.sqrt(variance / n)
    assert figures(score(games)) == pytest.approx((mean - 1.96 * error, mean, mean + 1.96 * error), abs=1e-6)
    expected = tuple(elo_from_score(mean + z * error) for z in (-1.96, 0, 1.96))
    assert figures(elo(games)) == pytest.approx(expected, abs=1e-3)
    per_game = math.sqrt(variance * (2 if isinstance(games, Pentanomial) else 1))
    expected = tuple(347.4356 * (mean + z * error - 0.5) / per_game for z in (-1.96, 0, 1.96))
    assert figures(normalised_elo(games)) == pytest.approx(expected, abs=2e-3)
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


# ---- the SPRT

LOGISTIC, NORMALISED = EloModel.LOGISTIC, EloModel.NORMALISED


@pytest.mark.parametrize(("games", "elo0", "elo1", "model", "expected", "within"), [
    (Tally(21404, 40708, 21184), 0.5, 2.5, LOGISTIC, -1.57, 0.005),
    (Tally(57433, 106593, 57030), 0, 2, LOGISTIC, -2.59, 0.005),
    (Pentanomial((223, 9863, 21279, 10037, 246)), 0.5, 2.5, LOGISTIC, -3.07, 0.005),
    (Pentanomial((871, 26175, 55983, 26678, 821)), 0, 2, LOGISTIC, -4.98, 0.005),
    (Pentanomial((379, 10170, 21828, 10640, 343)), 0, 2, NORMALISED, 2.94598, 5e-6),
])  # fmt: skip
def test_llr(games, elo0, elo1, model, expected, within):
    assert Sprt(elo0, elo1, model=model).llr(games) == pytest.approx(expected, abs=within)


@pytest.mark.parametrize(("alpha", "beta", "lower", "upper"), [
    (0.05, 0.05, -2.944, 2.944), (0.05, 0.1, -2.251, 2.890), (0.01, 0.01, -4.595, 4.595)
])  # fmt: skip
def test_bounds(alpha, beta, lower, upper):
    assert Sprt(0, 5, alpha, beta).bounds == pytest.approx((lower, upper), abs=1e-3)


@pytest.mark.parametrize("model", EloModel)
@pytest.mark.parametrize(("games", "decision"), [
    (Tally(), Decision.NONE),
    (Tally(1, 0, 0), Decision.NONE),
    (Tally(0, 5, 0), Decision.NONE),
    (Tally(30, 0, 0), Decision.H1),
    (Tally(0, 0, 30), Decision.H0),
    (Pentanomial((0, 0, 0, 0, 30)), Decision.H1),
    (Pentanomial((30, 0, 0, 0, 0)), Decision.H0),
    (Pentanomial((10, 20, 100, 20, 10)), Decision.H0),
    (Pentanomial((5, 20, 100, 60, 30)), Decision.H1),
])  # fmt: skip
def test_decision(model, games, decision):
    assert Sprt(0, 60, model=model).decision(games) == decision


@pytest.mark.parametrize(("arguments", "sentence"), [
    ((5, 0), "elo0 < elo1"),
    ((0, 0), "elo0 < elo1"),
    ((0, 1000), "between -200 and 200"),
    ((math.nan, 5), "elo0 < elo1"),
    ((0, 5, 0, 0.05), "alpha > 0, beta > 0"),
    ((0, 5, 0.5, 0.5), "give e.g. 0.05 for both"),
])  # fmt: skip
def test_a_test_that_cannot_be_made(arguments, sentence):
    with pytest.raises(RunnerError, match=sentence):
        Sprt(*arguments)


@pytest.mark.slow
@given(GAMES, st.floats(-200, 199), st.floats(0.5, 100), st.sampled_from(EloModel))
def test_any_counts_have_an_llr_and_the_other_side_the_opposite(games, elo0, gap, model):
    elo1 = min(elo0 + gap, 200)
    llr = Sprt(elo0, elo1, model=model).llr(games)
    assert math.isfinite(llr)
    assert Sprt(-elo1, -elo0, model=model).llr(games.swapped) == pytest.approx(-llr, rel=1e-5, abs=1e-5)


def _errors(test: Sprt, chances: list[float], wrong: Decision, rng: random.Random, matches: int) -> float:
    """The share of simulated matches that accept the wrong hypothesis; the test decides after every fifth pair."""
    errors = 0
    for _ in range(matches):
        counts, decision = [0] * 5, Decision.NONE
        while decision is Decision.NONE:
            for result in rng.choices(range(5), chances, k=5):
                counts[result] += 1
            decision = test.decision(Pentanomial(tuple(counts)))
        errors += decision is wrong
    return errors / matches


def _tilted(chances: list[float], expected: float) -> list[float]:
    """The chances of a pair with that expected score: `chances` (score 1/2) mixed with pairs won or lost twice."""
    share = abs(2 * expected - 1)
    mixed = [(1 - share) * chance for chance in chances]
    mixed[4 if expected > 0.5 else 0] += share
    return mixed


@pytest.mark.parametrize(("model", "alpha", "beta"), [(LOGISTIC, 0.1, 0.2), (NORMALISED, 0.05, 0.05)])
@pytest.mark.slow
def test_error_rates_stay_near_alpha_and_beta(model, alpha, beta):
    matches, chances, elo0, elo1 = 150, [0.08, 0.22, 0.4, 0.22, 0.08], -20, 20
    scores = [score_from_elo(elo) for elo in (elo0, elo1)]
    if model is NORMALISED:  # the known variances give the two hypotheses in normalised Elo
        spread = [math.sqrt(2 * mean_and_variance(_tilted(chances, s))[1]) for s in scores]
        elo0, elo1 = (800 / math.log(10) * (s - 0.5) / d for s, d in zip(scores, spread, strict=True))
    test = Sprt(elo0, elo1, alpha, beta, model)
    rng = random.Random(11)
    false_h1 = _errors(test, _tilted(chances, scores[0]), Decision.H1, rng, matches)
    false_h0 = _errors(test, _tilted(chances, scores[1]), Decision.H0, rng, matches)
    for rate, stated in ((false_h1, alpha), (false_h0, beta)):
        noise = math.sqrt(stated * (1 - stated) / matches)
        assert abs(rate - stated) < 3 * noise
        assert rate > stated / 4


def test_both_forms_of_the_normalised_llr_agree_where_they_meet(monkeypatch):
    for counts in ((10, 200, 400, 250, 20), (30, 180, 400, 240, 30), (5, 90, 210, 130, 10), (0, 60, 200, 90, 3)):
        games, found = Pentanomial(counts), []
        for near in (0.0, 1.0):
            monkeypatch.setattr(sprt, "NEAR", near)
            found.append(Sprt(0, 20, model=NORMALISED).llr(games))
        assert found[0] == pytest.approx(found[1], rel=0.02, abs=0.02) and found[0] != found[1]
