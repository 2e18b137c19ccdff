"""The verdict on a move, by the winning chance that the move lost, and the accuracy of a side.

Lost chance, from 0 to 1 = the mover's chance before the move, with best play, less the mover's chance after the move.
docs/en/reference/analysis.md explains the thresholds.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from math import exp

from local_runner.language.languages import Message

BLUNDER, MISTAKE, INACCURACY = 0.30, 0.15, 0.07  # least lost chance for each verdict
HOPELESS = 0.02  # moves of a side with a smaller chance do not count for the accuracy
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
        """The verdict's name for users, as an untranslated message."""
        return TITLES[self][0]

    @property
    def mark(self) -> str:
        """The verdict's mark in game notation, such as "??"."""
        return TITLES[self][1]


THRESHOLDS = ((BLUNDER, MoveVerdict.BLUNDER), (MISTAKE, MoveVerdict.MISTAKE), (INACCURACY, MoveVerdict.INACCURACY))
TITLES: Mapping[MoveVerdict, tuple[str, str]] = {  # (title, mark)
    MoveVerdict.NONE: ("", ""),
    MoveVerdict.BLUNDER: (Message("blunder"), "??"),
    MoveVerdict.MISTAKE: (Message("mistake"), "?"),
    MoveVerdict.INACCURACY: (Message("inaccuracy"), "?!"),
    MoveVerdict.MISSED_WIN: (Message("missed win"), "x"),
    MoveVerdict.ONLY_MOVE: (Message("only move"), "!"),
}


def verdict(lost: float, *, was_won: bool, is_won: bool, second: float | None) -> MoveVerdict:
    """The verdict on a move.

    `lost`: the lost chance. `was_won`, `is_won`: whether a win of the mover was proved before and after the move.
    `second`: if the best move was played, the lost chance of the second best move; None if unknown.
    """
    if was_won and not is_won and lost >= INACCURACY:
        return MoveVerdict.MISSED_WIN
    for least, named in THRESHOLDS:
        if lost >= least:
            return named
    return MoveVerdict.ONLY_MOVE if second is not None and second >= MISTAKE and lost < INACCURACY else MoveVerdict.NONE


def accuracy(losses: Iterable[float]) -> float | None:
    """The accuracy of a side, 0 to 100, from the lost chances of its moves; None without moves.

    >>> accuracy([0.0, 0.0]), round(accuracy([0.0, 0.3]) or 0)
    (100.0, 65)
    """
    scores = [exp(-WEIGHT * max(lost, 0.0)) for lost in losses]
    return 100 * sum(scores) / len(scores) if scores else None
