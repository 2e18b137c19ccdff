"""Saves the readable games of a damaged tournament file into a new file; the damaged one is only read.

Rows are asked for one by one, so a damaged row costs only itself and its neighbours in its page.
"""

import contextlib
import fcntl
import shlex
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.matches.tournament.locking import check_there, locked
from local_runner.matches.tournament.plan import fingerprint
from local_runner.matches.tournament.schedule import Schedule
from local_runner.matches.tournament.store import Store, about_rows, as_row, connected
from local_runner.matches.tournament.tables import DamagedFile, Tables, journal, make
from local_runner.processes import scratch
from local_runner.system.files import reason
from local_runner.system.header import header


@dataclass(frozen=True)
class Salvaged:
    """The result. `saved`, `lost`: the numbers of games that are saved, and that cannot be read."""

    out: Path
    saved: int
    lost: int
    notes: tuple[str, ...]

    def __str__(self) -> str:
        sentence = _("{out}: {saved} games are saved, {lost} cannot be read")
        parts = [sentence.format(out=self.out, saved=self.saved, lost=self.lost), *self.notes]
        if self.lost or self.notes:
            more = _("play the others: tengen tournament --resume {path}")
            parts.append(more.format(path=shlex.quote(str(self.out))))
        return "; ".join(parts)


def salvage(file: Path, out: Path) -> Salvaged:
    """Write a new file with the readable games. Raises RunnerError, and leaves no file, if nothing can be saved."""
    check_there(file)
    with contextlib.ExitStack() as stack:
        stack.enter_context(locked(out, new=True))
        copy = stack.enter_context(_copied(file))
        damaged = stack.enter_context(contextlib.closing(sqlite3.connect(copy)))
        database = stack.enter_context(connected(out))
        try:
            damaged.execute("PRAGMA writable_schema = ON")  # otherwise SQLite opens no file that was cut
            store = Store(copy, Tables(copy, damaged))
        except (RunnerError, sqlite3.Error) as error:
            sentence = _("nothing can be saved from {path}: no plan of a tournament can be read in it")
            raise RunnerError(sentence.format(path=file)) from error
        try:
            with database:
                return _saved(store, out, Tables(out, database))
        except sqlite3.Error as error:
            sentence = _("cannot write {path}: {error}; give --out another file")
            raise RunnerError(sentence.format(path=out, error=error)) from error


@contextlib.contextmanager
def _copied(file: Path) -> Iterator[Path]:
    """A copy of the file and of its journal, by which SQLite undoes the unfinished writing of a killed run."""
    with contextlib.ExitStack() as stack:
        try:
            opened = stack.enter_context(open(file, "rb"))
            fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
            copy = stack.enter_context(scratch.folder(scratch.SALVAGE)) / "copy.db"
            shutil.copyfile(file, copy)
            if journal(file).exists():
                shutil.copyfile(journal(file), journal(copy))
        except BlockingIOError:
            sentence = _("{path} is being played by another run; wait for it, or stop it")
            raise RunnerError(sentence.format(path=file)) from None
        except OSError as error:
            sentence = _("cannot read {path}: {error}; make it readable")
            raise RunnerError(sentence.format(path=file, error=reason(error))) from error
        yield copy


def _saved(store: Store, out: Path, tables: Tables) -> Salvaged:
    make(tables.database)
    plan, head, hashes, notes = store.plan, dict.fromkeys(header(), ""), list[str](), list[str]()
    with contextlib.suppress(DamagedFile):
        head = dict(store.header)
    try:
        hashes = store.fingerprints()
    except DamagedFile:
        hashes = [fingerprint(agent) if agent.path.is_file() else "" for agent in plan.agents]
        notes.append(_("the hashes of the agents' code are lost, and those of today's code are taken"))
    tables.put("about", about_rows(plan, head, hashes))
    saved, lost = set[int](), set[int]()
    for number in range(1, plan.games + 1):
        try:
            if game := store.game(number):
                tables.put("games", [as_row(replace(game, details=store.details(number)))])
                saved.add(number)
        except DamagedFile:
            lost.add(number)
    if plan.schedule is Schedule.SWISS and (gap := _gap(saved, lost, plan.pairs)):
        first = 2 * plan.pairs * ((gap - 1) // plan.pairs) + 1  # the first game of its round
        tables.database.execute("DELETE FROM games WHERE number >= ?", (first,))
        left_out = {number for number in saved if number >= first}
        saved -= left_out
        sentence = _("who met whom in pair {number} is lost; games left out after it: {games}")
        notes.append(sentence.format(number=gap, games=len(left_out)))
    return Salvaged(out, len(saved), len(lost), tuple(notes))


def _gap(saved: set[int], lost: set[int], pairs: int) -> int | None:
    """The first pair of a Swiss tournament whose agents are unknown, although it was played; None if there is none.

    Pairings follow from earlier results, which may differ when lost games are played again. `pairs`: of a round.
    """
    known = {(number + 1) // 2 for number in saved}
    last_round = (max(known, default=0) - 1) // pairs
    played = (
        pairs * (last_round + 1) if lost else pairs * last_round
    )  # an unfinished last round follows from the others
    return next((pair for pair in range(1, played + 1) if pair not in known), None)
