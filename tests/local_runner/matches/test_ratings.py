"""Bradley-Terry ratings against their own equations, the Elo of two agents, and simulated pools."""

import math
import random
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local_runner.matches.statistics.elo import Tally, elo, score_from_elo
from local_runner.matches.statistics.ratings import PRIOR_GAMES, crosstable, cycles, ratings

NAMES = "abcde"
POOLS = st.dictionaries(
    st.sampled_from(list(combinations(NAMES, 2))), st.builds(Tally, *[st.integers(0, 40)] * 3), min_size=1
)
ROCK = {
    ("rock", "scissors"): Tally(60, 0, 40),
    ("scissors", "paper"): Tally(55, 5, 40),
    ("rock", "paper"): Tally(1, 2, 7),
}


def by_name(pool):
    return {rating.name: rating for rating in pool}


@pytest.mark.slow
@settings(max_examples=30)
@given(POOLS)
def test_every_agent_has_the_points_that_its_rating_expects(results):
    """The equations of maximum likelihood, including the prior's games."""
    pool, table = by_name(ratings(results)), crosstable(results)

    def excess(name, origin):
        """Points minus expected points, with the virtual agent's rating at `origin`."""
        own = pool[name].elo
        real = sum(g.score - g.games * score_from_elo(own - pool[other].elo) for other, g in table[name].items())
        return real + PRIOR_GAMES * (0.5 - score_from_elo(own - origin))

    low, high = min(r.elo for r in pool.values()), max(r.elo for r in pool.values())
    for _ in range(60):  # bisection for the virtual agent's rating: the sum of all excesses is 0 there
        middle = (low + high) / 2
        low, high = (middle, high) if sum(excess(name, middle) for name in pool) < 0 else (low, middle)
    assert [excess(name, low) for name in pool] == pytest.approx([0] * len(pool), abs=1e-3)


@settings(max_examples=30)
@given(POOLS)
def test_ratings_are_finite_sorted_about_zero_and_the_same_from_the_other_side(results):
    pool = ratings(results)
    assert all(above.elo > below.elo - 1e-5 for above, below in pairwise(pool))
    assert sum(rating.elo for rating in pool) == pytest.approx(0, abs=1e-3)
    assert all(math.isfinite(rating.elo) and 0 < rating.error < math.inf for rating in pool)
    assert sum(rating.score for rating in pool) == sum(rating.games for rating in pool) / 2
    swapped = by_name(ratings({(b, a): games.swapped for (a, b), games in results.items()}))
    assert all(swapped[rating.name].elo == pytest.approx(rating.elo, abs=1e-3) for rating in pool)


@pytest.mark.parametrize("games", [Tally(600, 100, 300), Tally(200, 500, 300)])
def test_two_agents_are_rated_as_their_elo_says(games):
    """The prior reduces the difference slightly, and the error is symmetric."""
    direct, rated = elo(games), by_name(ratings({("new", "old"): games}))
    assert rated["new"].elo - rated["old"].elo == pytest.approx(direct.value, rel=0.01)
    assert rated["new"].error + rated["old"].error == pytest.approx((direct.high - direct.low) / 2, rel=0.02)


def test_where_the_prior_decides_the_error_is_large():
    lone = by_name(ratings({("a", "b"): Tally(500, 0, 500), ("c", "d"): Tally(500, 0, 500)}))
    unbeaten = by_name(ratings({("a", "b"): Tally(1000), ("b", "c"): Tally(500, 0, 500)}))
    assert all(rating.error > 200 for rating in lone.values())
    assert unbeaten["a"].elo > 500 and unbeaten["a"].error > 200
    assert ratings({}) == []


def test_errors_hold_the_truth_in_95_of_100_pools():
    rng, pools, true = random.Random(5), 200, {"a": 0, "b": 60, "c": -120, "d": 250}
    mean, held = sum(true.values()) / len(true), 0
    for _ in range(pools):
        results = {}
        for a, b in [("a", "b"), ("a", "c"), ("b", "c"), ("b", "d"), ("d", "a")]:
            expected = score_from_elo(true[a] - true[b])
            drawn = min(expected, 1 - expected) / 2
            chances = (expected - drawn / 2, drawn, 1 - expected - drawn / 2)
            seen = rng.choices("wdl", chances, k=60)
            results[a, b] = Tally(*(seen.count(result) for result in "wdl"))
        held += sum(abs(rating.elo - (true[rating.name] - mean)) < rating.error for rating in ratings(results))
    assert 0.93 < held / pools / len(true) < 0.98


@pytest.mark.parametrize(("results", "found"), [
    (ROCK, [("rock", "scissors", "paper")]),
    ({("a", "b"): Tally(2), ("b", "c"): Tally(2), ("a", "c"): Tally(2)}, []),
    ({("b", "a"): Tally(2), ("c", "b"): Tally(2), ("a", "c"): Tally(2)}, [("b", "a", "c")]),
    ({("a", "b"): Tally(2), ("b", "c"): Tally(2), ("c", "a"): Tally(2, 0, 2)}, []),  # c is as strong as a
    ({("a", "b"): Tally(2), ("b", "c"): Tally(2)}, []),
])  # fmt: skip
def test_cycles(results, found):
    assert cycles(results) == found
