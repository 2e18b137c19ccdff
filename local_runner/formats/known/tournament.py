"""Reads a tournament's file, an SQLite database, even while the tournament is being played.

A file on the disk is opened for each game and closed again. A file given as bytes is copied into a temporary folder,
which is deleted with the `GameFile`.
"""

import contextlib
import weakref
from dataclasses import replace
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.formats import recorded
from local_runner.formats.file_format import FileFormat
from local_runner.formats.saved_game import GameFile, Heading, SavedGame
from local_runner.formats.source import Source, checked_setup, name_of
from local_runner.formats.unchecked import checked
from local_runner.game.wording import result_text
from local_runner.language.languages import Message, _
from local_runner.language.text import shortened
from local_runner.matches.tournament.store import PlayedGame, Store
from local_runner.matches.tournament.store import read as opened
from local_runner.matches.tournament.tables import DamagedFile
from local_runner.processes import scratch

MAGIC = b"SQLite format 3\0"


def fits(content: bytes) -> bool:
    """Whether a file is an SQLite database."""
    return content.startswith(MAGIC)


def read(source: Source) -> GameFile:
    """The games of a tournament's file given as bytes. Raises RunnerError for a damaged file or another database."""
    with contextlib.ExitStack() as stack:
        path = stack.enter_context(scratch.folder(scratch.OPENED)) / "games.db"
        path.write_bytes(source.content)
        try:
            found = read_path(path)
        except RunnerError as error:
            raise RunnerError(str(error).replace(str(path), shortened(source.name))) from error
        file = GameFile("tournament", found, found.game, found.problem, path)
        weakref.finalize(file, stack.pop_all().close)  # closes the temporary folder, also when the program exits
    return file


def read_path(path: Path) -> GameFile:
    """The games of a tournament's file on the disk. Raises RunnerError for a damaged file or another database."""
    with opened(path) as store:
        setup = checked_setup(store.plan.terms.setup)
        games = store.games()
        headings = [_heading(store, game, setup.env) for game in games]
    problem = "" if games else Message("no game of this tournament has been finished yet")

    def load(number: int) -> SavedGame:
        with opened(path) as store:
            game = games[number]
            try:
                cells = game.cells
            except ValueError as error:
                sentence = _("the record of game {number} cannot be read")
                raise DamagedFile(path, sentence.format(number=game.number)) from error
            own, details = replace(setup, seed=game.seed), store.details(game.number)
            return checked(recorded.unchecked(own, cells, details, game.result, _names(store, game)))

    return GameFile("tournament", headings, load, problem, path)


def _names(store: Store, game: PlayedGame) -> tuple[str, str]:
    names = store.plan.names
    return name_of(names[game.black], 0), name_of(names[game.white], 1)


def _heading(store: Store, game: PlayedGame, env: str) -> Heading:
    return Heading(_names(store, game), game.winner, result_text(game.result), game.plies, env)


FORMAT = FileFormat(
    "tournament",
    Message("a tournament's file"),
    Message("all games, with the times and thoughts of the agents; also while it is played"),
    fits=fits,
    read=read,
    read_path=read_path,
    order=1,
)
