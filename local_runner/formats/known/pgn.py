"""PGN, as servers write it for gobang and Reversi: lines with the players and the result, then moves such as 1. f5 d6.

Comments, variations and annotations are skipped. As in chess, the result 1-0 is a win of White. A file of chess has no
cells as moves, so it does not fit.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from env_adapter.game import BLACK, DRAW, WHITE
from local_runner.formats.file_format import FileFormat
from local_runner.formats.known.moves import MOST_MOVES, game_of
from local_runner.formats.saved_game import GameFile, Heading, SavedGame
from local_runner.formats.source import MOST_GAMES, Source, name_of, too_many
from local_runner.formats.unchecked import Turn, UncheckedGame, checked, heading
from local_runner.game.move_text import read_moves
from local_runner.game.setup import GameSetup
from local_runner.language.languages import Message
from local_runner.language.text import shortened

HEAD = 20_000  # bytes that decide whether a file is PGN
WINNERS = {"1-0": WHITE, "0-1": BLACK, "1/2-1/2": DRAW}
_TAG = re.compile(r'\s*\[([A-Za-z]\w*)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
_SKIPPED = re.compile(r"\{[^}]*\}?|;[^\n]*|\$[0-9]+|[!?]+")
_VARIATION = re.compile(r"\([^()]*\)")
_END = re.compile(r"(?:1-0|0-1|1/2-1/2|\*)\s*\Z")


@dataclass
class _Game:
    """The tags of a game and its moves as text. `line`: the number of its first line."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    text: str = ""


def fits(content: bytes) -> bool:
    """Whether a file begins with a tag of PGN, and the first game has cells as moves."""
    text = Source("", content[:HEAD]).text
    if _TAG.match(text) is None:
        return False
    first = next(_games(text))
    return read_moves(_plain(first.text)).is_moves


def read(source: Source) -> GameFile:
    """The games of a file."""
    games = list(islice(_games(source.text), MOST_GAMES + 1))

    @functools.lru_cache(maxsize=8)
    def load(number: int) -> SavedGame:
        return checked(_unchecked(games[number], source.setup))

    headings = [_heading(game, source.setup) for game in games[:MOST_GAMES]]
    return GameFile("pgn", headings, load, too_many(len(games)))


def _games(text: str) -> Iterator[_Game]:
    """The games: tags behind moves begin the next one."""
    game, lines = _Game(1), list[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        if tag := _TAG.fullmatch(line):
            if lines:
                game.text = "\n".join(lines)
                yield game
                game, lines = _Game(number), []
            game.tags.setdefault(tag[1].lower(), tag[2].replace("\\", ""))
        elif line.strip() and not line.startswith("%"):
            lines.append(line)
    if lines or game.tags:
        game.text = "\n".join(lines)
        yield game


def _plain(text: str) -> str:
    """The moves alone."""
    text = _SKIPPED.sub(" ", text)
    while (shorter := _VARIATION.sub(" ", text)) != text:
        text = shorter
    return _END.sub("", text.strip())


def _heading(game: _Game, setup: GameSetup | None) -> Heading:
    return heading(_unchecked(game, setup))


def _unchecked(game: _Game, setup: GameSetup | None) -> UncheckedGame:
    place = Message("line {number}", number=game.line)
    found = read_moves(_plain(game.text), MOST_MOVES)
    damage = Message("{place} cannot be read from {rest!r} on; write moves like h8i9j10", place=place,
                     rest=shortened(found.rest[:20])) if found.rest else ""  # fmt: skip
    tags: Mapping[str, str] = game.tags
    return UncheckedGame(
        setup or game_of(found.cells), [Turn(cell, place=place) for cell in found.cells],
        (name_of(tags.get("black"), 0), name_of(tags.get("white"), 1)), WINNERS.get(tags.get("result", ""), 0),
        damage=damage, leaves_out_passes=True, winner_must_fit=False,
    )  # fmt: skip


FORMAT = FileFormat(
    "pgn",
    Message("PGN of gobang or Reversi"),
    Message("all games; comments and variations are skipped; at Reversi passes may be left out"),
    fits=fits,
    read=read,
    takes_setup=True,
)
