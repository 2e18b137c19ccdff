"""The .db truncated, bytes flipped, read-only, on a full disk, locked, of an older version.

Every command must say so in a sentence and overwrite nothing. What a command accepts must be as it was: after every
damage, `report`, `rerun`, `tournament --resume` and `salvage` either name it and leave the file's bytes alone, or work
on games that are equal to those that were played. A salvaged game is equal to the original, and the counts of `salvage`
are right. Linux only: mounts file systems in private namespaces.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from local_runner import report  # noqa: F401  imported once, not in every copy of this process
from local_runner.agents import parse_agent
from local_runner.cli import main
from local_runner.errors import RunnerError
from local_runner.fixture import Terms
from local_runner.game_setup import GameSetup
from local_runner.processes.child import AgentLimits
from local_runner.tournament import store as tournament_store
from local_runner.tournament.executor import LocalExecutor
from local_runner.tournament.plan import TournamentPlan
from local_runner.tournament.run import begun, run
from local_runner.tournament.store import PlayedGame, read
from workshop.torture.file_damages import CASES, PRIVATE, Case

NAME = "store-damages"
ALLOWED = "a clear sentence each, nothing overwritten, what can be saved is saved"
AMOUNT = 200

ROUNDS = 8


def trial(number: int, scratch: Path) -> str:
    """One damage. Returns what went wrong, or ""."""
    chance, names = random.Random(number), list(CASES)
    name = names[number % len(names)]
    case, folder = CASES[name], scratch / "there"
    folder.mkdir()
    file = folder / "t.db"
    file.write_bytes(original())
    case.damage(file, chance)
    problems = [each for command in COMMANDS for each in _judged(case, command, file, scratch)]
    return f"{name}: {'; '.join(problems)}" if problems else ""


COMMANDS = {
    "report": ("report", "t.db", "--out", "{out}/page.html"),
    "rerun": ("rerun", "t.db", "3", "--log-dir", "{out}/logs"),
    "salvage": ("salvage", "t.db", "--out", "{out}/new.db"),
    "resume": ("tournament", "--resume", "t.db", "--rounds", str(ROUNDS + 1), "--quiet"),
}


def _judged(case: Case, command: str, file: Path, scratch: Path) -> Iterator[str]:
    """What is wrong with how a command behaved."""
    before = file.read_bytes() if file.is_file() else b""
    arguments = [each.format(out=scratch) for each in COMMANDS[command]]
    with case.place.lock(file):
        done = (_mounted if case.place.before else _forked)(case, file.parent, arguments)
    after = file.read_bytes() if file.is_file() else b""
    says = f"{command} says {done.stdout[-300:]!r} and {done.stderr[-300:]!r}"
    if "Traceback" in done.stderr or done.returncode not in (0, 2):
        yield f"exit code {done.returncode}, {says}"
    elif done.returncode == 2:
        if not re.fullmatch(r"tengen: [^\n]+\n", done.stderr):
            yield f"it is not one sentence: {says}"
        elif after != before and not (before and not after):  # what a killed run began is undone by SQLite
            yield f"the file has changed, and {says}"
    elif command in case.refused:
        yield f"it was not refused: {says}"
    elif command == "salvage":
        yield from _salvaged(scratch / "new.db", done.stdout)
    elif other := _other(file, command):
        yield f"it was accepted with {other}: {says}"


def _forked(case: Case, folder: Path, arguments: list[str]) -> "subprocess.CompletedProcess[str]":
    """Run a command in a copy of this process, in which all is imported already."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if not child:
            code = 1
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                os.chdir(folder)
                sys.argv[1:] = arguments
                sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
                tournament_store.LOCK_SECONDS = 0.3
                main()
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return subprocess.CompletedProcess(arguments, os.waitstatus_to_exitcode(status), *texts)


def _mounted(case: Case, folder: Path, arguments: list[str]) -> "subprocess.CompletedProcess[str]":
    """Run a command with file systems of its own."""
    script = "from local_runner.cli import main; main()"
    shell = f'{case.place.before} cd "$D" && exec "$@"'
    command = ["unshare", *PRIVATE, "sh", "-c", shell, "sh", sys.executable, "-c", script, *arguments]
    environment = {**os.environ, "D": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


def _salvaged(new: Path, said: str) -> Iterator[str]:
    try:
        with read(new) as store:
            games = _all(new)
            pairs = [pair.number for pair in store.pairs()]
    except RunnerError as error:
        yield f"the new file cannot be read: {error}"
        return
    if any(game != played()[number] for number, game in games.items()):
        yield "a salvaged game is another"
    if pairs != list(range(1, len(pairs) + 1)):
        yield f"the salvaged pairs are {pairs}"
    counted = re.search(r": (\d+)(?: of (\d+))? games are saved", said)
    if not counted or int(counted[1]) != len(games):
        yield f"{len(games)} games are in the new file, but {said!r}"
    elif counted[2] and int(counted[2]) != len(played()):
        yield f"{len(played())} games were played, but {said!r}"


def _other(file: Path, command: str) -> str:
    """What a command must have noticed in a file that it has accepted; "" if there is nothing."""
    records = command not in ("resume", "rerun")  # these read no records
    try:
        games = _all(file, records=records, numbers=[3] if command == "rerun" else None)
    except RunnerError as error:
        return f"damage that was not noticed ({error})"
    wanted = {number: game if records else replace(game, record={}) for number, game in played().items()}
    changed = [number for number, game in wanted.items() if games.get(number, game) != game]
    missing = set() if command == "rerun" else wanted.keys() - games.keys()
    return f"changed games {changed}, missing games {sorted(missing)}" if changed or missing else ""


def _all(file: Path, *, records: bool = True, numbers: Sequence[int] | None = None) -> dict[int, PlayedGame]:
    with read(file) as store:
        games = store.games() if numbers is None else [game for each in numbers if (game := store.game(each))]
        return {game.number: replace(game, record=store.record(game.number)) if records else game for game in games}


@cache
def original() -> bytes:
    """The bytes of a finished tournament."""
    terms = Terms(GameSetup("reversi_8x8_1v1", seed=5), AgentLimits(seconds=60))
    agents = parse_agent("greedy"), parse_agent("random:seed=1")
    plan = TournamentPlan(agents, terms, "gauntlet", ROUNDS, recover=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "t.db")
        with begun(file, plan) as store, LocalExecutor(2) as executor:
            run(store, executor)
        return file.read_bytes()


@cache
def played() -> dict[int, PlayedGame]:
    """The games of `original`, with their records."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "t.db")
        file.write_bytes(original())
        return _all(file)
