"""The content of a file that a user gives, its limits, and values in it that may be of any type.

Nothing in such a file is trusted: numbers may be text, text may be endless or hold control characters. The functions
here return clean values, or a default.
"""

import functools
import math
from dataclasses import dataclass
from typing import Any

from env_adapter import Cell, EnvError, kind_of, names
from local_runner.errors import RunnerError
from local_runner.game.records import COLOURS, DRAW
from local_runner.game.setup import GameSetup
from local_runner.language.languages import Message, _
from local_runner.language.text import in_line, shortened

MOST_BYTES = 100_000_000  # of a file that is read at once
MOST_LISTS = 5_000_000  # lists and objects of a JSON file; each takes about a hundred bytes in memory
MOST_GAMES = 100_000  # of a file
MOST_NAME = 200  # characters of a player's name
MOST_WORDS = 2000  # characters of how a game ended
LARGEST, SMALLEST = 26, 3  # cells on a side of a board


@dataclass(frozen=True)
class Source:
    """A file's name and bytes, and the game that the caller says it is of, for formats that do not say it."""

    name: str
    content: bytes
    setup: GameSetup | None = None

    @functools.cached_property
    def text(self) -> str:
        """The content as text: UTF-8, else as Chinese programs on Windows write it; undecodable bytes are replaced."""
        try:
            return self.content.decode("utf-8-sig")
        except UnicodeDecodeError:
            return self.content.decode("gb18030", "replace")

    def line(self, at: int) -> int:
        """The number of the line in which a place of `text` is."""
        return self.text.count("\n", 0, at) + 1

    def check_json(self) -> None:
        """Raise RunnerError for JSON that would fill the memory."""
        if self.content.count(b"[") + self.content.count(b"{") > MOST_LISTS:
            raise RunnerError(_("{file} holds more than {most} lists; give a smaller file").format(
                file=shortened(self.name), most=MOST_LISTS
            ))  # fmt: skip


def too_many(games: int) -> str:
    """The problem of a file with that many games, "" if it is none."""
    return Message("only the first {most} games are shown", most=MOST_GAMES) if games > MOST_GAMES else ""


def name_of(value: Any, player: int) -> str:
    """A player's name in one line; the colour if there is none."""
    text = in_line(value)[:MOST_NAME].strip() if isinstance(value, str) else ""
    return text or COLOURS[player]


def words_of(value: Any) -> str:
    """How a game ended, in one line."""
    return in_line(value)[:MOST_WORDS] if isinstance(value, str) else ""


def winner_of(value: Any) -> int:
    """A result's code, 0 if it is none."""
    return value if type(value) is int and 0 <= value <= DRAW else 0


def number_of(value: Any) -> float | None:
    """A finite number, else None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def cell_of(value: Any) -> Cell | None:
    """A cell from [row, col], None for null. Raises ValueError for anything else."""
    if value is None:
        return None
    if isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value):
        return value[0], value[1]
    raise ValueError(shortened(repr(value)))


def setup_for(env: str, rows: Any, cols: Any, *, rules: str = "platform", seed: Any = 0) -> GameSetup:
    """The setup of a game on a board of this size. Raises RunnerError if there is no such game."""
    own = _own_board(env)
    if type(rows) is not int or type(cols) is not int:
        rows, cols = own
    if rows != cols and (rows, cols) != own:
        sentence = _("a board of {rows}x{cols} cannot be shown, only square boards")
        raise RunnerError(sentence.format(rows=rows, cols=cols))
    seed = seed if type(seed) is int and 0 <= seed < 2**63 else 0
    return checked_setup(GameSetup(env, rules, seed, board_size=None if (rows, cols) == own else rows))


def checked_setup(setup: GameSetup) -> GameSetup:
    """The setup, of which the referee makes a game. Raises RunnerError if it does not, or if the board is too large."""
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
    """The rows and columns of a game's own board. Raises RunnerError if there is no such game."""
    try:
        return kind_of(env).board
    except EnvError as error:
        sentence = _("the game {game} is unknown; known: {games}")
        raise RunnerError(sentence.format(game=shortened(repr(env)), games=", ".join(names()))) from error
