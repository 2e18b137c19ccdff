"""Saves what can be read of a damaged tournament file into a new file; the damaged one is only read.

Rows are asked for one by one, so that a damaged one costs only itself and its neighbours in its page. A pair that is
gone is made again from one of its games or from the schedule; a game is never made up.
"""

import contextlib
import fcntl
import shlex
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.matches.tournament.locking import alone, check_there
from local_runner.matches.tournament.plan import Pair, TournamentPlan, fingerprint
from local_runner.matches.tournament.schedule import PAIRS_PER_ROUND, SCHEDULES, Pairing, Past
from local_runner.matches.tournament.store import PlayedGame, Store, about_rows, as_row, connected
from local_runner.matches.tournament.tables import DamagedFile, Tables, journal, make
from local_runner.processes import scratch
from local_runner.system.files import reason
from local_runner.system.header import header


@dataclass(frozen=True)
class Salvaged:
    """What was saved. `lost`: games that cannot be read."""

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
    """Write a new file with what is readable. Raises RunnerError, and leaves no new file, if nothing can be saved."""
    check_there(file)
    if out.is_file() and out.stat().st_size:  # `alone` would say how to go on with it
        raise RunnerError(_("{path} exists; give --out another file").format(path=out))
    with contextlib.ExitStack() as stack:
        stack.enter_context(alone(out, new=True))
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
    """A copy of the file and of its journal, from which SQLite undoes what a killed run was writing."""
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
    head, hashes, notes = dict.fromkeys(header(), ""), list[str](), list[str]()
    with contextlib.suppress(DamagedFile):
        head = dict(store.header)
    try:
        hashes = store.fingerprints()
    except DamagedFile:
        hashes = [fingerprint(agent) if agent.path.is_file() else "" for agent in store.plan.agents]
        notes.append(_("the hashes of the agents' code are lost, and those of today's code are taken"))
    tables.put("about", about_rows(store.plan, head, hashes))
    games, unreadable = dict[int, PlayedGame](), list[int]()
    for number in range(1, store.plan.games + 1):
        try:
            if game := store.game(number):
                tables.put("games", [as_row(replace(game, details=store.details(number)))])
                games[number] = game
        except DamagedFile:
            unreadable.append(number)
    last, gap = _put_pairs(store, tables, games)
    if gap:
        deleted = tables.database.execute("DELETE FROM games WHERE pair >= ?", (gap,)).rowcount
        sentence = _("who met whom in pair {number} is lost; games left out after it: {games}")
        notes.append(sentence.format(number=gap, games=deleted))
    [[saved]] = tables.database.execute("SELECT count(*) FROM games")
    return Salvaged(out, saved, sum(number <= 2 * last for number in unreadable), tuple(notes))


def _put_pairs(store: Store, tables: Tables, games: Mapping[int, PlayedGame]) -> tuple[int, int | None]:
    """Store the pairs up to a gap that cannot be closed. Returns the number of the last pair, and of the gap if any."""
    pairs = {}
    for number in range(1, (store.plan.games + 1) // 2 + 1):
        with contextlib.suppress(DamagedFile):
            if pair := store.pair(number):
                pairs[number] = pair
    last = max([0, *pairs, *(game.pair for game in games.values())])
    for number in range(1, last + 1):
        made = pairs.get(number) or _made_again(store.plan, number, games)
        if made is None:
            return last, number
        tables.put("pairs", [as_row(made)])
    return last, None


def _made_again(plan: TournamentPlan, number: int, games: Mapping[int, PlayedGame]) -> Pair | None:
    """A pair by the schedule; by one of its games if the schedule depends on results; None if there is none."""
    size = PAIRS_PER_ROUND[plan.schedule](len(plan.agents))
    round_, place = (number - 1) // size + 1, (number - 1) % size
    first, second = games.get(2 * number - 1), games.get(2 * number)
    if plan.schedule != "swiss":
        past = Past()
        past.rounds = round_ - 1
        pairing = SCHEDULES[plan.schedule](len(plan.agents), past, {})[place]
    elif first:
        pairing = Pairing(first.black, first.white)
    elif second:
        pairing = Pairing(second.white, second.black)
    else:
        return None
    return Pair(number, round_, pairing, plan.opening(round_))
