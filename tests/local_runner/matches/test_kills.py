"""kill -9 of a tournament at random moments: no game is lost, repeated or half written, and no process is left.

Three victims in turn: the runner, one of its agents, and the runner in the middle of a write. A game is announced
when the observer of the run is told of it, as the screen is.
"""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from local_runner.errors import RunnerError
from local_runner.game.faults import FaultKind
from local_runner.matches.executor import LocalExecutor
from local_runner.matches.games import read
from local_runner.matches.run import Observer, open_or_create, run
from tests.local_runner.matches.small import outcomes, plan_of
from tests.local_runner.processes.naughty import ON_LINUX, Family

PATIENCE = 120.0  # seconds
LATEST = 2.0  # seconds after its start at which the runner is killed, at the latest
SCRIPT = "import sys; from tests.local_runner.matches.test_kills import play; play(*sys.argv[1:])"
ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(not ON_LINUX, reason="looks processes up in /proc")


class Announcer(Observer):
    def __init__(self, told):
        self.told = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def ended(self, game):
        os.write(self.told, b"%d\n" % game.number)


def play(file, told):
    """Begin or go on with a tournament of twelve games that always go the same way."""
    plan = plan_of("greedy", "random:seed=1", rounds=6, recover=True)
    with open_or_create(Path(file), plan) as store, LocalExecutor(2) as executor:
        run(store, executor, Announcer(told))


def games_of(file):
    """The games in a file, with records that can be read."""
    try:
        store = read(file)
        return {game.number: game for game in list(store) if store.details(game.number)}
    except RunnerError as error:
        assert not file.exists() or "is empty" in str(error)
        return {}


@cache
def expected():
    """The outcomes of the games if nobody is killed, by number."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "t.jsonl")
        play(file, Path(folder, "told"))
        store = read(file)
        return {number: outcome for number, *outcome in outcomes(store)}


def started(file, told):
    command = [sys.executable, "-c", SCRIPT, str(file), str(told)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def announced(told):
    return [int(line) for line in told.read_text().split()] if told.exists() else []


def runner(process, file, family, chance):
    time.sleep(chance.uniform(0, LATEST))
    process.kill()


def agent(process, file, family, chance):
    time.sleep(chance.uniform(0, LATEST))
    agents = [pid for pid in family.members() if pid != process.pid]
    if agents:
        with contextlib.suppress(ProcessLookupError):
            os.kill(chance.choice(agents), signal.SIGKILL)


def writer(process, file, family, chance):
    """Kills when a transaction is open; after the begin, every commit is one of games."""
    journal, deadline = file.with_name(file.name + "-journal"), time.monotonic() + PATIENCE
    commits, seen = chance.randrange(8), False
    while process.poll() is None and time.monotonic() < deadline and (commits >= 0 or not seen):
        there = journal.exists()
        commits -= there and not seen
        seen = there
    process.kill()


@pytest.mark.slow
@pytest.mark.seeds(1, 2, 3)
def test_a_kill_loses_nothing_and_repeats_nothing(number, tmp_path, monkeypatch):
    chance, file, told = random.Random(number), tmp_path / "t.jsonl", tmp_path / "told"
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # a killed run cannot delete its temporary files
    family = Family(monkeypatch)
    process = started(file, told)
    victim = (runner, agent, writer)[number % 3]
    victim(process, file, family, chance)
    process.communicate(timeout=PATIENCE)
    assert family.settled(0, PATIENCE), "processes are left"
    before = games_of(file)
    assert set(announced(told)) <= before.keys()
    for _ in range(2):  # a file that was only begun is emptied by the first
        process = started(file, told)
        _, error = process.communicate(timeout=PATIENCE)
        assert not process.returncode or b"is empty" in error, error
    after = games_of(file)
    with contextlib.closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert list(after) == list(expected()) == list(range(1, 13))
    assert max(Counter(announced(told)).values()) == 1
    assert all(after[number] == game for number, game in before.items())
    faults = [game.result.fault for game in after.values() if game.result.fault]
    lost = sum(fault.kind in (FaultKind.KILLED, FaultKind.EXITED) for fault in faults)
    store = read(file)
    changed = [number for number, *outcome in outcomes(store) if outcome != expected()[number]]
    assert len(changed) <= lost <= (victim is agent)
