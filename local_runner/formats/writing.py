"""Writes games in the format that the ending of the file's name selects."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.formats.file_format import FileFormat
from local_runner.formats.files import FORMATS
from local_runner.formats.saved_game import SavedGame
from local_runner.game.setup import called
from local_runner.language.amounts import PLIES, amount
from local_runner.language.languages import _, listed, shown
from local_runner.language.text import shortened
from local_runner.system.files import write_whole

WRITERS = {each.ending: each for each in FORMATS if each.ending}


def write(game: SavedGame, ending: str) -> bytes:
    """The content of a file with this game. `ending`: of the file's name, such as "sgf".

    Raises RunnerError for an unknown ending and for a game that the format cannot hold.
    """
    return joined([game], format_of(ending))


def format_of(ending: str) -> FileFormat:
    """The format in which files with this ending are written. Raises RunnerError for an unknown ending."""
    if ending not in WRITERS:
        sentence = _("a game cannot be written as {ending!r}; choose one of: {endings}")
        raise RunnerError(sentence.format(ending=shortened(ending), endings=listed(WRITERS)))
    return WRITERS[ending]


def check_new(path: Path) -> None:
    """Raise RunnerError if there is such a file."""
    if os.path.lexists(path):
        raise RunnerError(_("{path} exists already; give another name, or --force").format(path=path))


def write_games(
    games: Sequence[SavedGame], path: Path, kind: FileFormat, advice: str, *, content: bytes | None = None,
    force: bool = True,
) -> list[Path]:  # fmt: skip
    """Write games into one file, and the files that belong beside it. Returns the paths of all.

    `content`: of `joined`, if it is known. Raises RunnerError as `write_path` does, and for several games in a format
    that holds one. Raises RunnerError, too, if one of the files exists and `force` is not set.
    """
    files = {path: joined(games, kind) if content is None else content}
    files |= {path.with_suffix(ending): made for ending, made in (kind.beside(games) if kind.beside else {}).items()}
    for place in () if force else files:
        check_new(place)
    for place, content in files.items():
        write_whole(place, content, advice)
    return list(files)


def joined(games: Sequence[SavedGame], kind: FileFormat) -> bytes:
    """The content of a file with these games.

    Raises RunnerError for several games in a format that holds one, and for a game that the format cannot hold.
    """
    if other := next((game.setup.env for game in games if not kind.takes(game.setup.kind)), None):
        sentence = _("a .{ending} file cannot hold {game}; give a file ending with .json")
        raise RunnerError(sentence.format(ending=kind.ending, game=shown(called(other))))
    if len(games) != 1 and kind.single:
        sentence = _("a file of {format} holds one game, not {games}; choose one by --game, or name a folder")
        raise RunnerError(sentence.format(format=kind.name, games=len(games)))
    made = [kind.join(games)] if kind.join else map(kind.write, games)  # type: ignore[arg-type]
    return b"".join(each.encode("utf-8", "replace") if isinstance(each, str) else each for each in made)


def write_path(game: SavedGame, path: Path, advice: str) -> None:
    """Write a game into a file.

    Raises RunnerError as `write` does, and if the file cannot be written; the message then ends with `advice`.
    """
    write_whole(path, write(game, path.suffix.lstrip(".").lower()), advice)


def at_ply(game: SavedGame, ply: int) -> SavedGame:
    """The game after its first `ply` plies. Raises RunnerError if the game is shorter."""
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
