"""How good a move was: its verdict by the chance to win that it gave away, and the accuracy of a side.

docs/analysis.md explains the thresholds. A lost chance is the mover's, from 0 to 1:
the chance before the move, with best play, less the chance after the move.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from math import exp

from local_runner.language.languages import Message

BLUNDER, MISTAKE, INACCURACY = 0.30, 0.15, 0.07  # least chance lost
HOPELESS = 0.02  # a mover with a smaller chance has nothing to lose: such moves do not count for the accuracy
WEIGHT = 4.0  # accuracy of one move: exp(-WEIGHT * chance lost)


class MoveVerdict(Enum):
    """The verdict on a move; most moves have NONE."""

    NONE = ""
    BLUNDER = "blunder"
    MISTAKE = "mistake"
    INACCURACY = "inaccuracy"
    MISSED_WIN = "missed win"
    ONLY_MOVE = "only move"

    @property
    def title(self) -> str:
        """Its name for users, a message."""
        return TITLES[self][0]

    @property
    def mark(self) -> str:
        """Its mark in notation."""
        return TITLES[self][1]


THRESHOLDS = ((BLUNDER, MoveVerdict.BLUNDER), (MISTAKE, MoveVerdict.MISTAKE), (INACCURACY, MoveVerdict.INACCURACY))
TITLES: Mapping[MoveVerdict, tuple[str, str]] = {  # a message, and a mark
    MoveVerdict.NONE: ("", ""),
    MoveVerdict.BLUNDER: (Message("blunder"), "??"),
    MoveVerdict.MISTAKE: (Message("mistake"), "?"),
    MoveVerdict.INACCURACY: (Message("inaccuracy"), "?!"),
    MoveVerdict.MISSED_WIN: (Message("missed win"), "x"),
    MoveVerdict.ONLY_MOVE: (Message("only move"), "!"),
}


def verdict(lost: float, *, was_won: bool, is_won: bool, second: float | None) -> MoveVerdict:
    """The verdict on a move.

    `lost`: the chance lost. `was_won`, `is_won`: whether a win of the mover was proved before the move, and after it.
    `second`: the chance that the second best move loses against the best, None if there is none or it is unknown.
    """
    if was_won and not is_won and lost >= INACCURACY:
        return MoveVerdict.MISSED_WIN
    for least, found in THRESHOLDS:
        if lost >= least:
            return found
    return MoveVerdict.ONLY_MOVE if second is not None and second >= MISTAKE and lost < INACCURACY else MoveVerdict.NONE


def accuracy(losses: Iterable[float]) -> float | None:
    """The accuracy of a side, 0 to 100, from the chances that its moves lost; None without moves.

    >>> accuracy([0.0, 0.0]), round(accuracy([0.0, 0.3]) or 0)
    (100.0, 65)
    """
    scores = [exp(-WEIGHT * max(lost, 0.0)) for lost in losses]
    return 100 * sum(scores) / len(scores) if scores else None
