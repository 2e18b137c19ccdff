"""The content of a user's file, its limits, and checks of single values from it.

No value in such a file is trusted: a number may be text, and text may be very long or hold control characters. The
functions here return a valid value or a default, or raise.
"""

import bisect
import functools
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from env_adapter import EnvError, kind_of, names
from local_runner.errors import RunnerError
from local_runner.game.setup import GameSetup
from local_runner.game.wording import COLOURS
from local_runner.language.languages import _, listed
from local_runner.language.text import in_line, shortened
from local_runner.system.decoding import Decoded, decoded

MOST_BYTES = 100_000_000  # largest file that is loaded whole; a larger file is refused
MOST_LISTS = 5_000_000  # most lists and objects in a JSON file, about 100 bytes of memory each; more are refused
MOST_GAMES = 100_000  # most games of a file that are listed; later games are ignored
MOST_NAME = 200  # most characters of a player's name; the rest is cut
MOST_WORDS = 2000  # most characters of the text that says how a game ended; the rest is cut
LARGEST, SMALLEST = 26, 3  # greatest and least side of a board, in cells
Entry = TypeVar("Entry")
Tell = Callable[[float], None]  # gets the part of a file that has been read, 0 to 1; may raise to end the reading


@dataclass(frozen=True)
class Source:
    """A file's name and bytes."""

    name: str
    content: bytes
    setup: GameSetup | None = None  # the game according to the caller, for formats that do not name their game
    folder: Path | None = None  # the folder of a file on the disk, for formats with several files
    tell: Tell = lambda _part: None  # readers call this function often, with their progress

    @functools.cached_property
    def decoded(self) -> Decoded:
        """The content as text, and how it was decoded (system/decoding.py)."""
        return decoded(self.content)

    @property
    def text(self) -> str:
        """The content as text."""
        return self.decoded.text

    @property
    def is_text(self) -> bool:
        """Whether `text` has been read."""
        return "decoded" in vars(self)

    @functools.cached_property
    def _ends(self) -> list[int]:
        return [found.start() for found in re.finditer("\n", self.text)]

    def line(self, at: int) -> int:
        """The number, from 1, of the line that holds the offset `at` of `text`."""
        return bisect.bisect_left(self._ends, at) + 1

    def entries(self, games: Iterable[Entry], end: Callable[[Entry], float]) -> list[Entry]:
        """The first games, one more than are listed. `end(game)`: the part of the file up to the game's end, 0 to 1."""
        found = list[Entry]()
        for game in islice(games, MOST_GAMES + 1):
            found.append(game)
            self.tell(end(game))
        return found

    def check_json(self) -> None:
        """Raise RunnerError for more than `MOST_LISTS` brackets and braces, which would fill the memory."""
        if self.content.count(b"[") + self.content.count(b"{") > MOST_LISTS:
            raise RunnerError(_("{file} holds more than {most} lists; give a smaller file").format(
                file=shortened(self.name), most=MOST_LISTS
            ))  # fmt: skip


def name_of(value: Any, player: int) -> str:
    """A player's name in one line; the colour if the value is no text or blank."""
    text = in_line(value)[:MOST_NAME].strip() if isinstance(value, str) else ""
    return text or COLOURS[player]


def words_of(value: Any) -> str:
    """The text that says how a game ended, in one line; "" if the value is no text."""
    return in_line(value)[:MOST_WORDS] if isinstance(value, str) else ""


def number_of(value: Any) -> float | None:
    """The value as a float; None if it is no finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def setup_for(env: str, rows: Any, cols: Any, *, rules: str = "platform", seed: Any = 0) -> GameSetup:
    """The setup of a game on a board of `rows` x `cols`; the game's own board if they are no integers.

    Raises RunnerError for an unknown game, for a board that is not square unless it is the game's own, and as
    `checked_setup` does.
    """
    own = _own_board(env)
    if type(rows) is not int or type(cols) is not int:
        rows, cols = own
    if rows != cols and (rows, cols) != own:
        sentence = _("a board of {rows}x{cols} cannot be shown, only square boards")
        raise RunnerError(sentence.format(rows=rows, cols=cols))
    seed = seed if type(seed) is int and 0 <= seed < 2**63 else 0
    return checked_setup(GameSetup(env, rules, seed, board_size=None if (rows, cols) == own else rows))


def checked_setup(setup: GameSetup) -> GameSetup:
    """The setup unchanged, after a check.

    Raises RunnerError for an unknown game, a board side outside `SMALLEST` to `LARGEST`, or a setup that the referee
    refuses.
    """
    sides = [setup.board_size, len(setup.board)] if setup.board else [setup.board_size]
    for side in sides:
        if side is not None and not (type(side) is int and SMALLEST <= side <= LARGEST):
            sentence = _("a board with {side} cells on a side cannot be shown, only from {least} to {most}")
            raise RunnerError(sentence.format(side=shortened(repr(side)), least=SMALLEST, most=LARGEST))
    _own_board(setup.env)
    try:
        setup.make()
    except (EnvError, TypeError, ValueError, LookupError) as error:
        raise RunnerError(_("the game cannot be set up: {error}").format(error=error)) from error
    return setup


def _own_board(env: Any) -> tuple[int, int]:
    """The rows and columns of a game's own board. Raises RunnerError for an unknown game."""
    try:
        return kind_of(env).board
    except EnvError as error:
        sentence = _("the game {game} is unknown; known: {games}")
        raise RunnerError(sentence.format(game=shortened(repr(env)), games=listed(names()))) from error
