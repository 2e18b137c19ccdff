"""Apart from the playing, a tournament of 10^5 games takes seconds, and its cost per game does not grow.

Few games are tested by default; 10^5 are `long`.
"""

from collections import deque
from contextlib import ExitStack
from time import process_time

import pytest

from env_adapter import Ending, EndingKind
from local_runner.game.records import Result
from local_runner.matches.screens import TournamentScreen
from local_runner.matches.tournament.executor import Done
from local_runner.matches.tournament.run import run
from local_runner.matches.tournament.store import PlayedGame, create
from tests.local_runner.matches.tournament.small import Impatient, plan_of

AGENTS = [f"random:seed={seed}" for seed in range(10)]


class Instant:
    """Plays every pair at once: the lower number wins both games."""

    def __init__(self, slots):
        self.slots = slots
        self.playing = {}
        self.results = deque()
        self.most = 0

    def submit(self, job):
        for game in job.fixtures:
            a, b = job.pair.pairing if game.number % 2 else job.pair.pairing[::-1]
            self.results.append(PlayedGame(
                number=game.number, pair=job.pair.number, black=a, white=b,
                result=Result(1 if a < b else 2, Ending(EndingKind.FULL_BOARD)), moves="", seed=0, machine="",
                started="", seconds=0.0,
            ))  # fmt: skip
        self.results.append(Done(job, None))
        self.most = max(self.most, len(self.results))

    def next(self, seconds):
        return self.results.popleft() if self.results else None


@pytest.fixture
def begun(tmp_path):
    """A file that does not wait for the disk."""

    def begin(schedule, rounds, agents):
        plan = plan_of(*agents, schedule=schedule, rounds=rounds)
        store = stack.enter_context(create(tmp_path / f"{schedule}{rounds}.db", plan, {}))
        store._tables.database.execute("PRAGMA synchronous = OFF")
        return store

    with ExitStack() as stack:
        yield begin


@pytest.mark.parametrize(
    ("schedule", "agents", "rounds"),
    [
        ("gauntlet", AGENTS[:2], 500),
        ("round-robin", AGENTS, 12),
        ("swiss", AGENTS, 100),
    ],
)
@pytest.mark.parametrize("times", [1, pytest.param(100, marks=pytest.mark.long)])
def test_very_many_games_are_stored(schedule, agents, rounds, times, begun):
    store, executor = begun(schedule, times * rounds, agents), Instant(64)
    assert run(store, executor, TournamentScreen(store)).complete
    numbers = [game.number for game in store.each_game()]
    assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) >= 1000 * times
    assert executor.most <= 3 * (2 * 64 + 45)


@pytest.mark.slow
@pytest.mark.parametrize("schedule", ["gauntlet", "swiss"])
def test_the_last_rounds_cost_what_the_first_did(schedule, begun):
    times = []
    for rounds in (100, 1000):
        store = begun(schedule, rounds, AGENTS[:4])
        started = process_time()
        run(store, Instant(4))
        times.append(process_time() - started)
    assert times[1] < 25 * times[0]  # ten times the games; quadratic cost would be a hundred times as long


@pytest.mark.parametrize("games", [1, 2, 177])
def test_of_games_that_end_together_none_is_kept_after_enough(games, begun):
    store = begun("gauntlet", 250, AGENTS[:2])
    assert not run(store, Instant(125), Impatient(games)).complete
    assert [game.number for game in store.games()] == list(range(1, games + 1))


def test_more_than_are_kept_together_are_all_kept(begun, monkeypatch):
    monkeypatch.setattr("local_runner.matches.tournament.run.TOGETHER", 50)
    store = begun("gauntlet", 150, AGENTS[:2])
    assert run(store, Instant(100)).complete
    assert len(store.games()) == 300


def test_what_is_gone_on_with_is_what_was_left(begun):
    store = begun("gauntlet", 250, AGENTS[:2])
    run(store, Instant(125), Impatient(177))
    assert [pair.number for pair in store.pairs_left()][:2] == [89, 90]
    assert run(store, Instant(8)).complete
    assert [game.number for game in store.games()] == list(range(1, 501))
