"""Games with every call timed, for the tests that differ in the load: calls_alone.py, calls_hog.py, calls_memory.py.

A trial is a game of the bundle against itself under Python 3.7, of gobang and Reversi 10x10 in turn, with its own
settings. Both players are pinned to one core; only one of them thinks at a time. The wall seconds of every call are
kept, on turn and off turn. A slow call is measured, not killed.

The games of a batch share the core and the load. Four games at once under a load are harder than one, and take a
quarter of the time.
"""
from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
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
from workshop.torture.frame import TrialOutcome

SHARING = 4                 # games at once on a core that has a load anyway
AMOUNT = 168                # games; more than 20,000 calls
ALLOWED = "p99.9 <= 0.85 s, none over 0.95 s; 20,000 calls"
LATEST = 0.95               # seconds
GAMES = {"reversi_1v1": "Reversi", "gobang_1v1": "gobang"}     # name of the game -> in the table
UNHURRIED = 60.0            # seconds; the limit of a call


def batch(load: Load, first: int, count: int, scratch: Path) -> list[TrialOutcome]:
    """Play the games of consecutive numbers at once, on one core."""
    text = build().text
    with claimed(1) as [core], running(load, core), ThreadPoolExecutor(count) as pool:
        return list(pool.map(lambda number: timed(number, load, list(GAMES)[number % len(GAMES)], text, scratch, core),
                             range(first, first + count)))


def timed(number: int, load: Load, env: str, bundle: str, scratch: Path, core: int | None) -> TrialOutcome:
    """Play a game with a bundle of this text on a core (None: any), and measure every call."""
    path = scratch / str(number) / "submission.py"
    path.parent.mkdir()
    path.write_text(bundle, "utf-8")
    setup = GameSetup(env, seed=number)
    upload = AgentSpec("upload", path, {})
    game = fixture(Terms(setup, AgentLimits(seconds=UNHURRIED), python=_python()), number, (upload, upload),
                   random_opening(setup, None, f"timed calls {load.name} {number}"))
    return judged(number, env, play_fixture(game, path.parent, (core, core)))


def judged(number: int, env: str, record: GameRecord) -> TrialOutcome:
    """The times of a game's calls, and whether one is over LATEST."""
    samples: dict[str, list[float]] = {}
    for call in record.calls:
        for name in ("all", f"{GAMES[env]} {'on' if call.turn else 'off'} turn"):
            samples.setdefault(f"{name}, s", []).append(call.seconds)
    fault = f"lost by a fault: {record.result.detail}" if record.result.fault else ""
    slowest = max((call.seconds for call in record.calls), default=0.0)
    if slowest > LATEST:
        fault = f"a call of {GAMES[env]} took {slowest:.3f} s"
    return TrialOutcome(number, fault, samples=samples)


@cache
def _python() -> str:
    python = find_python37()
    if python is None:
        raise RunnerError("there is no Python 3.7 here, under which calls are timed; run make python37")
    return str(python.path)
