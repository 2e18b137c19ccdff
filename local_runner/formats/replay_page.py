"""A single HTML file that replays saved games.

The page loads nothing, and its content security policy allows only its own script. All texts are in English and
Chinese. The page offers each game as SGF and GIF for download; the page's script makes SVG and PNG.
Names and thoughts come from untrusted files. The title is escaped as HTML, and all other data as JSON in which no tag
can occur. Of a thought, only numbers, a source and a line of play are kept.
"""

import base64
import json
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from local_runner.formats import raster, self_contained
from local_runner.formats.known import sgf
from local_runner.formats.saved_game import SavedGame
from local_runner.game.board_data import board_of, moves_of
from local_runner.game.records import COLOURS
from local_runner.game.thoughts import thoughts_of
from local_runner.language import languages
from local_runner.language.languages import CHINESE, ENGLISH, _
from local_runner.language.text import printable, shortened

ENTRY = "saved"
MOST_MOVING = 10  # a page with more games has no GIFs; one GIF has 0.05 to 0.4 MB and takes 0.2 to 0.5 s to make
STYLES = ("app.css", "board.css", "replay.css", "saved.css")
TEMPLATE = """\
<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main><h1>{title}</h1><noscript><p>{noscript}</p></noscript></main>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def replay_page(games: Sequence[SavedGame], title: str = "", *, language: str = "") -> str:
    """The page as HTML. `language`: "en", "zh", or "" for the browser's. Raises ValueError for an illegal move."""
    program = self_contained.script(entry=ENTRY)
    heading = printable(shortened(title))
    no_script = _both(lambda: _("The replay needs JavaScript, which this browser does not run."))
    data = {
        "language": language,
        "texts": {CHINESE: self_contained.texts(program)},
        "title": heading,
        "games": [{**game_data(game), "files": _files(game, moving=len(games) <= MOST_MOVING)} for game in games],
    }
    return TEMPLATE.format(
        lang=language or ENGLISH,
        policy=self_contained.policy(program, pictures=True),
        title=escape(heading or "tengen"),
        style="".join(map(self_contained.asset, STYLES)),
        noscript=escape(no_script[language or ENGLISH]),
        data=_json(data),
        script=program,
    )


def game_data(game: SavedGame) -> dict[str, Any]:
    """A game as `page/replay.js` takes it, with its result and damage in words in both languages.

    A name that equals its colour becomes "", because games without names have the colours as names.
    """
    board = board_of(game.setup)
    moves = moves_of(game.setup, game.cells)
    moves["winner"] = game.winner or moves["winner"]
    moves["legal"] = []  # needed only to play on, which this page cannot
    return {
        "board": board,
        "moves": moves,
        "names": [
            "" if name == colour else printable(shortened(name))
            for name, colour in zip(game.names, COLOURS, strict=True)
        ],
        "seconds": [None if value is None else round(value, 4) for value in game.seconds],
        "thoughts": thoughts_of(board, moves, game.thoughts),
        "result": _both(lambda: languages.shown(game.ending)),
        "damage": _both(lambda: languages.shown(game.damage)),
    }


def _files(game: SavedGame, *, moving: bool) -> dict[str, str]:
    """The formats that the page's script cannot make itself: ending -> file in base64. `moving`: with the GIF."""
    made = {"sgf": sgf.write(game).encode("utf-8", "replace")} if game.setup.kind.sgf is not None else {}
    made.update({"gif": raster.gif(game)} if moving else {})
    return {ending: base64.b64encode(content).decode() for ending, content in made.items()}


def _both(said: Callable[[], str]) -> dict[str, str]:
    """A text in both languages: language -> text. `said`: returns the text in the current language."""
    found = {}
    for language in (ENGLISH, CHINESE):
        with languages.speaking(language):
            found[language] = printable(said())
    return found


def _json(data: Any) -> str:
    """JSON for a script element: < > & and the line separators U+2028 and U+2029 are escaped as \\uXXXX."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
