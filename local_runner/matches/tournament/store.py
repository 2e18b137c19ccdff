"""A tournament's file: SQLite, with the plan, and one row per finished game from the moment it ends.

The pairs follow from the plan and the games before them, so they are not stored. Only one run at a time may write;
others may read meanwhile. A match has such a store too, in memory. Knows no processes and shows nothing.
"""

import itertools
import json
import sqlite3
import sys
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from local_runner.errors import RunnerError
from local_runner.game.codec import as_json, details_from, result_from
from local_runner.game.records import NO_DETAILS, Cell, GameDetails, Result
from local_runner.language.languages import _
from local_runner.matches.tournament.locking import check_there, locked
from local_runner.matches.tournament.plan import TournamentPlan, fingerprint, from_json
from local_runner.matches.tournament.schedule import Pairing
from local_runner.matches.tournament.tables import DamagedFile, Row, Tables, check, make, reading

LOCK_SECONDS = 30.0  # longest wait for a reader
MOST_RECORD = 200_000_000  # bytes of a game's details, so that a hostile file cannot fill the memory


@dataclass(frozen=True)
class PlayedGame:
    """A finished game as a row.

    `black`, `white`: agents by number. `moves`: as `moves_text` makes them. `started`: UTC. `details`: read only when
    they are asked for.
    """

    number: int
    black: int
    white: int
    result: Result
    moves: str
    seed: int
    machine: str
    started: str
    seconds: float
    details: GameDetails = NO_DETAILS

    @property
    def pair(self) -> int:
        """The number of its pair: games 2n - 1 and 2n are pair n."""
        return (self.number + 1) // 2

    @property
    def pairing(self) -> Pairing:
        """The agents of its pair, the first with Black in the first game."""
        return Pairing(self.black, self.white) if self.number % 2 else Pairing(self.white, self.black)

    @property
    def winner(self) -> int:
        """1 Black, 2 White, 3 a draw."""
        return self.result.winner

    @property
    def plies(self) -> int:
        """The number of plies, the opening included."""
        return len(self.moves.split())

    @property
    def cells(self) -> tuple[Cell | None, ...]:
        """The cell of each ply, the opening included; None for a pass. Raises ValueError for damaged moves."""
        return tuple(None if text == "-" else _cell(text) for text in self.moves.split())


def moves_text(cells: Iterable[Cell | None]) -> str:
    """Moves as the column of a game: "row,col row,col ...", "-" for a pass."""
    return " ".join(f"{cell[0]},{cell[1]}" if cell else "-" for cell in cells)


def _cell(text: str) -> Cell:
    row, col = map(int, text.split(","))
    return row, col


class Store:
    """An open tournament; made by `create`, `open_to_run`, `read` or `in_memory`.

    Its methods raise DamagedFile for content that has changed since it was written.
    """

    def __init__(self, path: Path, tables: Tables, plan: TournamentPlan | None = None) -> None:
        self.path = path
        self._tables = tables
        self.plan: TournamentPlan = plan or self._about("plan", from_json)

    @property
    def header(self) -> Mapping[str, Any]:
        """The machine and the version that began it, as in `system.header`."""
        header: Mapping[str, Any] = self._about("header")
        return header

    def games(self) -> list[PlayedGame]:
        """All finished games by number, without details."""
        return list(self.each_game())

    def each_game(self, first: int = 1, last: int = sys.maxsize) -> Iterator[PlayedGame]:
        """The finished games from one number to another, one after another, for files larger than the memory."""
        rows = self._tables.rows("games", "number BETWEEN ? AND ?", first, last, without="details")
        return map(self._game, rows)

    def games_without(self, known: Collection[int]) -> Iterator[PlayedGame]:
        """The finished games but those of these numbers; cheap if the known games are the first ones."""
        first = next(number for number in itertools.count(1) if number not in known)
        return (game for game in self.each_game(first) if game.number not in known)

    def game(self, number: int) -> PlayedGame | None:
        """One game without details, if it is finished."""
        return next(self.each_game(number, number), None)

    def _game(self, row: Row) -> PlayedGame:
        number, black, white, text, moves, seed, machine, started, seconds = row
        if max(black, white) >= len(self.plan.agents):
            sentence = _("game {number} names an agent that does not take part")
            raise DamagedFile(self.path, sentence.format(number=number))
        try:
            result = result_from(json.loads(text))
        except ValueError as error:
            sentence = _("the result of game {number} cannot be read")
            raise DamagedFile(self.path, sentence.format(number=number)) from error
        return PlayedGame(number, black, white, result, moves, seed, machine, started, seconds)

    def details(self, number: int) -> GameDetails:
        """The details of one game. Raises RunnerError if there is no such game."""
        packed = self._tables.details(number)
        if packed is None:
            sentence = _("{path} has no game {number}; see its games with `tengen report`")
            raise RunnerError(sentence.format(path=self.path, number=number))
        try:
            return unpacked(packed)
        except ValueError as error:
            sentence = _("the record of game {number} cannot be read")
            raise DamagedFile(self.path, sentence.format(number=number)) from error

    def fingerprints(self) -> list[str]:
        """Hashes of the agents' code at the start of the tournament, in the order of the agents."""
        return list(self._about("agents"))

    def add_games(self, games: Iterable[PlayedGame]) -> None:
        """Store games, all of them or none; they are on the disk when this returns."""
        rows = [as_row(game) for game in games]
        with self._tables.writing() as tables:
            tables.put("games", rows)

    def extend(self, rounds: int) -> None:
        """Increase the number of rounds. Raises RunnerError for a smaller number."""
        if rounds < self.plan.rounds:
            sentence = _("{path} has {now} rounds, and --rounds {wanted} cannot take any away")
            raise RunnerError(sentence.format(path=self.path, now=self.plan.rounds, wanted=rounds))
        self.plan = replace(self.plan, rounds=rounds)
        with self._tables.writing() as tables:
            tables.put("about", [("plan", json.dumps(as_json(self.plan)))], "REPLACE")

    def check(self) -> None:
        """Read every game. Raises DamagedFile for a changed game, RunnerError for a file that cannot be written."""
        for game in self.each_game():
            self.details(game.number)
        with self._tables.writing() as tables:
            tables.put("about", [("header", json.dumps(self.header))], "REPLACE")

    def _about(self, key: str, read: Callable[[Any], Any] = lambda value: value) -> Any:
        row = next(self._tables.rows("about", "key = ?", key), None)
        try:
            if row is None:
                raise ValueError(_("there is no {part}").format(part=key))
            return read(json.loads(row[1]))
        except (ValueError, RunnerError) as error:
            sentence = _("its {part} cannot be read ({error})")
            raise DamagedFile(self.path, sentence.format(part=key, error=error)) from error


def as_row(game: PlayedGame) -> Row:
    """A game as a row of its table, in the order of the columns."""
    details = zlib.compress(json.dumps(as_json(game.details), allow_nan=False).encode())
    result = json.dumps(as_json(game.result), allow_nan=False)
    return (game.number, game.black, game.white, result, game.moves, game.seed, game.machine, game.started,
            game.seconds, details)  # fmt: skip


def unpacked(blob: object) -> GameDetails:
    """A game's details from its blob. Raises ValueError for a damaged one."""
    try:
        stream = zlib.decompressobj()
        text = stream.decompress(blob, MOST_RECORD)  # type: ignore[arg-type]
        if not stream.eof:
            raise ValueError("the end is missing")
        return details_from(json.loads(text))
    except (zlib.error, TypeError, RecursionError) as error:
        raise ValueError(str(error)) from error


@contextmanager
def create(path: Path, plan: TournamentPlan, header: Mapping[str, Any]) -> Iterator[Store]:
    """A new file. Raises RunnerError if the file exists and is not empty, or cannot be written."""
    hashes = [fingerprint(agent) for agent in plan.agents]
    with locked(path, new=True), connected(path) as database:
        tables = Tables(path, database)
        try:
            with database:  # all of it or nothing
                make(database)
                tables.put("about", about_rows(plan, header, hashes))
        except sqlite3.Error as error:
            sentence = _("cannot write {path}: {error}; give --out another file")
            raise RunnerError(sentence.format(path=path, error=error)) from error
        yield Store(path, tables, plan)


@contextmanager
def in_memory(plan: TournamentPlan) -> Iterator[Store]:
    """A store without a file, which is gone at the end."""
    with closing(sqlite3.connect(":memory:")) as database:
        make(database)
        yield Store(Path(":memory:"), Tables(Path(":memory:"), database), plan)


def about_rows(plan: TournamentPlan, header: Mapping[str, Any], hashes: list[str]) -> list[tuple[str, str]]:
    """The rows of the table `about`. `hashes`: the fingerprint of each agent."""
    about = {"header": as_json(header), "plan": as_json(plan), "agents": hashes}
    return [(key, json.dumps(value)) for key, value in about.items()]


@contextmanager
def open_to_run(path: Path) -> Iterator[Store]:
    """An existing file, to continue its tournament.

    Raises RunnerError for a file of another kind, one that another run is playing, one that cannot be written, and for
    an agent whose code has changed.
    """
    check_there(path)
    with locked(path), read(path) as store:
        for agent, known in zip(store.plan.agents, store.fingerprints(), strict=True):
            if not agent.path.is_file():
                sentence = _("{path} was played with {agent}, which is gone; restore it, or start a new one")
                raise RunnerError(sentence.format(path=path, agent=agent.path))
            if fingerprint(agent) != known:
                sentence = _("{agent} has changed since {path} was begun; restore it, or start a new one")
                raise RunnerError(sentence.format(agent=agent.path, path=path))
        store.check()
        yield store


@contextmanager
def read(path: Path) -> Iterator[Store]:
    """An existing file, to read, even while it is being played. Raises RunnerError if it is no tournament file."""
    check_there(path)
    with connected(path) as database:
        tables = Tables(path, database)
        check(path, database)
        yield Store(path, tables)


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    """A database whose commits survive the end of the process and a power cut."""
    with reading(path):
        database = sqlite3.connect(path, timeout=LOCK_SECONDS)
    with closing(database):
        with reading(path):
            database.execute("PRAGMA synchronous = EXTRA")  # waits for the disk, and for the folder too
        yield database
