"""What drawn choices are worth in games: shared by tuning.py and settings.py. FILE is described in game_file.py.

In the model, what a player has chosen adds up to his score. Least squares estimates all of it from the same games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from local_runner.errors import RunnerError
from local_runner.matches.openings.books import Opening, Purpose, book
from workshop import game_file
from workshop.gobang.learning import Array

PAIRS = 2000


@dataclass(frozen=True)
class ChoicesPair(game_file.NumberedResult):
    """Two finished games from one opening.

    first, second: what either player has chosen, numbers that the script explains
    score: of the first player, 0 to 1; he is Black in one game and White in the other
    """

    first: list[int]
    second: list[int]
    score: float


@cache
def openings(env: str) -> list[Opening]:
    """The book for tuning of a game."""
    return book(env, Purpose.TUNE)


def least_squares(pairs: Sequence[ChoicesPair], regressors: Array, changes: int) -> tuple[Array, Array]:
    """The effects of the regressors (a row for each pair) on the score, and their covariance.

    Raises RunnerError if there are too few pairs for so many `changes`.
    """
    scores = np.array([pair.score for pair in pairs]) - 0.5
    freedom = len(pairs) - regressors.shape[1]
    if freedom < 1 or np.linalg.matrix_rank(regressors) < regressors.shape[1]:
        raise RunnerError(f"{len(pairs)} pairs are too few to estimate {changes} changes; play more")
    effects, (residue,) = np.linalg.lstsq(regressors, scores, rcond=None)[:2]
    covariance: Array = np.linalg.inv(regressors.T @ regressors) * residue / freedom
    return np.asarray(effects, dtype=float), covariance
