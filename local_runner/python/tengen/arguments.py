"""Arguments as the user gives them, as values of the runner: moves, setups, limits. Every mistake is a TengenError.

>>> cells_of("h8i9"), cells_of(["h8", (8, 8), "pass"]), cells_of((7, 7))
(((7, 7), (8, 8)), ((7, 7), (8, 8), None), ((7, 7),))
"""

import operator
import os
import secrets
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import Enum
from numbers import Integral, Real
from typing import Any, Literal, TypeVar

from env_adapter import RULES
from local_runner.agents.declared_games import seconds_for
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.formats.source import checked_setup
from local_runner.game import coordinates
from local_runner.game.move_text import read_moves
from local_runner.game.records import Cell
from local_runner.game.setup import GameSetup
from local_runner.language import languages
from local_runner.language.languages import _
from local_runner.language.suggestions import unknown
from local_runner.language.text import shortened
from local_runner.matches.adjudication import Adjudication
from local_runner.matches.plan import Terms
from local_runner.processes.child import AgentLimits
from local_runner.processes.engine.levels import parse_player
from local_runner.processes.interpreters import located
from local_runner.processes.sandbox import SandboxMode

__all__ = ["cell", "name"]
Named = TypeVar("Named", bound=Enum)
MOST = 2**31 - 1  # greatest count of games, rounds, nodes and so on
LEAST_SECONDS = 0.001
Path = str | os.PathLike[str]
Rules = Literal["platform", "stated"]
Sandbox = Literal["auto", "on", "off"]
Scores = tuple[int, float] | None  # moves and score, as the options --draw and --resign
PASS = "pass"
Move = str | tuple[int, int] | None  # "h8" or (row, column) from 0; "pass" or None
Moves = Move | Iterable[Move]  # a text may hold several moves: "h8i9h9"


def setup_of(
    game: str, rules: str = "platform", seed: int | None = 0, board_size: int | None = None,
    board: Sequence[str] | None = None,
) -> GameSetup:  # fmt: skip
    """The setup of a game. `seed`: None for a new one. `board`: rows such as `"..XO"`, for Reversi."""
    seed = secrets.randbits(31) if seed is None else seed
    if rules not in RULES:
        raise RunnerError(unknown(_("rules"), str(rules), RULES))
    return checked_setup(GameSetup(game, rules, seed, board_size=board_size, board=tuple(board) if board else None))


def member(kind: type[Named], what: str, name: str) -> Named:
    """The member of an enum with this value. `what`: the kind of thing that has these values, translated."""
    named = {each.value: each for each in kind}
    if name not in named:
        raise RunnerError(unknown(what, str(name), named))
    return named[name]


def sandbox_of(name: str) -> SandboxMode:
    """The sandbox mode with this name."""
    return member(SandboxMode, _("sandbox mode"), name)


def check_number(least: float, **given: object) -> None:
    """Raise RunnerError for a value that is not a number of at least `least`; None is allowed."""
    for name, value in given.items():
        if value is not None and not (isinstance(value, Real) and float(value) >= least):
            sentence = _("{option} must be a number of at least {least}, not {given}")
            raise RunnerError(sentence.format(option=name, least=least, given=repr(value)))


def check_counts(most: int = MOST, **given: object) -> None:
    """Raise RunnerError for a value that is not a whole number from 1 to `most`; None is allowed."""
    for name, value in given.items():
        if value is not None and not (isinstance(value, Integral) and 1 <= int(value) <= most):
            sentence = _("{option} must be a whole number from {least} to {most}, not {given}")
            raise RunnerError(sentence.format(option=name, least=1, most=most, given=repr(value)))


def agents_of(agents: Iterable[Path]) -> tuple[AgentSpec, ...]:
    """The agents with these names or paths; "level1" to "level5" are the levels of our engine."""
    return tuple(parse_player(os.fspath(agent)) for agent in agents)


def terms_of(
    setup: GameSetup, agents: Iterable[AgentSpec], *, seconds: float | None, memory: float, limits: bool, sandbox: str,
    ponder: bool, strict: bool, python: Path | None, draw_after: int | None, draw: Scores, resign: Scores,
) -> Terms:  # fmt: skip
    """The terms of all games of a match or a tournament."""
    check_counts(draw_after=draw_after)
    check_number(LEAST_SECONDS, seconds=seconds)
    check_number(1, memory=memory)
    allowed = AgentLimits(
        seconds or seconds_for(agents), memory_mb=memory, enforced=limits, sandbox=sandbox_of(sandbox), ponder=ponder
    )
    try:
        adjudication = Adjudication(draw_after, *(pair and (int(pair[0]), float(pair[1])) for pair in (draw, resign)))
    except (TypeError, ValueError, LookupError) as error:
        raise RunnerError(_("draw and resign must be (moves, score), such as (5, 20)")) from error
    path = located(os.fspath(python)) if python else sys.executable
    return Terms(setup, allowed, strict=strict, python=path, adjudication=adjudication)


# ---- moves


def cell(name: str) -> tuple[int, int]:
    """The row and column, counted from 0, of the cell with a name.

    Raises:
        TengenError: The text is no name of a cell.

    Examples:
        >>> cell("h8"), cell("a10")
        ((7, 7), (9, 0))
    """
    place = coordinates.cell(name)
    if place is None:
        raise RunnerError(_("{text} is no cell; write a cell such as h8").format(text=repr(shortened(name))))
    return place


def name(cell: tuple[int, int] | None) -> str:
    """The name of a cell, given as (row, column) from 0; `"pass"` for None.

    Raises:
        TengenError: The row is below 0, or the column is not 0 to 25.

    Examples:
        >>> name((7, 7)), name((9, 0)), name(None)
        ('h8', 'a10', 'pass')
    """
    if cell is None:
        return PASS
    row, col = cell
    if row < 0 or not 0 <= col < len(coordinates.LETTERS):
        raise RunnerError(_("{cell} has no name; a board has at most 26 rows and columns").format(cell=cell))
    return coordinates.name((row, col))


def cells_of(moves: Any) -> tuple[Cell | None, ...]:
    """The cells of moves, None for a pass. Raises RunnerError for anything that is no move."""
    if moves is None:
        return (None,)
    if isinstance(moves, str):
        reading = read_moves(moves)
        if reading.rest:
            sentence = _("{text} cannot be read as moves from {rest} on; write moves such as h8h9i9, or (row, column)")
            raise RunnerError(sentence.format(text=repr(shortened(moves)), rest=repr(shortened(reading.rest[:20]))))
        return reading.cells
    try:
        items = list(moves)
    except TypeError:
        sentence = _("{text} is no move; write moves such as h8h9i9, or (row, column)")
        raise RunnerError(sentence.format(text=repr(moves))) from None
    with suppress(TypeError, ValueError):
        row, col = map(operator.index, items)
        return ((row, col),)
    return tuple(cell for item in items for cell in cells_of(item))


def names_of(cells: Iterable[Cell | None]) -> tuple[str, ...]:
    """The names of cells, `"pass"` for None."""
    return tuple(PASS if cell is None else coordinates.name(cell) for cell in cells)


languages.use(None)  # the language of the locale, until `use_language` is called
