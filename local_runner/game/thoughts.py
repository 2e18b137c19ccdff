"""Takes from an agent's thoughts the parts that are shown: numbers, a source, a principal variation.

A thought is the value of the agent's `last_thought()`, and may hold anything.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from local_runner.game.board_data import BoardData, MovesData
from local_runner.game.coordinates import number
from local_runner.language.text import printable, shortened

FIGURES = ("depth", "value", "nodes")
MOST_FIGURE = 10**12  # larger numbers are not shown
LONGEST_LINE, LONGEST_SOURCE = 30, 40


def thoughts_of(
    board: BoardData, moves: MovesData, thoughts: Sequence[Mapping[str, Any] | None]
) -> list[dict[str, Any] | None]:
    """For each ply the shown parts of the agent's thought, for `page/replay/replay.js`; [] if no ply has any."""
    parts = [_thought(board, thought) for thought in thoughts[: len(moves["moves"]) + 1]]
    return parts if any(parts) else []


def figure(value: Any) -> float | None:
    """The value if it is a number that can be shown, rounded to three decimals; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < MOST_FIGURE:
        return None
    return value if isinstance(value, int) else round(value, 3)


def _thought(board: BoardData, thought: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if not isinstance(thought, Mapping):
        return None
    numbers = {key: figure(thought.get(key)) for key in FIGURES}
    parts: dict[str, Any] = {key: value for key, value in numbers.items() if value is not None}
    if isinstance(source := thought.get("source"), str) and source:
        parts["source"] = printable(shortened(source, LONGEST_SOURCE))
    if line := _line(board, thought.get("pv")):
        parts["line"] = line
    return parts or None


def _line(board: BoardData, pv: Any) -> list[int]:
    """A principal variation of (row, column) pairs as cell numbers; [] if any entry is no cell of the board."""
    if not isinstance(pv, (list, tuple)):
        return []
    cells = []
    for cell in pv[:LONGEST_LINE]:
        if not isinstance(cell, (list, tuple)) or len(cell) != 2 or not all(type(at) is int for at in cell):
            return []
        row, col = cell
        if not (0 <= row < board["rows"] and 0 <= col < board["cols"]):
            return []
        cells.append(number((row, col), board["cols"]))
    return cells
