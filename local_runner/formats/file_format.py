"""`FileFormat`, the description of a file format. Each module of files/ defines a `FileFormat` called `FORMAT`.

The name and the functions of the format are those of the module (files/__init__.py).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from env_adapter import GameKind, SgfGame
from local_runner.formats.game_file import GameFile
from local_runner.formats.saved_game import Part, SavedGame
from local_runner.formats.source import Source
from local_runner.language.languages import Message


@dataclass(frozen=True)
class FileFormat:
    """A format of files with games, which tengen reads, writes or both.

    about: the format in a few words for the user
    holds: the parts of a game that a file keeps, for the table of formats in commands.md
    ending: ending of written files without the dot, "" if the format is not written
    media: media type (MIME) of written files
    fits: whether the first bytes of a file look like this format
    read: reads a file from its content
    read_path: reads a file from the disk without loading its whole content, in place of `read`
    write: returns a game as the content of a file; the contents of several games make one file, one after another
    join: returns games as the content of one file, in place of `write`
    single: a file holds one game
    beside: returns the files that belong beside the one that `join` makes: their endings -> their contents
    games: the families of games that a written file can hold; None for all games
    loses: the parts of a game that a written file does not keep
    order: `fits` is asked in increasing order, because a file may fit several formats
    takes_setup: `read` obeys `Source.setup`; for other formats, a game of another kind than the caller's is refused
    name: the module's, also the `kind` of a `GameFile` that was read from this format
    """

    about: Message
    holds: Message
    ending: str = ""
    media: str = "text/plain; charset=utf-8"
    fits: Callable[[bytes], bool] | None = None
    read: Callable[[Source], GameFile] | None = None
    read_path: Callable[[Path], GameFile] | None = None
    write: Callable[[SavedGame], str | bytes] | None = None
    join: Callable[[Sequence[SavedGame]], str | bytes] | None = None
    single: bool = False
    beside: Callable[[Sequence[SavedGame]], Mapping[str, bytes]] | None = None
    games: frozenset[SgfGame] | None = None
    loses: frozenset[Part] = frozenset()
    order: int = 2
    takes_setup: bool = False
    name: str = ""

    def takes(self, kind: GameKind) -> bool:
        """Whether a written file can hold a game of this kind."""
        return self.games is None or kind.sgf in self.games
