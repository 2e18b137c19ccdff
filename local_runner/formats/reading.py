"""Reads any file of games: the table of formats, of which the first that fits the content is taken.

The name of a file decides nothing but the game of a move string. A file on the disk that is a database stays there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from env_adapter import EnvError
from local_runner.errors import RunnerError
from local_runner.formats import logs, matches, moves, psq, sgf, tournaments
from local_runner.formats.saved_game import GameFile
from local_runner.formats.source import MOST_BYTES, Source
from local_runner.game.setup import GameSetup
from local_runner.language.languages import _
from local_runner.language.text import shortened
from local_runner.system.files import reason


@dataclass(frozen=True)
class _Format:
    """A kind of file: whether content looks like it, and its reader."""

    kind: str
    fits: Callable[[bytes], bool]
    read: Callable[[Source], GameFile]


FORMATS = tuple(
    _Format(each.KIND, each.fits, each.read) for each in (tournaments, matches, logs, sgf, psq, moves)
)  # fmt: skip


def read(name: str, content: bytes, setup: GameSetup | None = None) -> GameFile:
    """The games of a file. `setup`: the game of a move string, if it is known.

    Raises RunnerError for a file that is too large, or of which nothing can be read.
    """
    if len(content) > MOST_BYTES:
        raise RunnerError(_too_large(name))
    source = Source(name, content, setup)
    found = next((each for each in FORMATS if each.fits(content)), None)
    if found is None:
        sentence = _("{file} is no file of games that can be read: {kinds}")
        raise RunnerError(sentence.format(file=shortened(name), kinds=_kinds()))
    try:
        return found.read(source)
    except EnvError as error:
        raise RunnerError(f"{shortened(name)}: {error}") from error


def read_path(path: Path, setup: GameSetup | None = None) -> GameFile:
    """The games of a file on the disk. Raises RunnerError as `read` does, and if there is no such file."""
    try:
        with open(path, "rb") as file:
            head = file.read(len(tournaments.MAGIC)) if path.is_file() else b""
            if tournaments.fits(head):
                return tournaments.read_path(path)
            content = head + file.read(MOST_BYTES + 1)
    except OSError as error:
        sentence = _("cannot read {path}: {error}; give a file of games")
        raise RunnerError(sentence.format(path=path, error=reason(error))) from error
    return read(path.name, content, setup)


def _too_large(name: str) -> str:
    return _("{file} has more than {most} MB; give a smaller file").format(
        file=shortened(name), most=MOST_BYTES // 1_000_000
    )


def _kinds() -> str:
    return _("a log of the platform, the result of tengen match --json, a tournament's file, SGF of gobang or Othello, "
             ".psq of Piskvork, or moves like h8h9i9")  # fmt: skip
