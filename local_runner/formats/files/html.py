"""Writes an HTML page that replays games in a browser."""

from collections.abc import Sequence

from local_runner.formats.file_format import FileFormat
from local_runner.formats.saved_game import SavedGame
from local_runner.language.languages import Message, requested


def join(games: Sequence[SavedGame]) -> str:
    """The page, in the language of the user's --lang; without --lang, in the browser's."""
    from local_runner.formats.replay_page import replay_page  # here, because the import is slow

    return replay_page(games, language=requested())


FORMAT = FileFormat(
    Message("a page that replays the game"), Message("the game with its times and thoughts, for any browser"),
    ending="html", media="text/html; charset=utf-8", order=4,
)  # fmt: skip
