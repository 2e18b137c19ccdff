"""Writes a game in any format: the table of the endings of files."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.formats import logs, moves, psq, sgf_writing, svg
from local_runner.formats.saved_game import SavedGame
from local_runner.language.amounts import PLIES, amount
from local_runner.language.languages import _, shown, wanted
from local_runner.language.text import shortened
from local_runner.system.files import write_whole


@dataclass(frozen=True)
class FileKind:
    """What a file with some ending holds: its media type, and how it is made."""

    media: str
    make: Callable[[SavedGame], str | bytes]


def _png(game: SavedGame) -> bytes:
    from local_runner.formats import raster  # here, because the import is slow

    return raster.png(game)


def _gif(game: SavedGame) -> bytes:
    from local_runner.formats import raster

    return raster.gif(game)


def _html(game: SavedGame) -> str:
    from local_runner.formats.replay_page import replay_page

    return replay_page([game], language=wanted())


KINDS = {
    "json": FileKind("application/json", logs.write),
    "sgf": FileKind("application/x-go-sgf", sgf_writing.write),
    "psq": FileKind("text/plain; charset=utf-8", psq.write),
    "txt": FileKind("text/plain; charset=utf-8", moves.write),
    "svg": FileKind("image/svg+xml", svg.write),
    "png": FileKind("image/png", _png),
    "gif": FileKind("image/gif", _gif),
    "html": FileKind("text/html; charset=utf-8", _html),
}


def write(game: SavedGame, ending: str) -> bytes:
    """The game as a file with this ending, such as "sgf". Raises RunnerError for an unknown one."""
    made = kind_of(ending).make(game)
    return made.encode("utf-8", "replace") if isinstance(made, str) else made


def kind_of(ending: str) -> FileKind:
    """What a file with this ending holds. Raises RunnerError for an unknown one."""
    if ending not in KINDS:
        sentence = _("a game cannot be written as {ending!r}; choose one of: {endings}")
        raise RunnerError(sentence.format(ending=shortened(ending), endings=", ".join(KINDS)))
    return KINDS[ending]


def write_path(game: SavedGame, path: Path) -> None:
    """Write a game into a file, whose ending says how. Raises RunnerError if that is not possible."""
    write_whole(path, write(game, path.suffix.lstrip(".").lower()), _("give --out another file"))


def at_ply(game: SavedGame, ply: int) -> SavedGame:
    """The game as it was after some plies. Raises RunnerError if it has fewer."""
    if ply > len(game.cells):
        sentence = _("the game has {plies}; give --ply a smaller number")
        raise RunnerError(sentence.format(plies=shown(amount(len(game.cells), PLIES))))
    if ply == len(game.cells):
        return game
    if not ply >= len(game.setup.opening):
        game = replace(game, setup=replace(game.setup, opening=()))
    return replace(
        game, cells=game.cells[:ply], seconds=game.seconds[:ply], thoughts=game.thoughts[:ply], winner=0, ending="",
        damage="",
    )  # fmt: skip
