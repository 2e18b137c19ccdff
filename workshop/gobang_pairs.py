"""Pairs of games between players that differ in drawn choices, and what the choices are worth: what gobang_tuning.py
and gobang_settings.py share. FILE is described in game_file.py.

In the model, what a player has chosen adds up to his score. Least squares estimates all of it from the same games.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from local_runner.errors import RunnerError
from local_runner.openings.books import Opening, Purpose, book
from workshop import game_file
from workshop.gobang import ENV, to_cells
from workshop.gobang_search import new_search
from workshop.learning import Array
from workshop.openings import play_to_forced_win

PAIRS = 2000
MOST_PLIES = 130            # plies after which a game is drawn, the opening included


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
def openings() -> list[Opening]:
    """The book for tuning."""
    return book(ENV, Purpose.TUNE)


def play_pair(number: int, nodes: int, opening: Opening, choices: tuple[list[int], list[int]],
              new_board: Callable[[list[int], Sequence[int]], Any]) -> ChoicesPair:
    """Play a pair. new_board: the position after cells, for a player with these choices."""
    cells = to_cells(opening)

    def score(black: Sequence[int], white: Sequence[int]) -> float:
        boards = [new_board(cells, player) for player in (black, white)]
        return play_to_forced_win(boards, MOST_PLIES - len(cells), nodes, new_search)

    first, second = choices
    return ChoicesPair(number, nodes, first, second, (score(first, second) + 1 - score(second, first)) / 2)


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
