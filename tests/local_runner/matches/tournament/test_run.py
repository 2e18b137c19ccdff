"""Tournaments are played to their end even if interrupted, and no game is lost or played twice."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import ClassVar

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.errors import RunnerError
from local_runner.game.faults import Reason
from local_runner.game.setup import GameSetup
from local_runner.game.wording import result_text
from local_runner.matches.fixture import Terms
from local_runner.matches.match import match_plan, play_match
from local_runner.matches.tournament.executor import LocalExecutor
from local_runner.matches.tournament.run import Observer, begun, run
from local_runner.matches.tournament.store import create, open_to_run, read
from tests.local_runner.matches.tournament.small import Impatient, outcomes, plan_of, play_all
from tests.local_runner.matches.tournament.test_large import Instant
from tests.local_runner.processes.naughty import ON_LINUX, PATIENT, Family, path_of

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(
    ("schedule", "pairs"),
    [
        ("round-robin", {(0, 1): 2, (0, 2): 2, (1, 2): 2}),
        ("swiss", None),
    ],
)
def test_every_game_is_played_once(schedule, pairs, tmp_path):
    plan = plan_of("greedy", "random", path_of("first_free"), schedule=schedule, rounds=1)
    with create(tmp_path / "t.db", plan, {}) as store:
        ending = play_all(store)
        games = store.games()
    assert ending.complete and ending.crashed is None
    assert [game.number for game in games] == list(range(1, plan.games + 1))
    assert pairs is None or Counter(tuple(sorted((game.black, game.white))) for game in games) == pairs
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first.pair, first.black, first.white) == (second.pair, second.white, second.black)


def test_the_pairs_of_a_round_start_from_its_opening(tmp_path):
    book = (((1, 1),), ((1, 2), (0, 0)))
    with create(tmp_path / "t.db", plan_of("greedy", "random", rounds=3, book=book), {}) as store:
        play_all(store)
        begins = [" ".join(game.moves.split()[:2]) for game in store.games()]
    assert [begin[:3] for begin in begins] == ["1,1", "1,1", "1,2", "1,2", "1,1", "1,1"]
    assert begins[2] == begins[3] == "1,2 0,0"


def test_random_openings_are_the_seeds(tmp_path):
    def begins(name, seed):
        with create(tmp_path / name, plan_of("greedy", "greedy", rounds=3, seed=seed, book=()), {}) as store:
            run(store, Instant(1))
            return [pair.opening for pair in store.pairs()]

    first = begins("one.db", 1)
    assert len(first) == 3 and all(first)
    assert begins("again.db", 1) == first != begins("other.db", 2)


def test_the_same_plan_gives_the_same_games_on_any_number_of_slots(tmp_path):
    found = []
    for slots in (1, 3):
        with create(tmp_path / f"{slots}.db", plan_of("greedy", "random", rounds=2), {}) as store:
            play_all(store, slots)
            found.append(outcomes(store))
    assert found[0] == found[1]


@pytest.mark.parametrize("schedule", ["round-robin", pytest.param("swiss", marks=pytest.mark.slow)])
def test_what_was_stopped_goes_on_as_it_would_have_gone(schedule, tmp_path):
    third = [path_of("first_free")] if schedule == "swiss" else []
    plan = plan_of("greedy", "random", *third, rounds=2, schedule=schedule)
    with create(tmp_path / "whole.db", plan, {}) as store:
        play_all(store)
        whole = outcomes(store)
    with create(tmp_path / "t.db", plan, {}) as store:
        assert not play_all(store, observer=Impatient(1)).complete
    while True:
        with open_to_run(tmp_path / "t.db") as store:
            if play_all(store, observer=Impatient(2)).complete:
                break
    with read(tmp_path / "t.db") as store:
        assert outcomes(store) == whole


@pytest.mark.parametrize("decides", [False, True])
def test_a_game_is_announced_when_it_is_in_the_file(decides, tmp_path):
    class Watcher(Observer):
        def ended(self, game):
            with read(tmp_path / "t.db") as other:
                seen.append((game.number, other.game(game.number) is not None))

    watcher, seen = Watcher(), []
    watcher.decides = decides
    with create(tmp_path / "t.db", plan_of("greedy", "random"), {}) as store:
        play_all(store, observer=watcher)
    assert sorted(seen) == [(number, True) for number in range(1, 5)]


def test_a_tournament_is_begun_once_and_then_gone_on_with(tmp_path):
    path, plan = tmp_path / "t.db", plan_of("greedy", "random")
    path.touch()  # a run that was killed at once leaves an empty file
    for wanted in (0, 4):
        with begun(path, plan) as store:
            assert len(store.games()) == wanted
            play_all(store)
    with pytest.raises(RunnerError, match="holds games with other options"), begun(path, plan_of("greedy", "greedy")):
        pass
    with pytest.raises(RunnerError, match="exists; go on by `tengen tournament --resume"), begun(path, plan, new=True):
        pass


SCRIPT = """
from pathlib import Path
from typing import ClassVar
from local_runner.matches.tournament.store import create, open_to_run
from tests.local_runner.matches.tournament.small import plan_of, play_all
path = Path({path!r})
with (open_to_run(path) if path.exists() else create(path, plan_of(*{agents!r}, rounds=4), {{}})) as store:
    play_all(store)
"""


@pytest.mark.slow
@pytest.mark.skipif(not ON_LINUX, reason="looks processes up in /proc")
def test_kill_9_loses_nothing_and_repeats_nothing(tmp_path, monkeypatch):
    agents = ["greedy", "random"]
    with create(tmp_path / "whole.db", plan_of(*agents, rounds=4), {}) as store:
        play_all(store)
        whole = outcomes(store)
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # a killed run cannot delete its temporary files
    family, path = Family(monkeypatch), tmp_path / "t.db"
    script = SCRIPT.format(path=str(path), agents=agents)
    kills = 0
    for wanted in (1, 4):
        process = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT)
        while process.poll() is None and _count(path) < wanted:
            time.sleep(0.005)
        kills += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert family.settled(0)
    assert kills == 2
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)
    with read(path) as store:
        assert outcomes(store) == whole


def _count(path):
    with contextlib.suppress(RunnerError, OSError), read(path) as store:
        return len(store.games())
    return 0


def test_closing_ends_the_games_that_are_played(tmp_path, monkeypatch):
    family = Family(monkeypatch) if ON_LINUX else None
    with create(tmp_path / "t.db", plan_of("greedy", path_of("slow"), rounds=50), {}) as store:
        with LocalExecutor(2) as executor:
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
            with pytest.raises(KeyboardInterrupt):
                run(store, executor)
        assert len(store.games()) < store.plan.games
    assert family is None or family.settled(0)


@pytest.mark.parametrize("recover", [False, True])
def test_a_crash_ends_a_tournament_unless_it_is_to_recover(recover, tmp_path):
    with create(tmp_path / "t.db", plan_of("greedy", path_of("raiser"), recover=recover), {}) as store:
        ending = play_all(store, slots=1)
        games = store.games()
        printed = store.details(1).printed
    assert ending.complete == recover and len(games) == (4 if recover else 1)
    assert games[0].result.reason is Reason.CRASH and "no idea" in result_text(games[0].result)
    assert ending.crashed == (None if recover else games[0]) or ending.crashed.number == games[0].number
    assert printed == {"Black": "", "White": "this was printed before the end\n"}


def test_an_agent_that_cannot_be_played_is_the_users_to_mend(tmp_path):
    plan = plan_of("greedy", path_of("no_controller"), recover=True)
    with pytest.raises(RunnerError, match="has no function my_controller"), begun(tmp_path / "t.db", plan):
        pass
    assert not list(tmp_path.iterdir())


def _forgetful(folder):
    """An agent that can be loaded until a file is removed, and that file."""
    agent, memory = folder / "agent" / "forgetful.py", folder / "agent" / "memory"
    agent.parent.mkdir()
    shutil.copy(path_of("forgetful"), agent)
    memory.touch()
    return str(agent), memory


@pytest.mark.parametrize("recover", [False, True])
def test_an_agent_that_forgets_its_controller_loses_its_games_by_a_crash(recover, tmp_path):
    agent, memory = _forgetful(tmp_path)
    with begun(tmp_path / "t.db", plan_of("greedy", agent, recover=recover)) as store:
        memory.unlink()
        ending = play_all(store, slots=1)
        games = store.games()
    assert ending.complete == recover and len(games) == (4 if recover else 1)
    assert {(game.winner, game.black, game.result.reason.value) for game in games} <= {(1, 0, "crash"), (2, 1, "crash")}
    assert "could not be loaded: " in result_text(games[0].result)
    assert "forgetful.py has no function my_controller" in result_text(games[0].result)


def test_an_agent_of_a_match_may_forget_its_controller_after_the_first_game(tmp_path):
    agent, memory = _forgetful(tmp_path)
    setup = GameSetup("tictactoe_1v1")
    plan = match_plan((parse_agent("greedy"), parse_agent(agent)), Terms(setup, PATIENT), 4, ((), ()))

    class Forgetting(Observer):
        reasons: ClassVar[list[str]] = []

        def ended(self, game):
            self.reasons.append(game.result.reason.value)
            memory.unlink(missing_ok=True)

    assert play_match(plan, Forgetting()).complete
    assert Forgetting.reasons == ["by the rules", "crash", "crash", "crash"]
    with pytest.raises(RunnerError, match="has no function my_controller"):
        play_match(plan, Observer())
