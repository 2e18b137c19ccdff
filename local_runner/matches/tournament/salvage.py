"""Saves what is left of a damaged tournament file into a new file; the damaged one is only read.

Takes every row that is still as it was written, wherever in the file it is. A pair that is gone is made again from one
of its games or from the schedule. A game is saved if its row and its record are whole; it is never made up.
"""

import contextlib
import fcntl
import json
import mmap
import os
import shlex
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.matches.tournament.locking import alone, check_there
from local_runner.matches.tournament.pages import Layout, Values, layouts, rows
from local_runner.matches.tournament.plan import Pair, TournamentPlan, fingerprint, from_json
from local_runner.matches.tournament.schedule import PAIRS_PER_ROUND, SCHEDULES, Pairing, Past
from local_runner.matches.tournament.store import STORED, about_rows, as_row, connected, unpacked
from local_runner.matches.tournament.tables import COLUMNS, KINDS, Row, Tables, checksum, journal, make, plausible
from local_runner.processes import scratch
from local_runner.system.files import reason
from local_runner.system.header import header

MISTAKES = (ValueError, TypeError, LookupError, AttributeError, RunnerError)  # what damaged JSON leads to


@dataclass(frozen=True)
class Salvaged:
    """What was saved. `stored`: games that the damaged file said it had; None if that cannot be read."""

    out: Path
    saved: int
    stored: int | None
    notes: tuple[str, ...]

    def __str__(self) -> str:
        some, unknown = _("{out}: {saved} of {stored} games are saved"), _("{out}: {saved} games are saved")
        saved = unknown if self.stored is None else some
        parts = [saved.format(out=self.out, saved=self.saved, stored=self.stored), *self.notes]
        if self.stored is None:
            parts.append(_("how many are lost cannot be read"))
        if self.saved != self.stored:
            more = _("play the others: tengen tournament --resume {path}")
            parts.append(more.format(path=shlex.quote(str(self.out))))
        return "; ".join(parts)


@dataclass
class _Found:
    """The rows of a file; except games, which go straight into the new file."""

    about: dict[str, list[Any]] = field(default_factory=dict)
    agents: dict[int, Row] = field(default_factory=dict)
    pairs: dict[int, Row] = field(default_factory=dict)

    def plan(self) -> TournamentPlan | None:
        """The plan with the most rounds, for older ones may be left where they once were."""
        plans = []
        for value in self.about.get("plan", []) + self.about.get("plan copy", []):
            with contextlib.suppress(*MISTAKES):
                plans.append(from_json(value))
        return max(plans, key=lambda plan: plan.rounds, default=None)


def salvage(file: Path, out: Path) -> Salvaged:
    """Write a new file with what is readable. Raises RunnerError, and leaves no new file, if nothing can be saved."""
    check_there(file)
    if out.is_file() and out.stat().st_size:  # `alone` would say how to go on with it
        raise RunnerError(_("{path} exists; give --out another file").format(path=out))
    with alone(out, new=True), _undamaged_by(file) as data:
        try:
            with connected(out) as database:
                return _saved(file, data, out, database)
        except BaseException as error:
            out.unlink()
            if isinstance(error, sqlite3.Error):
                sentence = _("cannot write {path}: {error}; give --out another file")
                raise RunnerError(sentence.format(path=out, error=error)) from error
            raise


@contextlib.contextmanager
def _undamaged_by(file: Path) -> Iterator[bytes]:
    """The file's bytes; if its run was killed while writing, those of a copy in which that is undone."""
    with contextlib.ExitStack() as stack:
        try:
            opened = stack.enter_context(open(file, "rb"))
            fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
            if journal(file).exists():
                copy = stack.enter_context(scratch.folder(scratch.SALVAGE)) / "copy.db"
                shutil.copyfile(file, copy)
                shutil.copyfile(journal(file), journal(copy))
                with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(copy)) as database:
                    database.execute("SELECT count(*) FROM sqlite_master")
                opened = stack.enter_context(open(copy, "rb"))
            if os.fstat(opened.fileno()).st_size == 0:
                raise RunnerError(_("{path} is empty, so there is nothing to save").format(path=file))
        except BlockingIOError:
            sentence = _("{path} is being played by another run; wait for it, or stop it")
            raise RunnerError(sentence.format(path=file)) from None
        except OSError as error:
            sentence = _("cannot read {path}: {error}; make it readable")
            raise RunnerError(sentence.format(path=file, error=reason(error))) from error
        data: Any = stack.enter_context(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))
        yield data


def _saved(file: Path, data: bytes, out: Path, database: sqlite3.Connection) -> Salvaged:
    tables = Tables(out, database)
    for layout, sealed in ((layout, sealed) for sealed in (True, False) for layout in layouts(data)):
        make(database)
        found = _Found()
        for table, row in _rows(data, layout, sealed=sealed):
            if table == "games":
                tables.put(table, [row], "INSERT OR IGNORE")
            elif table == "about":
                found.about.setdefault(row[0], []).append(json.loads(row[1]))
            else:
                getattr(found, table)[row[0]] = row
        if plan := found.plan():
            break
        database.rollback()
    else:
        sentence = _("nothing can be saved from {path}: no plan of a tournament can be read in it")
        raise RunnerError(sentence.format(path=file))
    notes = [*_put_agents(tables, plan, found), *_put_pairs(tables, plan, found)]
    [[saved]] = database.execute("SELECT count(*) FROM games")
    heads = found.about.get("header", [])
    tables.put("about", about_rows(plan, heads[0] if heads else dict.fromkeys(header(), ""), saved))
    database.commit()
    stored = max(found.about.get(STORED, []), default=None)
    return Salvaged(out, saved, stored, tuple(dict.fromkeys(notes)))


def _rows(data: bytes, layout: Layout, *, sealed: bool) -> Iterator[tuple[str, Row]]:
    """The undamaged rows of all tables, with the name of the table."""
    found: list[tuple[str, Row]] = []

    def accept(rowid: int, values: Values) -> bool:
        known = _row(rowid, values, sealed=sealed)
        found[:] = [known] if known else []
        return known is not None

    for _each in rows(data, layout, accept):
        yield found[0]


def _row(rowid: int, values: Values, *, sealed: bool) -> tuple[str, Row] | None:
    """The table of a row and its values without the checksum, if it is one of ours and undamaged."""
    table = next((name for name, columns in COLUMNS.items() if len(columns) + sealed == len(values)), None)
    if table is None or (values[0] is None) != (KINDS[table][0] is int):  # a number that is the key is kept as NULL
        return None
    given = [rowid if values[0] is None else values[0], *values[1:len(COLUMNS[table])]]
    row = tuple(float(value) if kind is float and isinstance(value, int) else value
                for value, kind in zip(given, KINDS[table], strict=True))  # fmt: skip
    if not (values[-1] == checksum(table, row) if sealed else plausible(table, row)):
        return None
    try:
        if table == "games":
            record = unpacked(row[-1])
            return (table, row) if sealed or _agrees(row, record) else None
        if table == "about":
            json.loads(str(row[1]))
    except MISTAKES:
        return None
    return table, row


def _agrees(row: Row, record: Mapping[str, Any]) -> bool:
    """Whether a row without a checksum says what its record says."""
    game, result = dict(zip(COLUMNS["games"], row, strict=True)), record["result"]
    moves = " ".join(f"{cell[0]},{cell[1]}" if cell else "-" for cell in record["cells"])
    said = (game["moves"], json.loads(game["result"]), game["seed"])
    return bool(said == (moves, result, record["seed"]))


def _put_agents(tables: Tables, plan: TournamentPlan, found: _Found) -> Iterator[str]:
    for number, agent in enumerate(plan.agents):
        row = found.agents.get(number)
        if row is None:
            there = agent.path.is_file()
            gone, made = _("the hash of {agent}'s code is lost"), _("the hash of {agent}'s code is lost, and that of "
                                                                    "today's code is taken")  # fmt: skip
            yield (made if there else gone).format(agent=agent.name)
            row = (number, agent.name, fingerprint(agent) if there else "")
        tables.put("agents", [row])


def _put_pairs(tables: Tables, plan: TournamentPlan, found: _Found) -> Iterator[str]:
    """Store the pairs without a gap, and delete the games after a gap that cannot be closed."""
    [[newest]] = tables.database.execute("SELECT coalesce(max(pair), 0) FROM games")
    last = max([newest, *found.pairs])
    for number in range(1, last + 1):
        row = found.pairs.get(number) or _made_again(tables.database, plan, number)
        if row is None:
            deleted = tables.database.execute("DELETE FROM games WHERE pair >= ?", (number,)).rowcount
            sentence = _("who met whom in pair {number} is lost; games left out after it: {games}")
            yield sentence.format(number=number, games=deleted)
            return
        tables.put("pairs", [row])


def _made_again(database: sqlite3.Connection, plan: TournamentPlan, number: int) -> Row | None:
    """A pair by the schedule; by one of its games if the schedule depends on results; None if there is none."""
    size = PAIRS_PER_ROUND[plan.schedule](len(plan.agents))
    round_, place = (number - 1) // size + 1, (number - 1) % size
    if plan.schedule != "swiss":
        past = Past()
        past.rounds = round_ - 1
        pairing = SCHEDULES[plan.schedule](len(plan.agents), past, {})[place]
    elif game := database.execute("SELECT number, black, white FROM games WHERE pair = ?", (number,)).fetchone():
        pairing = Pairing(*(game[1:] if game[0] % 2 else game[:0:-1]))
    else:
        return None
    return as_row(Pair(number, round_, pairing, plan.opening(round_)))
