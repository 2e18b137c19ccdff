"""Saves the readable games of a damaged tournament file into a new file. The damaged file is not changed.

Rows are read one by one, so damage loses only the rows in the same page of the database.
"""

import contextlib
import fcntl
import shlex
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.matches.snapshot import Snapshot, fingerprint, take
from local_runner.matches.tournament.locking import check_there, locked
from local_runner.matches.tournament.schedule import Schedule
from local_runner.matches.tournament.store import Store, as_row, connected, put_start
from local_runner.matches.tournament.tables import DamagedFile, Tables, journal, make
from local_runner.processes import scratch
from local_runner.system.files import reason
from local_runner.system.header import header


@dataclass(frozen=True)
class Salvaged:
    """The result of `salvage`. `out`: the new file. `notes`: sentences about other losses.

    `saved`, `lost`: how many games are saved, and how many cannot be read.
    """

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
    """Write a new file with the readable games.

    Raises RunnerError if `file` or its plan cannot be read, a run is playing `file`, or `out` is not empty or cannot be
    written. No new file is left then.
    """
    check_there(file)
    with contextlib.ExitStack() as stack:
        stack.enter_context(locked(out, new=True))
        copy = stack.enter_context(_copied(file))
        damaged = stack.enter_context(contextlib.closing(sqlite3.connect(copy)))
        database = stack.enter_context(connected(out))
        try:
            damaged.execute("PRAGMA writable_schema = ON")  # otherwise SQLite refuses a truncated file
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
    """A temporary copy of the file and of its journal, with which SQLite undoes a killed run's unfinished transaction.

    Raises RunnerError if a run is playing the file, or it cannot be read.
    """
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
        notes.append(_("the hashes of the agents' code are lost, and those of today's code are taken"))
    try:
        snapshots = store.snapshots()
    except DamagedFile:
        snapshots = [_today(agent) for agent in plan.agents]
        notes.append(_("the agents' files are lost, and today's are taken"))
    hashes = hashes or [
        fingerprint(*pair) if pair[1].files else "" for pair in zip(plan.agents, snapshots, strict=True)
    ]
    put_start(tables, plan, head, hashes, snapshots)
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


def _today(agent: AgentSpec) -> Snapshot:
    """The snapshot of an agent as it is now, without files if it is gone."""
    try:
        return take(agent)
    except RunnerError:
        return Snapshot(agent.path.name, {})


def _gap(saved: set[int], lost: set[int], pairs: int) -> int | None:
    """The number of the first pair of a Swiss tournament that was played but has no saved game; None if there is none.

    Nobody knows that pair's agents. Pairings depend on earlier results, which may differ when lost games are played
    again. `saved`, `lost`: numbers of games. `pairs`: pairs in a round.
    """
    known = {(number + 1) // 2 for number in saved}
    last_round = (max(known, default=0) - 1) // pairs
    played = (
        pairs * (last_round + 1) if lost else pairs * last_round
    )  # the pairings of an unfinished last round can be computed from the other rounds
    return next((pair for pair in range(1, played + 1) if pair not in known), None)
