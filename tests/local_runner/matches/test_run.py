"""Tournaments are played to their end even if interrupted, and no game is lost or played twice.

Without the agents' time, a tournament of 10^5 games takes seconds. Tests of 1,000 games are `slow`, of 10^5 `long`.
"""

import subprocess
import sys
from collections import Counter
from contextlib import closing
from dataclasses import replace
from itertools import chain, combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_runner.errors import RunnerError
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.records import NOBODY, Result
from local_runner.matches.executor import LocalExecutor
from local_runner.matches.games import Games, create, read, resume
from local_runner.matches.run import open_or_create, run
from local_runner.matches.schedule import Pairing, Past, Schedule, swiss
from local_runner.matches.screens import TournamentScreen
from local_runner.matches.statistics.sprt import Sprt
from local_runner.system import json_lines
from tests.local_runner.matches.small import Instant, decoded, plan_of, play_instantly
from tests.local_runner.processes.naughty import ON_LINUX, Family, written


@pytest.mark.parametrize(("schedule", "pairs"), [
    ("round-robin", {(0, 1): 4, (0, 2): 4, (1, 2): 4}),
    ("gauntlet", {(0, 1): 4, (0, 2): 4}),
    ("swiss", {(0, 1): 2, (0, 2): 2}),
])  # fmt: skip
def test_every_game_is_played_once(schedule, pairs):
    kept = Games(plan_of("greedy", "random", "seed003", schedule=schedule, rounds=2))
    games = play_instantly(kept, 2)
    assert games == list(kept) and [game.number for game in games] == list(range(1, kept.plan.games + 1))
    assert Counter(tuple(sorted((game.black, game.white))) for game in games) == pairs
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first.pair, first.black, first.white) == (second.pair, second.white, second.black)


def begins(**settings):
    """The openings of three rounds, as moves."""
    return [game.moves for game in play_instantly(Games(plan_of("greedy", "greedy", rounds=3, **settings)))]


def test_the_games_of_a_round_start_from_its_opening():
    found = begins(book=(((1, 1),), ((1, 2), (0, 0))))
    assert found == ["1,1", "1,1", "1,2 0,0", "1,2 0,0", "1,1", "1,1"]
    first = begins(seed=1, book=())  # random ones
    assert all(first) and first[::2] == first[1::2] and len(set(first)) > 1
    assert begins(seed=1, book=()) == first != begins(seed=2, book=())


def test_a_game_is_announced_when_it_is_in_the_file(tmp_path):
    with create(tmp_path / "t.jsonl", plan_of("greedy", "random"), {}) as store:
        seen = [(game.number, read(tmp_path / "t.jsonl").get(game.number) == game) for game in run(store, Instant(2))]
    assert seen == [(number, True) for number in range(1, 5)]


@pytest.mark.slow
def test_a_tournament_is_begun_once_and_then_gone_on_with(tmp_path):
    path, plan = tmp_path / "t.jsonl", plan_of("greedy", "random")
    path.touch()  # a run that was killed at once leaves an empty file
    for wanted in (0, 4):
        with open_or_create(path, plan) as store:
            assert len(list(store)) == wanted
            play_instantly(store)
    with pytest.raises(RunnerError, match="holds games with other options"):
        open_or_create(path, plan_of("greedy", "greedy")).__enter__()


def test_games_that_have_ended_when_a_run_is_broken_off_are_kept():
    games = Games(plan_of("greedy", "random", rounds=4))
    assert [game.number for game in play_instantly(games, 2, games=1)] == [1]
    assert [game.number for game in games] == list(range(1, 9))


def test_a_game_that_the_machine_has_spoilt_is_played_again(tmp_path):
    plan = plan_of("greedy", "random", rounds=1)
    killed = Fault(FaultKind.KILLED_OUTSIDE, {"number": 9, "name": "Killed"})
    with create(tmp_path / "t.jsonl", plan, {}) as store:
        play_instantly(store)
        whole = list(store)
    with create(tmp_path / "spoilt.jsonl", plan, {}) as store:
        store.add(replace(whole[0], result=Result(NOBODY, fault=killed)))
    assert [game.winner for game in read(tmp_path / "spoilt.jsonl")] == [NOBODY]
    with resume(tmp_path / "spoilt.jsonl") as store:
        play_instantly(store)
    assert list(read(tmp_path / "spoilt.jsonl")) == whole


@pytest.mark.slow
def test_closing_ends_the_games_that_are_played(monkeypatch, tmp_path):
    family = Family(monkeypatch) if ON_LINUX else None
    games = Games(plan_of("greedy", written(tmp_path, "import time; time.sleep(1.2)"), rounds=50))
    with LocalExecutor(2) as executor, closing(run(games, executor)) as playing:
        next(playing)
    assert len(games) < games.plan.games and (family is None or family.settled(0))


# ---- large tournaments

AGENTS = [f"random:seed={seed}" for seed in range(10)]


@pytest.mark.slow
@pytest.mark.parametrize(("schedule", "agents", "rounds"), [("round-robin", AGENTS, 12), ("swiss", AGENTS, 100)])
@pytest.mark.parametrize("times", [1, pytest.param(100, marks=pytest.mark.long)])
def test_very_many_games_are_stored(schedule, agents, rounds, times, tmp_path):
    executor, plan = Instant(64), plan_of(*agents, schedule=schedule, rounds=times * rounds)
    with create(tmp_path / "t.jsonl", plan, {}) as games:
        screen = TournamentScreen(games)
        for game in run(games, executor):
            screen.ended(game)
    numbers = [game.number for game in games]
    assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) >= 1000 * times
    assert executor.most <= 4 * 64 + 2 * 45  # AHEAD games a slot, plus the games of one round


def test_of_games_that_end_together_none_is_kept_after_the_decision():
    store = Games(plan_of("greedy", "random", rounds=250, sprt=Sprt(0, 100)))
    played = [game.number for game in play_instantly(store, 125)]
    assert 20 < len(played) < 250 and played == [game.number for game in store] == list(range(1, len(played) + 1))
    assert play_instantly(store) == []


@pytest.mark.parametrize("games", [1, 4, 5, 11])
def test_an_interrupted_swiss_tournament_has_the_same_pairs(games):
    whole, cut = (Games(plan_of(*AGENTS[:4], schedule="swiss", rounds=rounds)) for rounds in (3, 4))
    play_instantly(whole)
    play_instantly(cut, games=games)
    play_instantly(cut)
    assert [game.pairing for game in cut][:12] == [game.pairing for game in whole]


USED = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
    "used = resource.getrusage(resource.RUSAGE_CHILDREN); print(used.ru_utime + used.ru_stime, used.ru_maxrss)"
)


@pytest.mark.long
def test_a_report_and_resuming_of_100_000_games_take_a_minute_and_300_mb(tmp_path):
    path = tmp_path / "t.jsonl"
    plan = plan_of("greedy", "random", rounds=50_000)
    with create(path, plan, {}) as games, LocalExecutor(2) as executor, closing(run(games, executor)) as playing:
        list(islice(playing, 20))
    first, *lines = path.read_bytes().splitlines(keepends=True)
    played = [decoded(line) for line in lines[:20]]
    with open(path, "wb") as file:
        file.write(first)
        for number in range(1, 100_001):
            same = next(game for game in played if game["number"] % 2 == number % 2)
            file.write(json_lines.encoded(same | {"number": number}))
    for command in (["report", str(path)], ["tournament", "--resume", str(path), "--quiet"]):
        program = [sys.executable, "-c", USED, sys.executable, "-m", "local_runner", *command]
        out = subprocess.run(program, capture_output=True, text=True, check=True).stdout
        seconds, kilobytes = map(float, out.split()[-2:])
        assert seconds < 60 and kilobytes < 300_000, command


# ---- schedules


@pytest.mark.parametrize(("schedule", "agents", "rounds"), [
    (Schedule.ROUND_ROBIN, 3, [[(0, 1), (0, 2), (1, 2)], [(1, 0), (2, 0), (2, 1)], [(0, 1), (0, 2), (1, 2)]]),
    (Schedule.GAUNTLET, 4, [[(0, 1), (0, 2), (0, 3)], [(1, 0), (2, 0), (3, 0)], [(0, 1), (0, 2), (0, 3)]]),
    (Schedule.MATCH, 2, [[(0, 1)]] * 3),
])  # fmt: skip
def test_rounds_that_do_not_depend_on_the_points(schedule, agents, rounds):
    for number, expected in enumerate(rounds):
        assert schedule.pairings(agents, Past([[Pairing(0, 1)]] * number), {}) == expected


@pytest.mark.parametrize(("past", "points", "expected"), [
    ([], {}, {(0, 1), (2, 3)}),
    ([], {3: 4, 1: 4}, {(1, 3), (0, 2)}),  # the standings decide, then the order of entry
    ([[(0, 1), (2, 3)]], {0: 4, 2: 4}, {(2, 0), (3, 1)}),  # winners meet; whoever had Black first now has White
    ([[(0, 1), (2, 3)], [(0, 2), (1, 3)]], {0: 6, 1: 6}, {(3, 0), (2, 1)}),  # the only pairings left
])  # fmt: skip
def test_swiss_of_four(past, points, expected):
    found = swiss(4, Past([Pairing(*pairing) for pairing in pairings] for pairings in past), points)
    assert {frozenset(pairing) for pairing in found} == {frozenset(pairing) for pairing in expected}


def test_agents_of_a_known_pair_are_not_paired_again():
    assert Schedule.SWISS.pairings(4, Past(), {}, {1: Pairing(0, 2)}) == [(1, 3), (0, 2)]


@pytest.mark.slow
@given(st.integers(2, 9), st.randoms(use_true_random=False))
def test_swiss_of_any_number(agents, rng):
    past, points, met, rests = [], Counter(), Counter(), Counter()
    for _ in range(agents - 1 + agents % 2):
        pairings = swiss(agents, Past(past), points)
        busy = [agent for pairing in pairings for agent in pairing]
        assert len(pairings) == agents // 2 and len(set(busy)) == len(busy)
        known = {place: pairing for place, pairing in enumerate(pairings) if rng.random() < 0.5}  # played before
        again = Schedule.SWISS.pairings(agents, Past(past), Counter(), known)
        assert len(set(chain(*again))) == len(busy) and known.items() <= dict(enumerate(again)).items()
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
