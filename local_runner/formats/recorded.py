"""Turns the record of a game in a match or a tournament into an `UncheckedGame`."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, repeat

from local_runner.formats.source import number_of
from local_runner.formats.unchecked import Turn, UncheckedGame
from local_runner.game.records import Cell, GameDetails, Result
from local_runner.game.setup import GameSetup
from local_runner.game.wording import result_text


def unchecked(
    setup: GameSetup, cells: Sequence[Cell | None], details: GameDetails, result: Result, names: tuple[str, str]
) -> UncheckedGame:
    """The game, with the seconds and the thought of each ply from `details.calls`.

    `setup`: has the game's own seed; its opening is replaced by the first `details.opening` cells. After the opening,
    each ply has one call on turn. If the last call was a fault, there is one call more, which is ignored.
    """
    before = details.opening
    turns = [Turn(cell) for cell in cells[:before]]
    calls = chain((call for call in details.calls if call.turn), repeat(None))
    for cell, call in zip(cells[before:], calls, strict=False):
        if call is None:
            turns.append(Turn(cell))
        else:
            turns.append(Turn(cell, seconds=number_of(call.seconds), thought=call.thought or None))
    opening = tuple(cell for cell in cells[:before] if cell is not None)
    return UncheckedGame(
        replace(setup, opening=opening), turns, names, result.winner, result_text(result), result=result
    )  # fmt: skip
