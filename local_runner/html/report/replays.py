"""The games of a report move by move.

Moves and boards come from board_data.py, times and thoughts from the games' records. A thought is what an agent says of
a call; it may say anything.
"""

from dataclasses import dataclass
from typing import Any

from local_runner.game.board_data import BoardData, moves_of
from local_runner.game.records import GameDetails
from local_runner.game.setup import GameSetup
from local_runner.game.thoughts import figure
from local_runner.matches.tournament.store import PlayedGame

SHORT = 0.01  # seconds, below which times are shown in tenths of a millisecond


@dataclass(frozen=True)
class Replay:
    """One game. Tuples are by step, the opening first; cells are numbers, as in board_data.py.

    `times`: milliseconds of each call on turn, from the first step after the opening; one more if the last call was a
    fault. `depth`, `value`, `nodes`: the agent's thought at that call, None without one; empty if no call has one.
    """

    opening: int
    moves: tuple[int, ...]
    turned: tuple[tuple[int, ...], ...]
    line: tuple[int, ...]
    times: tuple[float, ...]
    depth: tuple[float | None, ...]
    value: tuple[float | None, ...]
    nodes: tuple[float | None, ...]


def replay_of(setup: GameSetup, board: BoardData, game: PlayedGame, details: GameDetails) -> Replay:
    """The replay of a game. Raises ValueError for impossible moves."""
    data = moves_of(setup, game.cells)
    calls = [call for call in details.calls if call.turn]
    thoughts = [call.thought or {} for call in calls]
    return Replay(
        opening=details.opening,
        moves=tuple(data["moves"]),
        turned=tuple(map(tuple, data["turned"])),
        line=tuple(data["line"]) if game.result.ending is not None else (),
        times=tuple(_milliseconds(call.seconds) for call in calls),
        depth=figures(thoughts, "depth"),
        value=figures(thoughts, "value"),
        nodes=figures(thoughts, "nodes"),
    )


def figures(thoughts: list[Any], key: str) -> tuple[float | None, ...]:
    """The agent's figures, None where they are not numbers; empty if none is."""
    found = tuple(figure(thought.get(key)) if isinstance(thought, dict) else None for thought in thoughts)
    return found if any(number is not None for number in found) else ()


def _milliseconds(seconds: float) -> float:
    return round(1000 * seconds) if seconds >= SHORT else round(1000 * seconds, 1)
