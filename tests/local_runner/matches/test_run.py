"""Tournaments are played to their end even if interrupted, and no game is lost or played twice."""

from collections import Counter
from contextlib import closing
from dataclasses import replace

import pytest

from local_runner.errors import RunnerError
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.records import NOBODY, Result
from local_runner.matches.executor import LocalExecutor
from local_runner.matches.games import Games, create, read, resume
from local_runner.matches.run import open_or_create, run
from tests.local_runner.matches.small import Instant, plan_of, play_instantly
from tests.local_runner.processes.naughty import ON_LINUX, Family, path_of


@pytest.mark.parametrize(("schedule", "pairs"), [
    ("round-robin", {(0, 1): 4, (0, 2): 4, (1, 2): 4}),
    ("gauntlet", {(0, 1): 4, (0, 2): 4}),
    ("swiss", {(0, 1): 2, (0, 2): 2}),
])  # fmt: skip
def test_every_game_is_played_once(schedule, pairs, tmp_path):
    plan = plan_of("greedy", "random", "seed003", schedule=schedule, rounds=2)
    with create(tmp_path / "t.jsonl", plan, {}) as store:
        games = play_instantly(store, 2)
        assert games == list(store)
    assert [game.number for game in games] == list(range(1, plan.games + 1))
    assert Counter(tuple(sorted((game.black, game.white))) for game in games) == pairs
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first.pair, first.black, first.white) == (second.pair, second.white, second.black)


def begins(path, **settings):
    """The openings of three rounds, as moves."""
    with create(path, plan_of("greedy", "greedy", rounds=3, **settings), {}) as store:
        play_instantly(store)
        return [game.moves for game in list(store)]


def test_the_games_of_a_round_start_from_its_opening(tmp_path):
    found = begins(tmp_path / "t.jsonl", book=(((1, 1),), ((1, 2), (0, 0))))
    assert found == ["1,1", "1,1", "1,2 0,0", "1,2 0,0", "1,1", "1,1"]


def test_random_openings_are_the_seeds(tmp_path):
    first = begins(tmp_path / "one.jsonl", seed=1, book=())
    assert all(first) and first[::2] == first[1::2] and len(set(first)) > 1
    assert (
        begins(tmp_path / "again.jsonl", seed=1, book=()) == first != begins(tmp_path / "other.jsonl", seed=2, book=())
    )


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
    with pytest.raises(RunnerError, match="exists; go on by `tengen tournament --resume"):
        open_or_create(path, plan, new=True).__enter__()


def test_games_that_have_ended_when_a_run_is_broken_off_are_kept():
    games = Games(plan_of("greedy", "random", rounds=4))
    assert [game.number for game in play_instantly(games, 2, games=1)] == [1]
    assert [game.number for game in games] == list(range(1, 9))


def test_a_game_that_the_machine_has_spoilt_is_played_again(tmp_path):
    plan, killed = (
        plan_of("greedy", "random", rounds=1),
        Fault(FaultKind.KILLED_OUTSIDE, {"number": 9, "name": "Killed"}),
    )
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
def test_closing_ends_the_games_that_are_played(tmp_path, monkeypatch):
    family = Family(monkeypatch) if ON_LINUX else None
    with create(tmp_path / "t.jsonl", plan_of("greedy", path_of("slow"), rounds=50), {}) as store:
        with LocalExecutor(2) as executor, closing(run(store, executor)) as playing:
            next(playing)
        assert len(store) < store.plan.games
    assert family is None or family.settled(0)
