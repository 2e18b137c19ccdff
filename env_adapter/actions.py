"""Reads a player's answer: two one-hot lists, the first for the row, the second for the column.

This module knows no game. A joint action is a list of two answers, Black's first.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from env_adapter.errors import ActionError

Cell = tuple[int, int]
Answer = Sequence[Sequence[int]]
JointAction = Sequence[Answer]


def one_hot(index: int, length: int) -> list[int]:
    """A list of `length` zeros with a 1 at `index`."""
    return [int(i == index) for i in range(length)]


def answer(cell: Cell, n_row: int, n_col: int) -> list[list[int]]:
    """The answer that plays `cell`: `[one_hot_row, one_hot_col]`."""
    return [one_hot(cell[0], n_row), one_hot(cell[1], n_col)]


def check_lengths(joint_action: JointAction, n_player: int, lengths: Cell, players: Iterable[int]) -> None:
    """Raise ActionError unless there are `n_player` answers, and the answers of `players` have these lengths."""
    if len(_lengths(joint_action, n_player)) != n_player:
        got = _brief(joint_action)
        raise ActionError(f"a joint action is a list of {n_player} answers, one per player; got {got}")
    for player in players:
        if _lengths(joint_action[player], len(lengths)) != list(lengths):
            raise ActionError(
                f"player {player + 1} must answer with two one-hot lists of lengths {lengths[0]} (row) and "
                f"{lengths[1]} (column); got {_brief(joint_action[player])}"
            )


def read_blindly(given: Answer) -> Cell:
    """The cell as the platform reads an answer: the first 1 of each list. A list without a 1 raises ValueError."""
    return given[0].index(1), given[1].index(1)


def read_strictly(given: Answer) -> Cell:
    """The cell of an answer. Raises ActionError unless each of its lists holds exactly one 1 and otherwise 0."""
    return _only_one(given[0], "row"), _only_one(given[1], "column")


def listed(cells: Sequence[Cell]) -> str:
    """The first twelve cells and the number of further cells, as text for an error message."""
    shown = ", ".join(map(str, cells[:12]))
    return (shown + f" and {len(cells) - 12} more" if len(cells) > 12 else shown) or "none, the game is over"


def _only_one(values: Sequence[int], axis: str) -> int:
    if not isinstance(values, (list, tuple)):
        raise ActionError(f"the {axis} answer must be a plain list, not {_brief(values)}")
    try:
        fits = values.count(1) == 1 and values.count(0) == len(values) - 1
    except Exception:  # an entry cannot be compared with 1, e.g. an array
        fits = False
    if not fits:
        raise ActionError(f"the {axis} answer must hold exactly one 1 and otherwise 0; got {_brief(values)}")
    return values.index(1)


def _lengths(parts: Any, n_part: int) -> list[int | None]:
    """The length of each part, None if a part has no length; [] unless there are `n_part` parts."""
    try:
        listed_parts = [parts[i] for i in range(n_part)] if len(parts) == n_part else []
        return [len(part) if hasattr(part, "__len__") else None for part in listed_parts]
    except (TypeError, LookupError):
        return []


def _brief(thing: object) -> str:
    text = f"{type(thing).__name__} {thing!r}"
    return text if len(text) <= 120 else text[:117] + "..."
