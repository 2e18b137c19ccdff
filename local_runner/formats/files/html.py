"""Writes an HTML page that replays games in a browser, in English and Chinese; self_contained.py makes it one file.

The page offers each game as SGF for download; the page's script makes SVG and PNG. Names and thoughts come from
untrusted files. The title is escaped as HTML, and all other data as JSON in which no tag can occur. Of an agent's
thought, the page has only numbers, the source and a line of play.
"""

import functools
from collections.abc import Sequence
from typing import Any

from env_adapter import names
from local_runner.formats import self_contained
from local_runner.formats.file_format import FileFormat
from local_runner.formats.files import png, sgf, svg
from local_runner.formats.saved_game import SavedGame
from local_runner.game.board_data import board_of, moves_of, thoughts_of
from local_runner.game.setup import GameSetup
from local_runner.game.wording import COLOURS
from local_runner.language import languages
from local_runner.language.languages import Message, requested
from local_runner.language.text import printable, shortened

ENTRY = "saved/saved.js"
OFFERED = (sgf.FORMAT, png.FORMAT, svg.FORMAT)


def replay_page(games: Sequence[SavedGame], title: str = "", *, language: str = "") -> str:
    """The page as HTML. `language`: "en", "zh", or "" for the browser's. Raises ValueError for an illegal move."""
    heading = printable(shortened(title))
    texts = (sgf.write(game) if sgf.FORMAT.takes(game.setup.kind) else "" for game in games)
    files = [{**game_data(game), "sgf": text.encode("utf-8", "replace").decode()}
             for game, text in zip(games, texts, strict=True)]  # fmt: skip
    formats = {each.ending: self_contained.both(functools.partial(languages.shown, each.about)) for each in OFFERED}
    boards = {env: board_of(GameSetup(env)) for env in dict.fromkeys((*names(), *(game.setup.env for game in games)))}
    content = {"title": heading, "formats": formats, "boards": boards, "games": files}
    return self_contained.page(ENTRY, content, heading or "tengen", language=language)


def game_data(game: SavedGame) -> dict[str, Any]:
    """A game as `page/replay/replay.js` takes it, with its result and damage in words in both languages.

    A name that equals its colour becomes "", because games without names have the colours as names.
    """
    board = board_of(game.setup)
    moves = moves_of(game.setup, game.cells)
    moves["winner"] = game.winner or moves["winner"]
    named = zip(game.names, COLOURS, strict=True)
    moves["legal"] = []  # legal moves are needed only for playing on, and this page cannot do that
    return {
        "board": board,
        "moves": moves,
        "names": ["" if name == colour else printable(shortened(name)) for name, colour in named],
        "seconds": [None if value is None else round(value, 4) for value in game.seconds],
        "thoughts": thoughts_of(board, moves, game.thoughts),
        "result": self_contained.both(lambda: languages.shown(game.ending)),
        "damage": self_contained.both(lambda: languages.shown(game.damage)),
    }


def join(games: Sequence[SavedGame]) -> str:
    """The page, in the language of the user's --lang; without --lang, in the browser's."""
    return replay_page(games, language=requested())


FORMAT = FileFormat(
    Message("a page that replays the game"), Message("the game with its times and thoughts, for any browser"),
    ending="html", media="text/html; charset=utf-8", order=4,
)  # fmt: skip
