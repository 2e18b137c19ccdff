"""Reads a tournament's file of JSON Lines, even while the tournament is being played.

A file on the disk is opened for each game and closed again. A file given as bytes is copied into a temporary folder,
which is deleted with the `GameFile`.
"""

import contextlib
import weakref
from dataclasses import replace
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.formats.file_format import FileFormat, GameFile, Heading
from local_runner.formats.saved_game import UncheckedGame, recorded
from local_runner.formats.source import Source, checked_setup, name_of
from local_runner.language.languages import Message, _
from local_runner.language.text import shortened
from local_runner.matches.games import DATABASE, Games, PlayedGame
from local_runner.matches.games import read as opened
from local_runner.processes import claims
from local_runner.system.files import GAMES


def fits(content: bytes) -> bool:
    """Whether a file is a tournament's. A database, which tournaments' files once were, is refused when it is read."""
    return content.startswith((GAMES, DATABASE))


def read(source: Source) -> GameFile:
    """The games of a tournament's file given as bytes. Raises RunnerError for a damaged first line."""
    with contextlib.ExitStack() as stack:
        path = stack.enter_context(claims.folder()) / "games.jsonl"
        path.write_bytes(source.content)
        try:
            file = read_path(path)
        except RunnerError as error:
            raise RunnerError(str(error).replace(str(path), shortened(source.name))) from error
        weakref.finalize(file, stack.pop_all().close)  # closes the temporary folder, also when the program exits
    return file


def read_path(path: Path) -> GameFile:
    """The games of a tournament's file on the disk. Raises RunnerError for a damaged first line."""
    games = opened(path)
    checked_setup(games.plan.terms.setup)
    problem = " ".join(games.damage) or ("" if games else Message("no game of this tournament has been finished yet"))
    return of_games("tournament", games, problem)


def of_games(kind: str, games: Games, problem: str = "") -> GameFile:
    """The games of a plan as the games of a file. `kind`, `problem`: as in `GameFile`."""
    plan = games.plan

    def names(game: PlayedGame) -> tuple[str, str]:
        return name_of(plan.names[game.black], 0), name_of(plan.names[game.white], 1)

    def heading(game: PlayedGame) -> Heading:
        return Heading(names(game), game.winner, game.result.text, game.plies, plan.terms.setup.env)

    def unchecked(game: PlayedGame) -> UncheckedGame:
        try:
            cells = game.cells
        except ValueError as error:
            sentence = _("the record of game {number} cannot be read")
            raise RunnerError(sentence.format(number=game.number)) from error
        setup = replace(plan.terms.setup, seed=game.seed)
        return recorded(setup, cells, games.details(game.number), game.result, names(game))

    return GameFile(kind, list(games), unchecked, heading, problem=problem, path=games.path)


FORMAT = FileFormat(
    Message("a tournament's file"),
    Message("all games, with the times and thoughts of the agents; also while it is played"), order=1,
)  # fmt: skip
