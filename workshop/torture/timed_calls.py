"""Timed calls of the upload in whole games, alone / CPU hog on the core / memory thrashing beside it, Python 3.7.

A trial is a game of the bundle against itself, of gobang and Reversi 10x10 in turn, with its own settings. Both players
are pinned to one core; only one of them thinks at a time. The wall seconds of every call are kept, on turn and off
turn. A slow call is measured, not killed. Run it alone on the machine (--jobs 1): 1,000 calls take 14 minutes.
"""
from __future__ import annotations

from functools import cache
from pathlib import Path

from local_runner.agents import AgentSpec
from local_runner.bundle import build
from local_runner.errors import RunnerError
from local_runner.fixture import Terms, fixture, play_fixture
from local_runner.game_setup import GameSetup
from local_runner.openings.deal import random_opening
from local_runner.processes.child import AgentLimits
from local_runner.processes.cores import claimed
from local_runner.processes.interpreters import find_python37
from local_runner.processes.load import Load, running
from local_runner.records import GameRecord
from workshop.torture.frame import Outcome

NAME = "timed-calls"
AMOUNT = 480                # games; more than 20,000 calls under each load
BATCH = 1
ALLOWED = "p99.9 <= 0.85 s, none over 0.95 s; 20,000 calls each"
LATEST = 0.95               # seconds
LOADS = {Load.ALONE: "alone", Load.HOG: "CPU hog", Load.MEMORY: "memory"}
GAMES = {"gobang_1v1": "gobang", "reversi_1v1": "Reversi"}     # name of the game -> in the table
UNHURRIED = 60.0            # seconds; the limit of a call


def batch(first: int, count: int, scratch: Path) -> list[Outcome]:
    """Play the games of consecutive numbers."""
    return [timed(number, *conditions(number), build().text, scratch) for number in range(first, first + count)]


def conditions(number: int) -> tuple[Load, str]:
    """The load and the game of a trial."""
    return list(LOADS)[number % 3], list(GAMES)[number // 3 % 2]


def timed(number: int, load: Load, env: str, bundle: str, scratch: Path) -> Outcome:
    """Play a game with a bundle of this text, and measure every call."""
    path = scratch / str(number) / "submission.py"
    path.parent.mkdir()
    path.write_text(bundle, "utf-8")
    setup = GameSetup(env, seed=number)
    upload = AgentSpec("upload", path, {})
    game = fixture(Terms(setup, AgentLimits(seconds=UNHURRIED), python=_python()), number, (upload, upload),
                   random_opening(setup, None, f"timed calls {number}"))
    with claimed(1) as [core], running(load, core):
        record = play_fixture(game, path.parent, (core, core))
    return judged(number, load, env, record)


def judged(number: int, load: Load, env: str, record: GameRecord) -> Outcome:
    """The times of a game's calls, and whether one is over LATEST."""
    samples: dict[str, list[float]] = {}
    for call in record.calls:
        turn = "on turn" if call.turn else "off turn"
        for name in (LOADS[load], f"{LOADS[load]}, {GAMES[env]} {turn}"):
            samples.setdefault(f"{name}, s", []).append(call.seconds)
    fault = f"lost by a fault: {record.result.detail}" if record.result.fault else ""
    slowest = max((call.seconds for call in record.calls), default=0.0)
    if slowest > LATEST:
        fault = f"a call of {GAMES[env]}, {LOADS[load]}, took {slowest:.3f} s"
    return Outcome(number, fault, samples=samples)


@cache
def _python() -> str:
    python = find_python37()
    if python is None:
        raise RunnerError("there is no Python 3.7 here, under which calls are timed; run make python37")
    return str(python.path)
