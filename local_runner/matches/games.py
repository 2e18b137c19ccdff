"""The finished games of a plan: in memory and, if a file was asked for, in a file of JSON Lines (system/json_lines.py).

    {"tengen":"tournament","format":1,"header":{...},"plan":{...},"agents":[...],"contents":{...},"hash":"..."}
    {"number":1,"black":"greedy","white":"random","players":[0,1],"winner":1,...,"calls":[...],"hash":"..."}
    {"rounds":20,"recover":true,"hash":"..."}       the plan has these values from this line on

One run at a time writes, and any number of processes read. Memory holds the results and moves; the calls and reports of
a game are read from its line when they are asked for.
"""

import functools
import shlex
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from env_adapter import Cell
from env_adapter.endings import Ending
from local_runner.agents.own_files import AgentFiles, changed, taken
from local_runner.errors import RunnerError
from local_runner.game.codec import as_json, checked_result
from local_runner.game.faults import Fault
from local_runner.game.records import NO_DETAILS, GameDetails, Result, Verdict
from local_runner.language.languages import _
from local_runner.matches.copies import packed, unpacked
from local_runner.matches.plan import Plan, from_json
from local_runner.matches.schedule import Pairing
from local_runner.system import json_lines
from local_runner.system.files import holds_games, size

FORMAT = 1
DATABASE = b"SQLite format 3\0"  # the first bytes of a tournament's file before files of JSON Lines


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game.

    black, white: the agents' numbers in the plan
    moves: the output of `moves_text`
    machine: the name of the computer that played the game
    started: date and time in UTC
    seconds: duration of the game
    details: NO_DETAILS if the game lies in a file; `Games.details` reads them
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
        parts = (text.split(",") for text in self.moves.split())
        return tuple(None if part == ["-"] else (int(part[0]), int(part[1])) for part in parts)


Ended = Generator[PlayedGame, None, None]  # the games of a run, each when it has ended


def moves_text(cells: Iterable[Cell | None]) -> str:
    """Moves as text: "row,col row,col ...", "-" for a pass or a lost turn."""
    return " ".join(f"{cell[0]},{cell[1]}" if cell else "-" for cell in cells)


class Games:
    """A plan and its finished games, in the order of their numbers. `Games(plan)` keeps them in memory only.

    path: the file of the games, None in memory
    header: the machine and the version that began the tournament, as `system.header` describes them
    writer: appends to the file; None for games that are only read, or in memory
    damaged: the numbers of the lines that cannot be read
    """

    def __init__(
        self, plan: Plan, path: Path | None = None, header: Mapping[str, Any] | None = None,
        writer: json_lines.Writer | None = None,
    ) -> None:  # fmt: skip
        self.plan, self.path, self.header, self.writer = plan, path, header or {}, writer
        self.damaged: list[int] = []
        self._games: dict[int, PlayedGame] = {}
        self._starts: dict[int, tuple[int, int]] = {}  # game in the file -> the first byte and number of its line
        self._next = (0, 1)  # the first byte and the number of the next line to read

    def __iter__(self) -> Iterator[PlayedGame]:
        return (self._games[number] for number in sorted(self._games))

    def __len__(self) -> int:
        return len(self._games)

    def get(self, number: int) -> PlayedGame | None:
        """The game with this number; None if it is not finished."""
        return self._games.get(number)

    def details(self, number: int) -> GameDetails:
        """The calls and reports of a finished game. Raises RunnerError if its line has changed since it was read."""
        if self.path is None or number not in self._starts:
            return self._games[number].details
        line = next(json_lines.read(self.path, *self._starts[number]), None)
        value = (line and line.value) or {}
        try:
            if value.get("number") != number:
                raise ValueError(number)
            return msgspec.convert(value, GameDetails)
        except ValueError as error:
            sentence = _("{path}: the line of game {number} has changed since it was read")
            raise RunnerError(sentence.format(path=self.path, number=number)) from error

    def add(self, game: PlayedGame) -> None:
        """Add a finished game in memory, and to the file if any. Raises RunnerError if the file cannot be written."""
        if self.writer is not None:
            names = self.plan.names
            line = {
                "number": game.number, "black": names[game.black], "white": names[game.white],
                "players": (game.black, game.white), **as_json(game.result), "moves": game.moves, "seed": game.seed,
                "machine": game.machine, "started": game.started, "seconds": game.seconds, **as_json(game.details),
            }  # fmt: skip
            self._starts[game.number] = (self.writer.append(line), 1)
            game = replace(game, details=NO_DETAILS)
        self._games[game.number] = game

    def refresh(self) -> list[PlayedGame]:
        """Read the lines that were added to the file; returns their games."""
        assert self.path is not None
        fresh = list[PlayedGame]()
        for line in json_lines.read(self.path, *self._next):
            self._next = line.end, line.number + 1
            try:
                game = self._read(line) if line.number > 1 else None
            except (ValueError, TypeError):
                self.damaged.append(line.number)
                continue
            known = self._games.get(game.number) if game is not None else None
            if game is not None and (known is None or known.result.unmeasured):  # unmeasured: the new line replaces it
                self._games[game.number], self._starts[game.number] = game, (line.start, line.number)
                fresh.append(game)
        return fresh

    def _read(self, line: json_lines.Line) -> PlayedGame | None:
        """The game of a line; None for a line that changes the plan. Raises ValueError or TypeError for other lines."""
        try:
            row = _GAME_ROW.decode(line.text or b"")  # skips the calls, ten times as fast as `line.value`
        except msgspec.DecodeError:  # a line that is no game, or text with half a surrogate pair
            value = line.value or {}
            if "rounds" in value:
                rounds, recover = msgspec.convert((value["rounds"], value.get("recover")), tuple[int, bool | None])
                self.plan = replace(self.plan, rounds=rounds, recover=recover)
                return None
            row = msgspec.convert(value, _GameRow)
        black, white = row.players
        if not (min(black, white) >= 0 and max(black, white) < len(self.plan.agents)):
            raise ValueError("an agent that does not take part")
        result = checked_result(Result(row.winner, row.ending, row.fault, row.verdict))
        return PlayedGame(row.number, black, white, result, row.moves, row.seed, row.machine, row.started, row.seconds)

    @functools.cached_property
    def files(self) -> list[AgentFiles]:
        """The agents' files at the start of the tournament; [] in memory. Raises RunnerError if they are unreadable."""
        if self.path is None:
            return []
        try:
            return unpacked(_first_line(self.path), len(self.plan.agents))
        except ValueError as error:
            raise RunnerError(_("{path}: the agents' files cannot be read").format(path=self.path)) from error

    def changed_files(self) -> list[Path]:
        """The agents' files that are now different on the disk, or missing there."""
        pairs = zip(self.plan.agents, self.files, strict=True)
        return list(dict.fromkeys(path for agent, files in pairs for path in changed(agent, files)))

    def extend(self, rounds: int | None, *, recover: bool | None = None) -> None:
        """Change the number of rounds, None for no change; `recover`: the plan's from now on, None for no change.

        Raises RunnerError for fewer rounds than before.
        """
        rounds, recover = rounds or self.plan.rounds, self.plan.recover if recover is None else recover
        if rounds < self.plan.rounds:
            sentence = _("{path} has {now} rounds, and --rounds {wanted} cannot take any away")
            raise RunnerError(sentence.format(path=self.path, now=self.plan.rounds, wanted=rounds))
        if (rounds, recover) != (self.plan.rounds, self.plan.recover):
            self.plan = replace(self.plan, rounds=rounds, recover=recover)
            if self.writer is not None:
                self.writer.append({"rounds": rounds, "recover": recover})

    @property
    def damage(self) -> list[str]:
        """Sentences about the lines that cannot be read, whose games are missing."""
        said = list[str]()
        if self.damaged:
            lines = ", ".join(map(str, self.damaged))
            sentence = _("{path} is damaged in line {lines}; `tengen tournament --resume` plays missing games again")
            said.append(sentence.format(path=self.path, lines=lines))
        if self.writer is not None and self.writer.cut:
            sentence = _("the last line of {path} was not finished; its game is played again")
            said.append(sentence.format(path=self.path))
        return said


# ---- lines


@dataclass
class _GameRow:
    """The fields of a game's line that are held in memory."""

    number: int
    players: tuple[int, int]
    winner: int
    ending: Ending | None
    fault: Fault | None
    moves: str
    seed: int
    machine: str
    started: str
    seconds: float
    verdict: Verdict | None = None


_GAME_ROW = msgspec.json.Decoder(_GameRow)


def _first_line(path: Path) -> dict[str, Any]:
    """The first line of a tournament's file. Raises RunnerError for another file, or another version's."""
    if path.is_dir():
        raise RunnerError(_("{path} is a folder; give the tournament's file").format(path=path))
    if not path.is_file():
        raise RunnerError(_("there is no tournament file {path}").format(path=path))
    if not size(path):
        sentence = _("{path} is empty: no tournament was begun in it; begin one with --out {path}")
        raise RunnerError(sentence.format(path=path))
    line = next(json_lines.read(path), None)
    if line is None or line.value is None or line.value.get("tengen") != "tournament":
        sentence = _("{path} is no tournament's file, or its first line is damaged")
        with open(path, "rb") as file:
            if file.read(len(DATABASE)) == DATABASE:
                sentence = _("{path} is a database, in which tengen kept its games before files of JSON Lines; it is "
                             "not read any more: play the games again with --out FILE.jsonl")  # fmt: skip
        raise RunnerError(sentence.format(path=path))
    if line.value.get("format") != FORMAT:
        sentence = _("{path} was written by another version of tengen; read it with that version")
        raise RunnerError(sentence.format(path=path))
    return line.value


# ---- files


def read(path: Path, writer: json_lines.Writer | None = None) -> Games:
    """The games of a file, even while it is being written. `writer`: the file's writer, to add games.

    Raises RunnerError if the file cannot be read, is no tournament's, or its first line is damaged. Other damaged lines
    are left out, and listed in `damaged`.
    """
    first = _first_line(path)
    try:
        games = Games(from_json(first["plan"]), path, dict(first["header"]), writer)
    except (ValueError, LookupError, TypeError, RunnerError) as error:
        raise RunnerError(_("{path}: its plan cannot be read ({error})").format(path=path, error=error)) from error
    games.refresh()
    return games


@contextmanager
def resume(path: Path) -> Iterator[Games]:
    """Open a tournament's file inside a `with`, to play the missing games, and again those that could not be measured.

    Raises RunnerError as `read` and `json_lines.writing` do, also if another run is playing the tournament.
    """
    _first_line(path)
    with json_lines.writing(path) as writer:
        games = read(path, writer)
        for spoilt in [game.number for game in games if game.result.unmeasured]:
            del games._games[spoilt]
        yield games


@contextmanager
def create(path: Path, plan: Plan, header: Mapping[str, Any]) -> Iterator[Games]:
    """Begin the file of a tournament inside a `with`.

    Raises RunnerError if the file exists and is not empty, or cannot be written.
    """
    if holds_games(path):
        sentence = _("{path} exists; go on by `tengen tournament --resume {quoted}`, or give --out another file")
        raise RunnerError(sentence.format(path=path, quoted=shlex.quote(str(path))))
    files = [taken(agent) for agent in plan.agents]
    first = {"tengen": "tournament", "format": FORMAT, "header": header, "plan": as_json(plan)}
    with json_lines.writing(path, new=True) as writer:
        writer.append({**first, **packed(files)})
        yield Games(plan, path, header, writer)
