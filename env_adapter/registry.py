"""The table of the named games, and `make`, which makes a game with settings that a caller may override.

A `GameKind` has the properties of a named game that are not rules, in English. The class with the rules holds the
properties of the family: `Game.family`, `has_pass`, `turns_discs`, `takes_board`, `illegal_free`. This module checks
the names and types of overrides. The games check whether the values fit their rules.
"""

import operator
import re
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from env_adapter.actions import Cell
from env_adapter.errors import OptionError
from env_adapter.game import MARKS, Game
from env_adapter.grid import LARGEST_BOARD, Setup
from env_adapter.k_in_a_row import KInARow
from env_adapter.quirks import Quirk, quirks_of
from env_adapter.reversi import Reversi

Cells = tuple[Cell, ...]

_MARKS = set(MARKS.values())
_MNK = re.compile(r"mnk_([0-9]{1,3})_([0-9]{1,3})_([0-9]{1,3})_1v1")  # an m,n,k-game: m rows, n columns, k in a row
_LEAST, _MOST = 3, 19  # least and most cells on a side of an m,n,k-game; _LEAST is also the least k

# The moves before the first move of the players, in turn: Black (5, 5), White (5, 4), Black (5, 6), White (6, 5).
GOMOKU_START: Cells = ((5, 5), (5, 4), (5, 6), (6, 5))


class BoardStyle(Enum):
    """The style in which a board is drawn."""

    CROSSINGS = "crossings"  # stones on the crossings of lines
    SQUARES = "squares"  # discs in squares
    MARKS = "marks"  # crosses and noughts


class Platform(Enum):
    """The platforms that have our games."""

    JIDI = "jidi"
    MO = "mo"


class SgfGame(Enum):
    """A game that SGF files can hold; the value is the game's number in the property GM[...]."""

    OTHELLO = "2"
    GOMOKU = "4"  # the files of the program Piskvork can hold it, too


@dataclass(frozen=True)
class GameKind:
    """A named game.

    name: as `make` knows it
    title: its usual name
    rules: the class with the rules of its family
    setup: the usual settings
    style: how its board is drawn
    opening_plies: length of a random opening, in plies
    sizes: sides of the square boards that users may choose; () if only the usual board is offered
    platform: the platform that has the game; None if no platform has it
    sgf: the number of the game in SGF files; None if SGF has no such game
    """

    name: str
    title: str
    rules: type[Game]
    setup: Setup
    style: BoardStyle
    opening_plies: int
    sizes: tuple[int, ...] = ()
    platform: Platform | None = None
    sgf: SgfGame | None = None

    @property
    def family(self) -> str:
        """The name of the family; games of one family share their rules."""
        return self.rules.family

    @property
    def board(self) -> tuple[int, int]:
        """The rows and columns of the usual board."""
        return self.setup.board_height, self.setup.board_width


KINDS = {kind.name: kind for kind in (
    GameKind(
        "gobang_1v1", "Gobang", KInARow, Setup("gobang", 15, 15, in_a_row=5), BoardStyle.CROSSINGS, opening_plies=4,
        sizes=(9, 11, 13, 15, 17, 19), platform=Platform.JIDI, sgf=SgfGame.GOMOKU,
    ),
    GameKind(
        "reversi_1v1", "Reversi 10x10", Reversi, Setup("reversi", 10, 10, max_step=100), BoardStyle.SQUARES,
        opening_plies=6, sizes=tuple(range(4, LARGEST_BOARD + 1, 2)), platform=Platform.JIDI, sgf=SgfGame.OTHELLO,
    ),
    GameKind(
        "reversi_8x8_1v1", "Reversi 8x8", Reversi, Setup("reversi", 8, 8), BoardStyle.SQUARES,
        opening_plies=6, sizes=tuple(range(4, LARGEST_BOARD + 1, 2)), platform=Platform.MO, sgf=SgfGame.OTHELLO,
    ),
    GameKind(
        "gomoku_11x11_1v1", "Gomoku 11x11", KInARow, Setup("gomoku", 11, 11, in_a_row=5, start=GOMOKU_START),
        BoardStyle.CROSSINGS, opening_plies=2, sgf=SgfGame.GOMOKU,
    ),
    GameKind(  # one opening ply, because every first move leads to a draw, but some second moves lose
        "tictactoe_1v1", "Tic-tac-toe", KInARow, Setup("tictactoe", 3, 3, in_a_row=3), BoardStyle.MARKS,
        opening_plies=1, sgf=SgfGame.GOMOKU,
    ),
)}  # fmt: skip


def register(kind: GameKind) -> None:
    """Add a game to the table. Raises OptionError if its name is taken."""
    if kind.name in KINDS:
        raise OptionError("a game is called {name!r} already", name=kind.name)
    KINDS[kind.name] = kind


def kinds() -> list[GameKind]:
    """All games."""
    return list(KINDS.values())


def kind_of(name: str) -> GameKind:
    """The game of a name. The name of an m,n,k-game has m, n and k: mnk_6_7_4_1v1 has 6 rows, 7 columns, 4 in a row.

    Raises OptionError if no game has the name, and for an impossible m,n,k-game.
    """
    if isinstance(name, str) and (found := _MNK.fullmatch(name)):
        return _mnk_kind(name, *map(int, found.groups()))
    if not isinstance(name, str) or name not in KINDS:
        raise OptionError("no game is called {name!r}; choose one of: {known}", name=name, known=", ".join(KINDS))
    return KINDS[name]


def _mnk_kind(name: str, rows: int, cols: int, k: int) -> GameKind:
    longer = max(rows, cols)
    if wrong := [side for side in (rows, cols) if not _LEAST <= side <= _MOST]:
        raise OptionError("a side has {least} to {most} cells, not {side}", least=_LEAST, most=_MOST, side=wrong[0])
    board = f"{rows}x{cols}"
    if not _LEAST <= k <= longer:
        raise OptionError(
            "on a board of {board}, {least} to {most} in a row can win, not {k}",
            board=board, least=_LEAST, most=longer, k=k,
        )  # fmt: skip
    setup = Setup(name.removesuffix("_1v1"), rows, cols, in_a_row=k)
    return GameKind(
        name, f"{k} in a row, {board}", KInARow, setup, BoardStyle.CROSSINGS, opening_plies=2, sgf=SgfGame.GOMOKU
    )


def names() -> list[str]:
    """The names that `make` knows."""
    return list(KINDS)


def make(name: str, rules: str | Collection[Quirk] = "platform", *, seed: int | None = None, **overrides: Any) -> Game:
    """A new game, ready for its first step.

    rules: "platform" (with the platform's bugs), "stated" (the site's text), or a collection of quirks
    seed: for the random cells that replace illegal moves; if None, a seed is drawn and stored in `.seed`
    Overrides:
        board_size, or board_width and board_height
        in_a_row: number of stones in a winning line; not for Reversi
        max_step: step limit; the default lets a game last until the board is full
        opening: (row, col) moves of both sides in turn, which reset() plays before step 1
        board: for Reversi only, rows such as "..XO" to begin from, with Black to move; the rows determine the size
        A side of a board has at most LARGEST_BOARD cells.
    Raises OptionError for an unknown game, rule set or override, and for a value that does not fit.
    Raises OpeningError if a move of the opening is illegal or the opening ends the game.

    >>> make("tictactoe_1v1", opening=[(1, 1)]).text().splitlines()
    ['...', '.X.', '...', 'White (O) to move']
    """
    kind = kind_of(name)
    setup = _changed(kind, overrides)
    return kind.rules(setup, quirks_of(rules), None if seed is None else _whole("seed", seed, least=0))


def _changed(kind: GameKind, overrides: dict[str, Any]) -> Setup:
    sides = ("board_size", "board_width", "board_height")
    accepted: dict[str, Callable[[str, Any], Any]] = {
        **dict.fromkeys(sides, _side), "max_step": _whole, "opening": _cells,
    }  # fmt: skip
    if kind.setup.in_a_row:
        accepted["in_a_row"] = _whole
    if kind.rules.takes_board:
        accepted["board"] = _rows
    known = ", ".join(sorted(accepted))
    for key in overrides:
        if key not in accepted:
            raise OptionError("{name} has no setting {key!r}; accepted: {known}", name=kind.name, key=key, known=known)
    values = {key: accepted[key](key, value) for key, value in overrides.items()}
    if "board_size" in values:
        if "board_width" in values or "board_height" in values:
            raise OptionError("give board_size, or board_width and board_height, but not both")
        values["board_width"] = values["board_height"] = values.pop("board_size")
    if "board" in values:
        if "board_width" in values:
            raise OptionError("board determines the size; leave out board_size, board_width and board_height")
        values["board_height"], values["board_width"] = len(values["board"]), len(values["board"][0])
    if "board_width" in values or "board_height" in values:
        values.setdefault("max_step", None)
    return replace(kind.setup, **values)


def _whole(key: str, value: Any, least: int = 1) -> int:
    with suppress(TypeError):
        if (number := _index(value)) >= least:
            return number
    raise OptionError(
        "{key} must be a whole number of at least {least}, not {value!r}", key=key, least=least, value=value
    )


def _side(key: str, value: Any) -> int:
    number = _whole(key, value)
    if number > LARGEST_BOARD:
        raise OptionError("{key} must be at most {most}, not {value!r}", key=key, most=LARGEST_BOARD, value=number)
    return number


def _cells(key: str, value: Any) -> Cells:
    with suppress(TypeError, ValueError):
        return tuple((_index(row), _index(col)) for row, col in value)
    raise OptionError(
        "{key} must be a list of (row, col) moves such as [(7, 7), (6, 6)], not {value!r}", key=key, value=value
    )


def _rows(key: str, value: Any) -> tuple[str, ...]:
    with suppress(TypeError):
        rows = tuple(value)
        even = bool(rows) and all(isinstance(row, str) and len(row) == len(rows[0]) for row in rows)
        if even and set("".join(rows)) <= _MARKS:
            return rows
    raise OptionError(
        "{key} must be rows of equal length of the marks . X O such as ['....', '.OX.'], not {value!r}",
        key=key,
        value=value,
    )


def _index(value: Any) -> int:
    """An integer, also one of numpy, as a plain int. Raises TypeError for anything else, also for a bool."""
    if isinstance(value, bool):
        raise TypeError(value)
    return operator.index(value)
