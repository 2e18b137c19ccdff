"""A tournament's file: SQLite, with the plan, every pair, and one row per finished game from the moment it ends.

A pair is stored before it is played, so that a resumed run plays the same pairs. Only one run at a time may write;
others may read meanwhile. A match has such a store too, in memory. Knows no processes and shows nothing.
"""

import fcntl
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local_runner.errors import RunnerError
from local_runner.records import Reason, as_json
from local_runner.tournament.plan import Pair, TournamentPlan, fingerprint, from_json, is_unchanged, to_json
from local_runner.tournament.schedule import Pairing

FORMAT = 2
LOCK_SECONDS = 30.0  # longest wait for a reader
SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE agents (number INTEGER PRIMARY KEY, name TEXT NOT NULL, fingerprint TEXT NOT NULL);
CREATE TABLE pairs (number INTEGER PRIMARY KEY, round INTEGER NOT NULL, a INTEGER NOT NULL, b INTEGER NOT NULL,
                    opening TEXT NOT NULL);
CREATE TABLE games (number INTEGER PRIMARY KEY, pair INTEGER NOT NULL REFERENCES pairs, black INTEGER NOT NULL,
                    white INTEGER NOT NULL, winner INTEGER NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL,
                    moves TEXT NOT NULL, seed INTEGER NOT NULL, machine TEXT NOT NULL, started TEXT NOT NULL,
                    seconds REAL NOT NULL, record BLOB NOT NULL);
"""


@dataclass(frozen=True)
class PlayedGame:
    """A finished game as a row.

    `black`, `white`: agents by number. `winner`: 1 Black, 2 White, 3 a draw. `reason`: a value of `records.Reason`.
    `moves`: "row,col row,col ...", the opening included; "-" for a pass. `started`: UTC. `record`: the GameRecord as
    JSON without its log, and the end of the agents' output if one lost by a fault.
    """

    number: int
    pair: int
    black: int
    white: int
    winner: int
    reason: str
    detail: str
    moves: str
    seed: int
    machine: str
    started: str
    seconds: float
    record: Mapping[str, Any]

    @property
    def loser(self) -> int | None:
        """The player, 0 Black or 1 White, who lost by a fault, if one did."""
        return None if self.reason == Reason.RULES.value else 2 - self.winner


class Store:
    """An open tournament; made by `create`, `open_to_run`, `read` or `in_memory`."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self.path = path
        self._database = database
        self.header: Mapping[str, Any] = json.loads(self._about("header"))
        self.plan: TournamentPlan = from_json(json.loads(self._about("plan")))

    def pairs(self) -> Iterator[Pair]:
        """All pairs so far, in order."""
        return self._pairs_where("TRUE")

    def pairs_left(self) -> Iterator[Pair]:
        """The pairs with a missing game."""
        return self._pairs_where("(SELECT count(*) FROM games WHERE number IN (2 * p.number - 1, 2 * p.number)) < 2")

    def pair(self, number: int) -> Pair | None:
        """One pair, if there is one of that number."""
        return next(self._pairs_where("number = ?", number), None)

    def _pairs_where(self, condition: str, *values: int) -> Iterator[Pair]:
        rows = self._database.execute(f"SELECT * FROM pairs AS p WHERE {condition} ORDER BY number", values)
        return (Pair(number, round_, Pairing(a, b), _cells(opening)) for number, round_, a, b, opening in rows)

    def add_pairs(self, pairs: list[Pair]) -> None:
        """Store pairs that will be played."""
        rows = [(p.number, p.round, p.pairing.a, p.pairing.b, json.dumps(p.opening)) for p in pairs]
        with self._writing() as database:
            database.executemany("INSERT INTO pairs VALUES (?, ?, ?, ?, ?)", rows)

    def games(self) -> list[PlayedGame]:
        """All finished games by number, with empty records."""
        return list(self.each_game())

    def each_game(self) -> Iterator[PlayedGame]:
        """All finished games one after another, for files larger than the memory."""
        return self._games_where("TRUE")

    def game(self, number: int) -> PlayedGame | None:
        """One game with an empty record, if it is finished."""
        return next(self._games_where("number = ?", number), None)

    def _games_where(self, condition: str, *values: int) -> Iterator[PlayedGame]:
        names = [name for name in PlayedGame.__dataclass_fields__ if name != "record"]
        query = f"SELECT {', '.join(names)} FROM games WHERE {condition} ORDER BY number"
        return (PlayedGame(*(*row, {})) for row in self._database.execute(query, values))

    def record(self, number: int) -> Mapping[str, Any]:
        """The record of one game. Raises RunnerError if there is no such game."""
        row = self._database.execute("SELECT record FROM games WHERE number = ?", (number,)).fetchone()
        if row is None:
            raise RunnerError(f"{self.path} has no game {number}; see its games with `tengen report`")
        try:
            found: Mapping[str, Any] = json.loads(zlib.decompress(row[0]))
        except (zlib.error, ValueError, TypeError) as error:
            raise RunnerError(f"{self.path} is damaged: the record of game {number} cannot be read") from error
        return found

    def fingerprints(self) -> list[str]:
        """Hashes of the agents' code at the start of the tournament, in the order of the agents."""
        return [row[0] for row in self._database.execute("SELECT fingerprint FROM agents ORDER BY number")]

    def add_game(self, game: PlayedGame) -> None:
        """Store a game; it is on the disk when this returns."""
        self.add_games([game])

    def add_games(self, games: Iterable[PlayedGame]) -> None:
        """Store games, all of them or none, with one wait for the disk."""
        names = ", ".join(f":{name}" for name in PlayedGame.__dataclass_fields__)
        rows = [
            {**vars(game), "record": zlib.compress(json.dumps(game.record, allow_nan=False).encode())}
            for game in games
        ]
        with self._writing() as database:
            database.executemany(f"INSERT INTO games VALUES ({names})", rows)

    def _about(self, key: str) -> str:
        row = self._database.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()
        return str(row[0])

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._database:
                yield self._database
        except sqlite3.Error as error:
            raise RunnerError(f"cannot write {self.path}: {error}; mend that, then resume") from error


@contextmanager
def create(path: Path, plan: TournamentPlan, header: Mapping[str, Any]) -> Iterator[Store]:
    """A new file. Raises RunnerError if the file exists or cannot be written."""
    agents = [(n, a.name, fingerprint(a)) for n, a in enumerate(plan.agents)]
    with _alone(path), closing(sqlite3.connect(path, timeout=LOCK_SECONDS)) as database:
        try:
            _fill(database, plan, header, agents)
        except sqlite3.Error as error:
            path.unlink()
            raise RunnerError(f"cannot write {path}: {error}; give --out another file") from error
        yield Store(path, database)


@contextmanager
def in_memory(plan: TournamentPlan) -> Iterator[Store]:
    """A store without a file, which is gone at the end."""
    with closing(sqlite3.connect(":memory:")) as database:
        _fill(database, plan, {}, [])
        yield Store(Path(":memory:"), database)


def _fill(
    database: sqlite3.Connection, plan: TournamentPlan, header: Mapping[str, Any], agents: list[tuple[int, str, str]]
) -> None:
    """Make the tables. `agents`: number, name and fingerprint of each."""
    about = {"format": FORMAT, "header": as_json(header), "plan": to_json(plan)}
    with database:  # all of it or nothing
        database.executescript("BEGIN;" + SCHEMA)
        database.executemany("INSERT INTO agents VALUES (?, ?, ?)", agents)
        database.executemany("INSERT INTO about VALUES (?, ?)", [(k, json.dumps(v)) for k, v in about.items()])


@contextmanager
def open_to_run(path: Path) -> Iterator[Store]:
    """An existing file, to continue its tournament.

    Raises RunnerError if it is no tournament file, if another run is playing it, or if an agent's code has changed.
    """
    _check_there(path)
    with _alone(path, existing=True), read(path) as store:
        for agent, known in zip(store.plan.agents, store.fingerprints(), strict=True):
            if not agent.path.is_file():
                raise RunnerError(f"{path} was played with {agent.path}, which is gone; restore it, or start a new one")
            if not is_unchanged(agent, known):
                raise RunnerError(f"{agent.path} has changed since {path} was begun; restore it, or start a new one")
        yield store


@contextmanager
def read(path: Path) -> Iterator[Store]:
    """An existing file, to read, even while it is being played. Raises RunnerError if it is no tournament file."""
    _check_there(path)
    try:
        connected = sqlite3.connect(path, timeout=LOCK_SECONDS)
    except sqlite3.Error as error:
        raise RunnerError(f"cannot read {path}: {error}") from error
    with closing(connected) as database:
        try:
            [[found]] = database.execute("PRAGMA quick_check(1)")
            [[kept]] = database.execute("SELECT value FROM about WHERE key = 'format'")
        except (sqlite3.DatabaseError, ValueError) as error:
            raise RunnerError(f"{path} is no tournament file, or a damaged one: {error}") from error
        if found != "ok":
            raise RunnerError(f"{path} is damaged: {found}")
        if json.loads(kept) != FORMAT:
            raise RunnerError(f"{path} was written by another version of tengen (format {kept}, here {FORMAT})")
        yield Store(path, database)


def _check_there(path: Path) -> None:
    if not path.is_file():
        raise RunnerError(f"there is no tournament file {path}")


@contextmanager
def _alone(path: Path, *, existing: bool = False) -> Iterator[None]:
    """Lock the file against other runs; the lock ends with the process at the latest."""
    try:
        handle = os.open(path, os.O_RDWR if existing else os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        raise RunnerError(f"{path} exists; go on with it by --resume {path}, or give --out another file") from None
    except OSError as error:
        raise RunnerError(f"cannot write {path}: {error.strerror}; give --out another file") from error
    with os.fdopen(handle, "rb"):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # not one of SQLite's own locks, which are fcntl locks
        except BlockingIOError:
            raise RunnerError(f"{path} is being played by another run; wait for it, or stop it and resume") from None
        yield


def _cells(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((row, col) for row, col in json.loads(text))
