"""kill -9 of the tournament (runner, an agent, the writer) at random moments, resumed.

Three victims in turn: the runner at any moment, one of its agents, and the runner in the middle of a write. A game
counts as announced when the observer of the run was told of it, as the screen is. Linux only: reads /proc.
"""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

from local_runner.agents import parse_agent
from local_runner.errors import RunnerError
from local_runner.fixture import Terms
from local_runner.game_setup import GameSetup
from local_runner.processes.child import AgentLimits
from local_runner.tournament.executor import LocalExecutor
from local_runner.tournament.plan import TournamentPlan
from local_runner.tournament.run import Observer, begun, run
from local_runner.tournament.store import PlayedGame, read

NAME = "store-kills"
ALLOWED = "0 games lost, repeated or half written"
AMOUNT = 500

ROUNDS = 6  # two games each
SLOTS = 2
LATEST = 2.0  # seconds after the start at which the runner is killed, at the latest
PATIENCE = 60.0  # seconds
MARK = "LC_TENGEN_TORTURE"  # a variable by which the processes of a trial are known; the sandbox keeps LC_*

Outcome = tuple[int, int, int, int, str]
Victim = Callable[[subprocess.Popen[bytes], Path, str, random.Random], None]


def plan() -> TournamentPlan:
    """A few short games that always go the same way."""
    agents = parse_agent("greedy"), parse_agent("random:seed=1")
    terms = Terms(GameSetup("tictactoe_1v1", seed=5), AgentLimits(seconds=60))
    return TournamentPlan(agents, terms, "gauntlet", ROUNDS, recover=True)


def trial(number: int, scratch: Path) -> str:
    """One kill. Returns what went wrong, or ""."""
    chance, file, told = random.Random(number), scratch / "t.db", scratch / "told"
    mark = f"{os.getpid()}-{number}"
    process = _started(file, told, mark)
    victim = (_runner, _agent, _writer)[number % 3]
    victim(process, file, mark, chance)
    if victim is not _agent:
        process.kill()
    process.wait()
    if left := _left(mark):
        return f"{left} processes are left behind"
    kept = _games(file)
    if kept is None:
        return "the file cannot be read after the kill"
    if missing := set(_told(told)) - kept.keys():
        return f"games {sorted(missing)} were announced and are not in the file"
    if problem := _resumed(file, told, mark):
        return problem
    return _judged(file, kept, _told(told))


def _resumed(file: Path, told: Path, mark: str) -> str:
    for _ in range(2):  # a file that was only begun is emptied by the first
        process = _started(file, told, mark)
        _, error = process.communicate(timeout=PATIENCE)
        if process.returncode == 0:
            return ""
        if b"is empty" not in error:
            break
    return f"it could not be resumed: {error.decode(errors='replace').strip().splitlines()[-1:]}"


def _judged(file: Path, before: dict[int, PlayedGame], told: list[int]) -> str:
    after = _games(file) or {}
    with contextlib.closing(sqlite3.connect(file)) as database:
        [[whole]] = database.execute("PRAGMA integrity_check")
    lost = sum("was killed" in game.detail or "exited" in game.detail for game in after.values())
    checks = {
        f"SQLite finds {whole}": whole == "ok",
        f"the games are {list(after)}": list(after) == list(range(1, 2 * ROUNDS + 1)),
        f"games were announced more than once: {told}": max(Counter(told).values(), default=0) <= 1,
        "a game has changed": all(after.get(number) == game for number, game in before.items()),
        "games went another way": sum(_outcome(after[n]) != _expected()[n] for n in after.keys() & _expected()) <= lost,
        f"{lost} games were lost by a crash": lost <= 1,
    }
    return "; ".join(sentence for sentence, good in checks.items() if not good)


def _runner(process: "subprocess.Popen[bytes]", file: Path, mark: str, chance: random.Random) -> None:
    time.sleep(chance.uniform(0, LATEST))


def _writer(process: "subprocess.Popen[bytes]", file: Path, mark: str, chance: random.Random) -> None:
    """Returns when a transaction is open; after the begin, every commit is one of a pair's or a game's."""
    journal, deadline = file.with_name(file.name + "-journal"), time.monotonic() + PATIENCE
    commits = chance.randrange(12)
    seen = False
    while process.poll() is None and time.monotonic() < deadline:
        there = journal.exists()
        commits -= there and not seen
        seen = there
        if there and commits < 0:
            return


def _agent(process: "subprocess.Popen[bytes]", file: Path, mark: str, chance: random.Random) -> None:
    """Kills one agent, and waits for the end of the run."""
    time.sleep(chance.uniform(0, LATEST))
    agents = [pid for pid in _marked(mark) if pid != process.pid]
    if agents:
        with contextlib.suppress(ProcessLookupError):
            os.kill(chance.choice(agents), signal.SIGKILL)
    process.wait(PATIENCE)


def _started(file: Path, told: Path, mark: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", __name__, str(file), str(told)]
    environment = {**os.environ, MARK: mark, "TMPDIR": str(file.parent)}
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def _marked(mark: str) -> list[int]:
    """The processes of a trial."""
    wanted, found = f"{MARK}={mark}".encode(), []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
    return found


def _left(mark: str) -> int:
    deadline = time.monotonic() + 5
    while (left := len(_marked(mark))) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def _games(file: Path) -> dict[int, PlayedGame] | None:
    """The games in the file with their records; none if no tournament was begun in it, None if it is damaged."""
    if not file.exists():
        return {}
    try:
        with read(file) as store:
            games = store.games()
            for game in games:
                store.record(game.number)
            return {game.number: game for game in games}
    except RunnerError as error:
        return {} if "is empty" in str(error) else None


def _told(told: Path) -> list[int]:
    return [int(line) for line in told.read_text().split()] if told.exists() else []


def _outcome(game: PlayedGame) -> Outcome:
    return game.pair, game.black, game.white, game.winner, game.moves


@cache
def _expected() -> dict[int, Outcome]:
    """How the games go if nobody is killed."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        play(Path(folder, "t.db"), Path(folder, "told"))
        return {number: _outcome(game) for number, game in (_games(Path(folder, "t.db")) or {}).items()}


class _Announcer(Observer):
    def __init__(self, told: Path) -> None:
        self._told = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def ended(self, game: PlayedGame) -> None:
        os.write(self._told, f"{game.number}\n".encode())


def play(file: Path, told: Path) -> None:
    """Begin or go on with the tournament; the number of every game that is announced becomes a line of `told`."""
    with begun(file, plan()) as store, LocalExecutor(SLOTS) as executor:
        run(store, executor, _Announcer(told))


if __name__ == "__main__":
    play(Path(sys.argv[1]), Path(sys.argv[2]))
