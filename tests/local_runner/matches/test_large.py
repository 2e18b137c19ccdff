"""Apart from the playing, a tournament of 10^5 games takes seconds. The tests of 1,000 are `slow`, of 10^5 `long`."""

import subprocess
import sys
from contextlib import ExitStack, closing
from itertools import islice

import pytest

from local_runner.matches.executor import LocalExecutor
from local_runner.matches.games import create
from local_runner.matches.run import run
from local_runner.matches.screens import TournamentScreen
from local_runner.matches.statistics.sprt import Sprt
from local_runner.system import json_lines
from tests.local_runner.matches.small import Instant, decoded, plan_of, play_instantly

AGENTS = [f"random:seed={seed}" for seed in range(10)]


@pytest.fixture
def begun(tmp_path):
    """The open file of a tournament."""

    def begin(schedule, rounds, agents, **settings):
        plan = plan_of(*agents, schedule=schedule, rounds=rounds, **settings)
        return stack.enter_context(create(tmp_path / f"{schedule}{rounds}.jsonl", plan, {}))

    with ExitStack() as stack:
        yield begin


@pytest.mark.slow
@pytest.mark.parametrize(("schedule", "agents", "rounds"), [("round-robin", AGENTS, 12), ("swiss", AGENTS, 100)])
@pytest.mark.parametrize("times", [1, pytest.param(100, marks=pytest.mark.long)])
def test_very_many_games_are_stored(schedule, agents, rounds, times, begun):
    store, executor = begun(schedule, times * rounds, agents), Instant(64)
    screen = TournamentScreen(store)
    for game in run(store, executor):
        screen.ended(game)
    numbers = [game.number for game in store]
    assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) >= 1000 * times
    assert executor.most <= 4 * 64 + 2 * 45  # the games of one round more than are wanted


def test_of_games_that_end_together_none_is_kept_after_the_decision(begun):
    store = begun("gauntlet", 250, AGENTS[:2], sprt=Sprt(0, 100))
    played = [game.number for game in play_instantly(store, 125)]
    assert 20 < len(played) < 250 and played == [game.number for game in store] == list(range(1, len(played) + 1))
    assert play_instantly(store) == []


@pytest.mark.parametrize("games", [1, 4, 5, 11])
def test_an_interrupted_swiss_tournament_has_the_same_pairs(games, begun):
    whole, cut = (begun("swiss", rounds, AGENTS[:4]) for rounds in (3, 4))
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
