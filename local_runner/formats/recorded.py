"""Games from the details that a match or a tournament keeps."""

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
    """The game to be checked. `setup`: with the game's own seed; its opening is replaced.

    A call on turn belongs to each ply after the opening; one more if the last call was a fault.
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
