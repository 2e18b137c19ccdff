"""Books of openings as lines of moves, h8i9j10: the format `pos` of c-gomoku-cli. Every line is an opening.

Files that end with .pos are read by moves.py, which knows them by this ending.
"""

from dataclasses import replace

from local_runner.formats.file_format import FileFormat, GameFile
from local_runner.formats.files import moves
from local_runner.formats.source import Source
from local_runner.language.languages import Message


def read(source: Source) -> GameFile:
    """The openings of a book. Raises RunnerError as `moves.read` does."""
    return moves.read(replace(source, name=f"{source.name}{moves.BOOK}"))


write = moves.write

FORMAT = FileFormat(
    Message("a book of openings in the format pos of c-gomoku-cli"), Message("a line of moves for each opening"),
    ending="pos", loses=moves.BUT_MOVES, order=3, takes_setup=True,
)  # fmt: skip
