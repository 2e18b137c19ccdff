"""Writes the last position of a game as a PNG."""

from local_runner.formats.file_format import FileFormat
from local_runner.formats.saved_game import SavedGame
from local_runner.language.languages import Message


def write(game: SavedGame) -> bytes:
    """The PNG."""
    from local_runner.formats import raster  # here, because the import is slow

    return raster.png(game)


FORMAT = FileFormat(
    "png", Message("a picture (PNG)"), Message("the last board"), ending="png", media="image/png", write=write, order=4
)
