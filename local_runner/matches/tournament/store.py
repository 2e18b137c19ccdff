"""A tournament's file: SQLite, with the plan, every pair, and one row per finished game from the moment it ends.

A pair is stored before it is played, so that a resumed run plays the same pairs. Only one run at a time may write;
others may read meanwhile. A match has such a store too, in memory. Knows no processes and shows nothing.
"""

import itertools
import json
import sqlite3
import zlib
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from local_runner.errors import RunnerError
from local_runner.game.codec import as_json, details_from, result_from
from local_runner.game.records import NO_DETAILS, Cell, GameDetails, Result
from local_runner.language.languages import _
from local_runner.matches.tournament.locking import alone, check_there
from local_runner.matches.tournament.plan import Pair, TournamentPlan, fingerprint, from_json
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
    pair: int
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

    Its methods raise DamagedFile if what they read is not as it was written.
    """

    def __init__(self, path: Path, tables: Tables) -> None:
        self.path = path
        self._tables = tables
        plan = self._about("plan")
        try:
            self.plan: TournamentPlan = from_json(plan)
        except (ValueError, TypeError, LookupError, AttributeError, RunnerError) as error:
            sentence = _("its {part} cannot be read ({error})")
            raise DamagedFile(path, sentence.format(part="plan", error=error)) from error

    @property
    def header(self) -> Mapping[str, Any]:
        """The machine and the version that began it, as in `system.header`."""
        found: Mapping[str, Any] = self._about("header")
        return found

    def pairs(self) -> Iterator[Pair]:
        """All pairs so far, in order."""
        return self._pairs_where("TRUE")

    def pairs_left(self) -> Iterator[Pair]:
        """The pairs with a missing game."""
        return self._pairs_where("(SELECT count(*) FROM games WHERE number IN (2 * t.number - 1, 2 * t.number)) < 2")

    def pair(self, number: int) -> Pair | None:
        """One pair, if there is one of that number."""
        return next(self._pairs_where("number = ?", number), None)

    def _pairs_where(self, condition: str, *values: int) -> Iterator[Pair]:
        for row in self._tables.rows("pairs", condition, *values):
            number, round_, a, b, opening = row
            if self._are_strangers(a, b):
                sentence = _("pair {number} names an agent that does not take part")
                raise DamagedFile(self.path, sentence.format(number=number))
            yield Pair(number, round_, Pairing(a, b), cells(opening))

    def add_pairs(self, pairs: list[Pair]) -> None:
        """Store pairs that will be played."""
        with self._tables.writing() as tables:
            tables.put("pairs", [as_row(pair) for pair in pairs])

    def games(self) -> list[PlayedGame]:
        """All finished games by number, without details."""
        return list(self.each_game())

    def each_game(self) -> Iterator[PlayedGame]:
        """All finished games one after another, for files larger than the memory."""
        return self._games_where("TRUE")

    def games_without(self, known: Collection[int]) -> Iterator[PlayedGame]:
        """The finished games but those of these numbers; cheap if the known ones are the first."""
        first = next(number for number in itertools.count(1) if number not in known)
        return (game for game in self._games_where("number >= ?", first) if game.number not in known)

    def game(self, number: int) -> PlayedGame | None:
        """One game without details, if it is finished."""
        return next(self._games_where("number = ?", number), None)

    def _games_where(self, condition: str, *values: int) -> Iterator[PlayedGame]:
        for row in self._tables.rows("games", condition, *values, without="details"):
            game = self._game(row)
            if self._are_strangers(game.black, game.white):
                sentence = _("game {number} names an agent that does not take part")
                raise DamagedFile(self.path, sentence.format(number=game.number))
            yield game

    def _game(self, row: Row) -> PlayedGame:
        number, pair, black, white, text, moves, seed, machine, started, seconds = row
        try:
            result = result_from(json.loads(text))
        except ValueError as error:
            sentence = _("the result of game {number} cannot be read")
            raise DamagedFile(self.path, sentence.format(number=number)) from error
        return PlayedGame(number, pair, black, white, result, moves, seed, machine, started, seconds)

    def _are_strangers(self, *agents: int) -> bool:
        return max(agents) >= len(self.plan.agents)

    def details(self, number: int) -> GameDetails:
        """The details of one game. Raises RunnerError if there is no such game."""
        found = self._tables.column("games", "details", number)
        if found is None:
            sentence = _("{path} has no game {number}; see its games with `tengen report`")
            raise RunnerError(sentence.format(path=self.path, number=number))
        try:
            return unpacked(*found)
        except ValueError as error:
            sentence = _("the record of game {number} cannot be read")
            raise DamagedFile(self.path, sentence.format(number=number)) from error

    def fingerprints(self) -> list[str]:
        """Hashes of the agents' code at the start of the tournament, in the order of the agents."""
        return list(self._about("agents"))

    def add_game(self, game: PlayedGame) -> None:
        """Store a game; it is on the disk when this returns."""
        self.add_games([game])

    def add_games(self, games: Iterable[PlayedGame]) -> None:
        """Store games, all of them or none, with one wait for the disk."""
        rows = [as_row(game) for game in games]
        with self._tables.writing() as tables:
            tables.put("games", rows)

    def extend(self, rounds: int) -> None:
        """Raise the number of rounds. Raises RunnerError if that is fewer than now."""
        if rounds < self.plan.rounds:
            sentence = _("{path} has {now} rounds, and --rounds {wanted} cannot take any away")
            raise RunnerError(sentence.format(path=self.path, now=self.plan.rounds, wanted=rounds))
        self.plan = replace(self.plan, rounds=rounds)
        with self._tables.writing() as tables:
            tables.put("about", [("plan", json.dumps(as_json(self.plan)))], "REPLACE")

    def check(self) -> None:
        """Raise DamagedFile if a pair or a game is not as it was written, RunnerError if games could not be stored."""
        deque(self.pairs(), maxlen=0)
        for game in self.games():
            self.details(game.number)
        with self._tables.writing() as tables:
            tables.put("about", [("header", json.dumps(self.header))], "REPLACE")

    def _about(self, key: str) -> Any:
        row = next(self._tables.rows("about", "key = ?", key), None)
        try:
            return json.loads(row[1]) if row else _missing(key)
        except ValueError as error:
            sentence = _("its {part} cannot be read ({error})")
            raise DamagedFile(self.path, sentence.format(part=key, error=error)) from error


def _missing(key: str) -> Any:
    raise ValueError(_("there is no {part}").format(part=key))


def as_row(value: PlayedGame | Pair) -> tuple[Any, ...]:
    """A game or a pair as a row of its table."""
    if isinstance(value, Pair):
        return (value.number, value.round, *value.pairing, json.dumps(value.opening))
    packed = zlib.compress(json.dumps(as_json(value.details), allow_nan=False).encode())
    result = json.dumps(as_json(value.result), allow_nan=False)
    return (
        value.number,
        value.pair,
        value.black,
        value.white,
        result,
        value.moves,
        value.seed,
        value.machine,
        value.started,
        value.seconds,
        packed,
    )


def unpacked(blob: object) -> GameDetails:
    """A game's details from its blob. Raises ValueError for a damaged one."""
    try:
        stream = zlib.decompressobj()
        text = stream.decompress(blob, MOST_RECORD)  # type: ignore[arg-type]
        return details_from(json.loads(text) if stream.eof else _missing("end"))
    except (zlib.error, TypeError, RecursionError) as error:
        raise ValueError(str(error)) from error


@contextmanager
def create(path: Path, plan: TournamentPlan, header: Mapping[str, Any]) -> Iterator[Store]:
    """A new file. Raises RunnerError if the file exists and is not empty, or cannot be written."""
    hashes = [fingerprint(agent) for agent in plan.agents]
    with alone(path, new=True), connected(path) as database:
        try:
            tables = _filled(path, database, plan, header, hashes)
        except sqlite3.Error as error:
            sentence = _("cannot write {path}: {error}; give --out another file")
            raise RunnerError(sentence.format(path=path, error=error)) from error
        yield Store(path, tables)


@contextmanager
def in_memory(plan: TournamentPlan) -> Iterator[Store]:
    """A store without a file, which is gone at the end."""
    with closing(sqlite3.connect(":memory:")) as database:
        yield Store(Path(":memory:"), _filled(Path(":memory:"), database, plan, {}, []))


def _filled(
    path: Path, database: sqlite3.Connection, plan: TournamentPlan, header: Mapping[str, Any], hashes: list[str]
) -> Tables:
    """Make the tables in an empty database. `hashes`: the fingerprint of each agent."""
    tables = Tables(path, database)
    with database:  # all of it or nothing
        make(database)
        tables.put("about", about_rows(plan, header, hashes))
    return tables


def about_rows(plan: TournamentPlan, header: Mapping[str, Any], hashes: list[str]) -> list[tuple[str, str]]:
    """What a file says of itself."""
    about = {"header": as_json(header), "plan": as_json(plan), "agents": hashes}
    return [(key, json.dumps(value)) for key, value in about.items()]


@contextmanager
def open_to_run(path: Path) -> Iterator[Store]:
    """An existing file, to continue its tournament.

    Raises RunnerError if it is no tournament file, if another run is playing it, if it cannot be written, or if an
    agent's code has changed.
    """
    check_there(path)
    with alone(path), read(path) as store:
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
    """A database that keeps what is committed, whatever happens to the process or the power."""
    with reading(path):
        database = sqlite3.connect(path, timeout=LOCK_SECONDS)
    with closing(database):
        with reading(path):
            database.execute("PRAGMA synchronous = EXTRA")  # waits for the disk, and for the folder too
        yield database


def cells(text: str) -> tuple[tuple[int, int], ...]:
    """An opening from its row."""
    return tuple((row, col) for row, col in json.loads(text))
