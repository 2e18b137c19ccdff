"""kill -9 of a tournament or of one of its agents: no game is lost or repeated, and no process is left.

Kills while lines are written are in test_games.py.
"""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from local_runner.game.faults import FaultKind
from local_runner.matches.executor import LocalExecutor
from local_runner.matches.games import read
from local_runner.matches.run import open_or_create, run
from tests.local_runner.matches.small import outcomes, plan_of
from tests.local_runner.processes.naughty import ON_LINUX, Family

PATIENCE = 120.0  # seconds
LATEST = 2.0  # the runner is killed at most this many seconds after its start
SCRIPT = "import sys; from tests.local_runner.matches.test_kills import play; play(*sys.argv[1:])"
ROOT = Path(__file__).parents[3]


def play(file, told):
    """Begin or resume a tournament of twelve deterministic games."""
    plan = plan_of("greedy", "random:seed=1", rounds=6, recover=True)
    with open_or_create(Path(file), plan) as games, LocalExecutor(2) as executor, open(told, "ab", 0) as announced:
        for game in run(games, executor):
            announced.write(b"%d\n" % game.number)


def started(file):
    command = [sys.executable, "-c", SCRIPT, str(file), str(file.with_name("told"))]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


@pytest.mark.slow
@pytest.mark.skipif(not ON_LINUX, reason="looks processes up in /proc")
@pytest.mark.seeds(1, 2)
def test_a_kill_loses_nothing_and_repeats_nothing(number, tmp_path, monkeypatch):
    chance, file, of_agent = random.Random(number), tmp_path / "t.jsonl", number % 2
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # a killed run cannot delete its temporary files
    play(tmp_path / "whole.jsonl", tmp_path / "unused")
    expected = outcomes(read(tmp_path / "whole.jsonl"))
    family, process = Family(monkeypatch), started(file)
    time.sleep(chance.uniform(0, LATEST))
    victims = [pid for pid in family.members() if (pid != process.pid) == of_agent]
    for victim in [chance.choice(victims)] if victims else []:
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
    process.communicate(timeout=PATIENCE)
    assert family.settled(0, PATIENCE), "processes are left"
    before = {} if not file.exists() or not file.stat().st_size else {game.number: game for game in read(file)}
    _, error = (again := started(file)).communicate(timeout=PATIENCE)
    assert not again.returncode, error
    games = read(file)
    assert len(games) == 12
    told = Counter((tmp_path / "told").read_text().split())
    for each, game in before.items():  # the kill made the game unmeasured: it has no winner, so it is played again
        assert (games.get(each) == game, told[str(each)]) == ((False, 2) if game.result.unmeasured else (True, 1))
    assert {told[str(each)] for each in range(1, 13) if each not in before} <= {1}
    killed = [game.number for game in games if game.result.fault
              and game.result.fault.kind in (FaultKind.KILLED, FaultKind.EXITED)]  # fmt: skip
    assert len(killed) <= of_agent
    assert [game for game in outcomes(games) if game[0] not in killed] == [
        game for game in expected if game[0] not in killed]  # fmt: skip
