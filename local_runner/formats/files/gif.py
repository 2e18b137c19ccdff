"""Writes all positions of a game as an animated GIF."""

from local_runner.formats.file_format import FileFormat
from local_runner.formats.saved_game import SavedGame
from local_runner.language.languages import Message


def write(game: SavedGame) -> bytes:
    """The GIF."""
    from local_runner.formats import raster  # here, because the import is slow

    return raster.gif(game)


FORMAT = FileFormat(
    "gif",
    Message("a picture (GIF)"),
    Message("all boards, one after another"),
    ending="gif",
    media="image/gif",
    write=write,
    order=4,
)
