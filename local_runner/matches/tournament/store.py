"""A tournament's file: an SQLite database with the plan, and with a row for each game, written when the game ends.

Pairings are not stored, because they can be computed from the plan and the earlier games. Only one run at a time may
write; other processes may read at the same time. A match has such a store in memory. This module starts no processes
and prints nothing.
"""

import hashlib
import itertools
import json
import sqlite3
import sys
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from local_runner.agents.own_files import MB, MOST_MB
from local_runner.errors import RunnerError
from local_runner.game.codec import as_json, details_from, result_from
from local_runner.game.records import NO_DETAILS, Cell, GameDetails, Result
from local_runner.language.languages import _
from local_runner.matches.snapshot import Snapshot, changed, fingerprint, is_inside, take_all
from local_runner.matches.tournament.locking import check_there, locked
from local_runner.matches.tournament.plan import TournamentPlan, from_json
from local_runner.matches.tournament.schedule import Pairing
from local_runner.matches.tournament.tables import DamagedFile, Row, Tables, check, make, reading

LOCK_SECONDS = 30.0  # longest wait while another process holds SQLite's lock
COUNT = "games"  # the key of the number of games that have been written
MOST_RECORD = 200_000_000  # most bytes of a game's unpacked details, so that a hostile file cannot fill the memory


@dataclass(frozen=True)
class PlayedGame:
    """A finished game: a row of the table `games`.

    black, white: the agents' numbers in the plan
    moves: the output of `moves_text`
    machine: the name of the computer that played the game
    started: date and time in UTC
    seconds: duration of the game
    details: NO_DETAILS in games that `Store` returns; `Store.details` reads them
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
        """The number of the game's pair: games 2n - 1 and 2n are pair n."""
        return (self.number + 1) // 2

    @property
    def pairing(self) -> Pairing:
        """The agents of the game's pair; the first one has Black in the first game."""
        return Pairing(self.black, self.white) if self.number % 2 else Pairing(self.white, self.black)

    @property
    def winner(self) -> int:
        """The winner: 1 Black, 2 White, 3 a draw."""
        return self.result.winner

    @property
    def plies(self) -> int:
        """The number of plies, the opening included."""
        return len(self.moves.split())

    @property
    def cells(self) -> tuple[Cell | None, ...]:
        """The cell of each ply, the opening included; None for a pass. Raises ValueError for malformed `moves`."""
        return tuple(None if text == "-" else _cell(text) for text in self.moves.split())


def moves_text(cells: Iterable[Cell | None]) -> str:
    """Moves as text for the column `moves`: "row,col row,col ...", "-" for a pass or a lost turn."""
    return " ".join(f"{cell[0]},{cell[1]}" if cell else "-" for cell in cells)


def _cell(text: str) -> Cell:
    row, col = map(int, text.split(","))
    return row, col


class Store:
    """An open tournament, made by `create`, `open_to_run`, `read` or `in_memory`.

    All methods that read raise DamagedFile for content that has changed since it was written.
    """

    def __init__(
        self, path: Path, tables: Tables, plan: TournamentPlan | None = None, snapshots: list[Snapshot] | None = None
    ) -> None:
        self.path = path
        self._tables = tables
        self._snapshots = snapshots
        self._written: int | None = None  # number of games in the file after the last write, None before the first
        self.plan: TournamentPlan = plan or self._about("plan", from_json)

    @property
    def header(self) -> Mapping[str, Any]:
        """The machine and the tengen version that began the tournament, as `system.header` describes them."""
        header: Mapping[str, Any] = self._about("header")
        return header

    def games(self) -> list[PlayedGame]:
        """All finished games in order of their numbers, without details."""
        return list(self.each_game())

    def each_game(self, first: int = 1, last: int = sys.maxsize) -> Iterator[PlayedGame]:
        """The finished games with numbers from `first` to `last`, without details.

        Games are read one by one, so the file may be larger than the memory.
        """
        rows = self._tables.rows("games", "number BETWEEN ? AND ?", first, last, without="details")
        return map(self._game, rows)

    def games_without(self, known: Collection[int]) -> Iterator[PlayedGame]:
        """The finished games whose numbers are not in `known`, without details.

        Games before the first number missing in `known` are not read.
        """
        first = next(number for number in itertools.count(1) if number not in known)
        return (game for game in self.each_game(first) if game.number not in known)

    def game(self, number: int) -> PlayedGame | None:
        """The game with this number, without details; None if it is not finished."""
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
        """The details of the game with this number. Raises RunnerError if the game is not finished."""
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
        """The agents' fingerprints at the start of the tournament, in the order of the plan's agents."""
        return list(self._about("agents"))

    def snapshots(self) -> list[Snapshot]:
        """The agents' files at the start of the tournament, in the order of the plan's agents."""
        if self._snapshots is None:
            read: dict[str, Snapshot] = {}  # agents of one file share a snapshot
            for main, digests in (listed := self._about("files", self._digests)):
                if (key := json.dumps([main, digests])) not in read:
                    read[key] = Snapshot(main, self._files(digests))
            self._snapshots = [read[json.dumps(each)] for each in listed]
        return self._snapshots

    def _digests(self, value: object) -> list[tuple[str, dict[str, str]]]:
        """Each agent's main file, and the digests of its files by their paths. Raises ValueError for other values."""
        listed = msgspec.convert(value, list[tuple[str, dict[str, str]]])
        if len(listed) != len(self.plan.agents) or not all(main in files or not files for main, files in listed):
            raise ValueError(_("an agent has no file"))
        return listed

    def _files(self, digests: Mapping[str, str]) -> dict[str, bytes]:
        contents, left = {}, MOST_MB * MB
        for name, digest in digests.items():
            row = next(self._tables.rows("files", "digest = ?", digest), None)
            stream = zlib.decompressobj()
            try:
                content = stream.decompress(row[1], left + 1) if row else b""
            except (zlib.error, TypeError):
                content = b""
            left -= len(content)
            if left < 0 or hashlib.sha256(content).hexdigest() != digest or not is_inside(name):
                raise DamagedFile(self.path, _("the agents' file {name} cannot be read").format(name=name))
            contents[name] = content
        return contents

    def changed_files(self) -> list[Path]:
        """The agents' files that are now different on the disk, or missing there; without those that are not named."""
        pairs = zip(self.plan.agents, self.snapshots(), strict=True)
        return list(dict.fromkeys(path for agent, snapshot in pairs for path in changed(agent, snapshot)))

    def add_games(self, games: Iterable[PlayedGame]) -> None:
        """Store all these games or, on an error, none. When this method returns, the games are on the disk.

        Raises RunnerError if the file cannot be written.
        """
        rows = [as_row(game) for game in games]
        with self._tables.writing() as tables:
            before = self._count()
            if self._written not in (None, before):
                sentence = _("{path} got older content while it was played: it has {now} games of {all}; put the newer "
                             "file back, or play the missing games with --resume")  # fmt: skip
                raise RunnerError(sentence.format(path=self.path, now=before, all=self._written))
            tables.put("games", rows)
            tables.put("about", [(COUNT, json.dumps(before + len(rows)))], "REPLACE")
        self._written = before + len(rows)

    def _count(self) -> int:
        """The number of games that have been written, as the file says; files of older versions do not say it."""
        row = next(self._tables.rows("about", "key = ?", COUNT), None)
        return int(json.loads(row[1])) if row else sum(1 for _ in self._tables.rows("games", without="details"))

    def extend(self, rounds: int | None, *, recover: bool | None = None) -> None:
        """Change the number of rounds, None for no change; `recover`: the plan's from now on, None for no change.

        Raises RunnerError for fewer rounds than before.
        """
        rounds, recover = rounds or self.plan.rounds, self.plan.recover if recover is None else recover
        if rounds < self.plan.rounds:
            sentence = _("{path} has {now} rounds, and --rounds {wanted} cannot take any away")
            raise RunnerError(sentence.format(path=self.path, now=self.plan.rounds, wanted=rounds))
        if (rounds, recover) == (self.plan.rounds, self.plan.recover):
            return
        self.plan = replace(self.plan, rounds=rounds, recover=recover)
        with self._tables.writing() as tables:
            tables.put("about", [("plan", json.dumps(as_json(self.plan)))], "REPLACE")

    def is_in_place(self) -> bool:
        """Whether the file is still at its path. Always True for a store in memory."""
        return self._tables.is_in_place()

    def check_place(self) -> None:
        """Raise RunnerError if the file was removed or moved since it was opened."""
        self._tables.check_place()

    def check(self) -> None:
        """Read every game, and write the header again, to test the file.

        Raises DamagedFile for a game that has changed, and RunnerError if the file cannot be written.
        """
        count = 0
        for game in self.each_game():
            self.details(game.number)
            count += 1
        if count != self._count():
            sentence = _("{number} of its {all} games are missing")
            raise DamagedFile(self.path, sentence.format(number=self._count() - count, all=self._count()))
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
    """A game as a row of the table `games`, in the order of its columns."""
    details = zlib.compress(json.dumps(as_json(game.details), allow_nan=False).encode())
    result = json.dumps(as_json(game.result), allow_nan=False)
    return (game.number, game.black, game.white, result, game.moves, game.seed, game.machine, game.started,
            game.seconds, details)  # fmt: skip


def unpacked(blob: object) -> GameDetails:
    """A game's details from the column `details`. Raises ValueError if it is damaged or over `MOST_RECORD`."""
    try:
        stream = zlib.decompressobj()
        text = stream.decompress(blob, MOST_RECORD)  # type: ignore[arg-type]
        if not stream.eof:
            raise ValueError("the end is missing")
        return details_from(json.loads(text))
    except (zlib.error, TypeError, RecursionError) as error:
        raise ValueError(str(error)) from error


@contextmanager
def create(
    path: Path, plan: TournamentPlan, header: Mapping[str, Any], snapshots: Sequence[Snapshot] = ()
) -> Iterator[Store]:
    """Make a new file. `snapshots`: the files of the plan's agents; by default those on the disk.

    Raises RunnerError if the file exists and is not empty, or cannot be written, and as `snapshot.take` does.
    """
    taken = list(snapshots) or take_all(plan.agents)
    hashes = [fingerprint(agent, each) for agent, each in zip(plan.agents, taken, strict=True)]
    with locked(path, new=True), connected(path) as database:
        tables = Tables(path, database)
        try:
            with database:  # one transaction
                make(database)
                put_start(tables, plan, header, hashes, taken)
        except sqlite3.Error as error:
            sentence = _("cannot write {path}: {error}; give --out another file")
            raise RunnerError(sentence.format(path=path, error=error)) from error
        yield Store(path, tables, plan, taken)


@contextmanager
def in_memory(plan: TournamentPlan) -> Iterator[Store]:
    """A store without a file, which is lost at the end of the `with`. Raises RunnerError as `snapshot.take` does."""
    with closing(sqlite3.connect(":memory:")) as database:
        make(database)
        taken = take_all(plan.agents)
        yield Store(Path(":memory:"), Tables(Path(":memory:"), database), plan, taken)


def put_start(
    tables: Tables, plan: TournamentPlan, header: Mapping[str, Any], hashes: list[str], snapshots: Sequence[Snapshot]
) -> None:
    """Write what a file has before the first game. `hashes`: the agents' fingerprints.

    A content that several agents or names share is written once, under its SHA-256.
    """
    digests = [{name: hashlib.sha256(content).hexdigest() for name, content in each.files.items()}
               for each in snapshots]  # fmt: skip
    kept = [[each.main, named] for each, named in zip(snapshots, digests, strict=True)]
    about = {"header": as_json(header), "plan": as_json(plan), "agents": hashes, "files": kept}
    tables.put("about", [(key, json.dumps(value)) for key, value in about.items()])
    contents = {named[name]: content for each, named in zip(snapshots, digests, strict=True)
                for name, content in each.files.items()}  # fmt: skip
    tables.put("files", ((digest, zlib.compress(content)) for digest, content in contents.items()))


@contextmanager
def open_to_run(path: Path) -> Iterator[Store]:
    """Open an existing file to continue its tournament.

    Raises RunnerError if the file is no tournament file, is damaged or cannot be written, or another run is playing the
    tournament. Raises RunnerError, too, if an agent's file is missing or its fingerprint has changed.
    """
    check_there(path)
    with locked(path), read(path) as store:
        store.snapshots()
        store.check()
        yield store


@contextmanager
def read(path: Path) -> Iterator[Store]:
    """Open an existing file to read it, even while it is being played.

    Raises RunnerError if the file does not exist, is no tournament file, or is damaged.
    """
    check_there(path)
    with connected(path) as database:
        tables = Tables(path, database)
        check(path, database)
        yield Store(path, tables)


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database whose commits survive a killed process and a power cut. Raises RunnerError as `reading` does."""
    with reading(path):
        database = sqlite3.connect(path, timeout=LOCK_SECONDS)
    with closing(database):
        with reading(path):
            database.execute("PRAGMA synchronous = EXTRA")  # a commit waits until file and folder are on the disk
        yield database
