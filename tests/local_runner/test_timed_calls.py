"""The site's limit of a second is kept in whole games of the upload, alone and beside a busy process on its core."""

import os
import subprocess
import sys
from contextlib import contextmanager

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.setup import GameSetup
from local_runner.matches.executor import play
from local_runner.matches.openings.deal import random_opening
from local_runner.matches.plan import Plan, Terms
from local_runner.matches.schedule import Pairing, Schedule
from local_runner.processes import claims
from local_runner.processes.child import AgentLimits
from local_runner.processes.interpreters import find_python37
from local_runner.upload.bundle import build

LATEST = 0.95  # seconds of a call
GAMES = ("reversi_1v1", "gobang_1v1")


@contextmanager
def computing(core):
    """A process that computes without pause on a core; None: none."""
    if core is None:
        yield
        return
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as process:
        os.sched_setaffinity(process.pid, {core})
        try:
            yield
        finally:
            process.kill()


@pytest.mark.long
@pytest.mark.seeds(1)
@pytest.mark.parametrize("busy", [False, True])
def test_no_call_is_late(number, busy, tmp_path):
    """A game of the upload against itself on one core, on Python 3.7 if there is one; a slow call is not killed."""
    path = tmp_path / "submission.py"
    path.write_text(build().text, "utf-8")
    python, setup = find_python37(), GameSetup(GAMES[number % len(GAMES)], seed=number)
    terms = Terms(setup, AgentLimits(seconds=60.0), python=str(python.path) if python else sys.executable)
    with claims.cores(1) as [core], computing(core if busy else None):
        plan = Plan((parse_agent(str(path)),) * 2, terms, Schedule.MATCH, number)
        [game, _other] = plan.pair(number, Pairing(0, 1), random_opening(setup, None, f"timed {number}"))
        played = play(game, tmp_path, (core, core))
    assert not played.result.fault
    assert max(call.seconds for call in played.details.calls) <= LATEST
