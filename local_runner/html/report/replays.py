"""The data of one game for `page/saved/report.js`, which describes the format.

The moves come from board_data.py. Times and thoughts come from the records of the game's calls.
"""

from typing import Any

from local_runner.game.board_data import FIGURES, figure, moves_of
from local_runner.game.records import GameDetails
from local_runner.game.setup import GameSetup
from local_runner.matches.games import PlayedGame

SHORT = 0.01  # seconds; shorter times are rounded to tenths of a millisecond, others to milliseconds


def replay_data(setup: GameSetup, game: PlayedGame, details: GameDetails) -> dict[str, Any]:
    """The data of a game. Raises ValueError for impossible moves."""
    moves = moves_of(setup, game.cells)
    calls = [call for call in details.calls if call.turn]
    optional: dict[str, list[Any]] = {"line": moves["line"], "turned": moves["turned"]}
    for key in FIGURES:
        values = [figure(call.thought.get(key)) if isinstance(call.thought, dict) else None for call in calls]
        optional[key] = values if any(value is not None for value in values) else []
    return {
        "players": (game.black, game.white),
        "opening": details.opening,
        "moves": moves["moves"],
        "ms": [round(1000 * s) if s >= SHORT else round(1000 * s, 1) for s in (call.seconds for call in calls)],
        **{key: values for key, values in optional.items() if values},
    }
