"""The description of a file format; each module of known/ holds one as `FORMAT`."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from local_runner.formats.saved_game import GameFile, SavedGame
from local_runner.formats.source import Source
from local_runner.language.languages import Message


@dataclass(frozen=True)
class FileFormat:
    """A format of files with games; it is read, written or both.

    `name`: of the format, which a `GameFile` has as its kind. `ending`: of the files that are written, "" if none are.
    `fits`: whether the first bytes of a file look like it. `read_path`: reads a file where it is, without its content
    in memory. `order`: formats with a lower number are asked first whether a file fits, since others fit it, too.
    """

    name: str
    about: Message
    holds: str
    ending: str = ""
    media: str = ""
    fits: Callable[[bytes], bool] | None = None
    read: Callable[[Source], GameFile] | None = None
    read_path: Callable[[Path], GameFile] | None = None
    write: Callable[[SavedGame], str | bytes] | None = None
    order: int = 2
