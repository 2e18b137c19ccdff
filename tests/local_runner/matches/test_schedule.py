"""Schedules: the number of games of two agents, and the agent with Black in the first game."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_runner.matches.schedule import Pairing, Past, gauntlet, round_robin, swiss


def test_everybody_against_everybody_with_the_beginning_swapped():
    first = round_robin(3, Past(), {})
    assert first == [(0, 1), (0, 2), (1, 2)]
    assert round_robin(3, Past([first]), {}) == [(1, 0), (2, 0), (2, 1)]
    assert round_robin(3, Past([first, first]), {}) == first


def test_the_first_against_the_others():
    first = gauntlet(4, Past(), {})
    assert first == [(0, 1), (0, 2), (0, 3)]
    assert gauntlet(4, Past([first]), {}) == [(1, 0), (2, 0), (3, 0)]


@pytest.mark.parametrize(("past", "points", "expected"), [
    ([], {}, {(0, 1), (2, 3)}),
    ([], {3: 4, 1: 4}, {(1, 3), (0, 2)}),  # the standings decide, then the order of entry
    ([[(0, 1), (2, 3)]], {0: 4, 2: 4}, {(2, 0), (3, 1)}),  # winners meet; whoever had Black first now has White
    ([[(0, 1), (2, 3)], [(0, 2), (1, 3)]], {0: 6, 1: 6}, {(3, 0), (2, 1)}),  # the only pairings left
])  # fmt: skip
def test_swiss_of_four(past, points, expected):
    found = swiss(4, Past([Pairing(*pairing) for pairing in pairings] for pairings in past), points)
    assert {frozenset(pairing) for pairing in found} == {frozenset(pairing) for pairing in expected}


@pytest.mark.slow
@given(st.integers(2, 9), st.randoms(use_true_random=False))
def test_swiss_of_any_number(agents, rng):
    past, points, met, rests = [], Counter(), Counter(), Counter()
    for _ in range(agents - 1 + agents % 2):
        pairings = swiss(agents, Past(past), points)
        busy = [agent for pairing in pairings for agent in pairing]
        assert len(pairings) == agents // 2 and len(set(busy)) == len(busy)
        past.append(pairings)
        met.update(frozenset(pairing) for pairing in pairings)
        rests.update(set(range(agents)) - set(busy))
        for a, b in pairings:
            points[rng.choice((a, b))] += rng.choice((1, 2, 3, 4))
    assert max(rests.values(), default=1) == 1  # each rests once
    black_first = Counter(pairing.a for pairings in past for pairing in pairings)
    assert max(black_first[a] for a in range(agents)) <= agents // 2 + 1
    if agents < 5:  # with more agents some results make a repeated pairing unavoidable
        assert {frozenset(pair) for pair in combinations(range(agents), 2)} == set(met)


def test_swiss_pairings_are_the_same_for_the_same_results():
    past = Past([[Pairing(0, 1), Pairing(2, 3), Pairing(4, 5)]])
    assert swiss(6, past, {0: 4, 3: 4, 4: 2, 5: 2}) == swiss(6, past, {5: 2, 4: 2, 3: 4, 0: 4})
