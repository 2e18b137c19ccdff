"""Files of games that pages have opened or the command line names, and the message of one game to a page.

The newest files from browsers stay in memory, at most `MOST_FILES` and about `MOST_KEPT` bytes. A page's text never
becomes a path: a file of the command line is looked up by its name in a table.
"""

import secrets
import threading
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from local_runner import formats
from local_runner.errors import RunnerError
from local_runner.formats import GameFile, Heading, SavedGame
from local_runner.formats.reading import UnknownFormat
from local_runner.formats.saved_game import with_result
from local_runner.game.board_data import board_of, moves_of, thoughts_of
from local_runner.game.session import GameSession
from local_runner.language.languages import _, shown
from local_runner.language.text import in_line, printable, shortened
from local_runner.server.positions import position_game
from local_runner.server.stored_room import StoredRoom, outcome_text, translated
from local_runner.server.wire import Answer, PagePosition

MOST_FILES = 20  # files from browsers: the most that are kept; the oldest are dropped
MOST_KEPT = 150_000_000  # bytes of these files together; the newest file is always kept
MOST_HEADINGS = 10_000  # games in the list that a page gets of one file
LONG = 300  # columns; a longer sentence from a file is shortened


class OpenedFiles:
    """The files of a server. `named`: the files of the command line. Methods may be called from any thread."""

    def __init__(self, named: Mapping[str, Path]) -> None:
        self._named = named
        self._lock = threading.Lock()
        self._opened: dict[str, tuple[str, GameFile, int]] = {}  # name, games and bytes of a file

    def add(self, name: str, content: bytes) -> tuple[str, GameFile]:
        """Read a file that a page sends; returns its id and its games. Raises RunnerError if no game can be read."""
        try:
            games = formats.read(name, content)
        except UnknownFormat as error:  # the page names the formats beside the field for a file
            raise RunnerError(_("{file} holds no game").format(file=shortened(name))) from error
        file = secrets.token_hex(8)
        with self._lock:
            self._opened[file] = name, games, len(content)
            while len(self._opened) > MOST_FILES or sum(size for *_, size in self._opened.values()) > MOST_KEPT:
                if len(self._opened) == 1:
                    break
                del self._opened[next(iter(self._opened))]
        return file, games

    def games(self, file: str) -> tuple[str, GameFile]:
        """Name and games of a file. Raises RunnerError if there is no such file."""
        with self._lock:
            if file in self._opened:
                return self._opened[file][:2]
        if file in self._named:
            return file, formats.read_path(self._named[file])
        raise RunnerError(_("this file is not open any more; open it again"))

    def game(self, file: str, number: int) -> SavedGame:
        """One game of a file. Raises RunnerError if there is no such file or game.

        The page shows the only game of a file without a list. So the game's damage also says what the list would say.
        """
        _name, games = self.games(file)
        game = games.game(number)
        said = game.damage or (len(games) == 1 and (games.problem or games.note))
        return replace(game, damage=said) if said else game

    def tournament(self, file: str) -> tuple[Path, str]:
        """Path and name of a tournament that the command line names or a page has opened.

        Raises RunnerError if there is no such tournament.
        """
        if file in self._named:
            return self._named[file], file
        with self._lock:
            name, games, _size = self._opened.get(file, (file, None, 0))
        if games is None or games.path is None:
            sentence = _("there is no open tournament of this name: {name}; open its file again")
            raise RunnerError(sentence.format(name=in_line(name)))
        return games.path, name


def listing(file: str, name: str, games: GameFile) -> dict[str, Any]:
    """The answer to a page that opens a file: its id, name, kind and games, with texts in the current language.

    `count`: the number of games, of which the first `MOST_HEADINGS` are listed.
    """
    return {"file": file, "name": shortened(name), "kind": games.kind, "count": len(games), "games": _headings(games),
            "problem": printable(shown(games.problem or games.note))}  # fmt: skip


def _headings(file: GameFile) -> list[dict[str, Any]]:

    def heading(game: Heading) -> dict[str, Any]:
        ending = printable(shortened(shown(game.ending), LONG))
        return {**asdict(game), "names": translated(game.names), "ending": ending}

    return [heading(game) for game in file.listed(MOST_HEADINGS)]


def opened(game: SavedGame, variations: bool = False) -> Answer:
    """The answer with a game of a file. Raises ValueError for impossible moves.

    `variations`: whether the file has variations of the game.
    """
    board, moves = board_of(game.setup), moves_of(game.setup, game.cells)
    moves["winner"] = game.winner or moves["winner"]
    setup, usual = game.setup, board_of(type(game.setup)(game.setup.env))
    position = PagePosition(
        env=setup.env, size=board["rows"] if board["rows"] != usual["rows"] else None,
        stones=board["stones"] if setup.board is not None else None, moves=moves["moves"],
    )  # fmt: skip
    return {
        "board": board, "moves": moves, "position": position, "names": translated(game.names),
        "result": outcome_text(game.winner, game.ending), "damage": printable(shown(game.damage)),
        "seconds": [None if value is None else round(value, 3) for value in game.seconds],
        "thoughts": thoughts_of(board, moves, game.thoughts), "variations": variations,
    }  # fmt: skip


def saved_game(position: PagePosition, names: tuple[str, str]) -> SavedGame:
    """A position of the page as a saved game. Raises RunnerError or EnvError if it cannot be played."""
    start = position_game(position)
    GameSession(start.setup, cells=start.cells)  # refuses moves that cannot be played
    return SavedGame(start.setup, start.cells, names)


def saved_room(room: StoredRoom) -> SavedGame:
    """A room as a saved game, with names in the current language."""
    game = saved_game(room.position, translated(room.names))
    lead = [None] * (len(game.cells) - len(room.position.moves))  # stones of the page's own board have no times
    seconds = (*lead, *room.seconds) if any(room.seconds) else ()
    return with_result(SavedGame(game.setup, game.cells, game.names, seconds=seconds), room.result)
