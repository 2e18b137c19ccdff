"""Files of games that pages have opened, or that were named at the start, and games as the page gets them.

What a browser sends is kept in memory, the newest files only. A name never becomes a path: the files of the command
line are found by their names in a table.
"""

import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from local_runner import formats
from local_runner.errors import RunnerError
from local_runner.formats.saved_game import GameFile, SavedGame, with_result
from local_runner.game.board_data import board_of, moves_of
from local_runner.game.thoughts import thoughts_of
from local_runner.language.languages import _, shown
from local_runner.language.text import in_line, printable, shortened
from local_runner.server.messages import Opened, PagePosition
from local_runner.server.positions import begun
from local_runner.server.stored_room import StoredRoom
from local_runner.server.words import ended

MOST_FILES = 20  # opened by pages
MOST_HEADINGS = 10_000  # of one file that a page gets
LONG = 300  # columns of a sentence from a file


class OpenedFiles:
    """The files of a server. `named`: those of the command line. Its methods may be called from any thread."""

    def __init__(self, named: Mapping[str, Path]) -> None:
        self._named = named
        self._lock = threading.Lock()
        self._opened: dict[str, tuple[str, GameFile]] = {}

    def add(self, name: str, content: bytes) -> tuple[str, GameFile]:
        """Read a file that a page sends; returns its id and its games. Raises RunnerError if nothing can be read."""
        found = formats.read(name, content)
        file = secrets.token_hex(8)
        with self._lock:
            self._opened[file] = name, found
            while len(self._opened) > MOST_FILES:
                del self._opened[next(iter(self._opened))]
        return file, found

    def game(self, file: str, number: int) -> SavedGame:
        """One game of a file. Raises RunnerError if there is no such file or game."""
        return self._file(file).game(number)

    def tournament(self, file: str) -> tuple[Path, str]:
        """Path and name of a tournament: one of the command line, or one that a page has opened.

        Raises RunnerError if there is no such tournament.
        """
        if file in self._named:
            return self._named[file], file
        with self._lock:
            name, found = self._opened.get(file, (file, None))
        if found is None or found.path is None:
            sentence = _("there is no open tournament of this name: {name}; open its file again")
            raise RunnerError(sentence.format(name=in_line(name)))
        return found.path, name

    def _file(self, file: str) -> GameFile:
        with self._lock:
            found = self._opened.get(file, ("", None))[1]
        if found is None and file in self._named:
            return formats.read_path(self._named[file])
        if found is None:
            raise RunnerError(_("this file is not open any more; open it again"))
        return found


def headings(file: GameFile) -> list[dict[str, Any]]:
    """The list of games, in the language that is used."""
    first: Sequence[Any] = file[:MOST_HEADINGS]
    return [{**asdict(game), "names": list(map(shortened, game.names)), "ending": _words(game.ending)}
            for game in first]  # fmt: skip


def opened(game: SavedGame, tag: int) -> Opened:
    """A game as the page gets it. Raises ValueError for impossible moves."""
    board, moves = board_of(game.setup), moves_of(game.setup, game.cells)
    moves["winner"] = game.winner or moves["winner"]
    black, white = map(shortened, game.names)
    seconds = [None if value is None else round(value, 3) for value in game.seconds]
    return Opened(
        tag=tag, board=dict(board), moves=dict(moves), position=position_of(game), names=(black, white),
        result=ended(game.winner, game.ending), damage=printable(shown(game.damage)), seconds=seconds,
        thoughts=thoughts_of(board, moves, game.thoughts),
    )  # fmt: skip


def position_of(game: SavedGame) -> PagePosition:
    """The position to play on from a saved game."""
    setup, board = game.setup, board_of(game.setup)
    usual = board_of(type(setup)(setup.env))
    stones = board["stones"] if setup.board is not None else None
    size = board["rows"] if board["rows"] != usual["rows"] else None
    moves = moves_of(setup, game.cells)["moves"]
    return PagePosition(env=setup.env, size=size, stones=stones, moves=moves)


def saved_game(position: PagePosition, names: tuple[str, str]) -> SavedGame:
    """A position of the page as a saved game. Raises RunnerError or EnvError if it cannot be played."""
    start = begun(position)
    return SavedGame(start.setup, start.cells, names)


def saved_room(room: StoredRoom, names: tuple[str, str]) -> SavedGame:
    """A room as a saved game."""
    start = begun(room.position)
    plies = len(room.position.moves)
    lead = [None] * (len(start.cells) - plies)
    seconds = (*lead, *room.seconds) if any(room.seconds) else ()
    return with_result(SavedGame(start.setup, start.cells, names, seconds=seconds), room.result)


def _words(text: str) -> str:
    return printable(shortened(shown(text), LONG))
