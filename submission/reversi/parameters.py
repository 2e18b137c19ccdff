"""The parameters of the engine for Reversi; see submission/search/parameters.py for how they are declared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Tuple, Type

from ..search.parameters import SearchParameters, parameter
from .evaluation import CellListEvaluator, ReversiEvaluator

EVALUATORS: Dict[str, Type[ReversiEvaluator]] = {  # to add an evaluator, write a file and enter it here
    "cell_lists": CellListEvaluator,
}


@dataclass(frozen=True)
class ReversiParameters(SearchParameters):
    """The parameters of Reversi: those of alpha-beta and its own."""

    evaluator: str = parameter("cell_lists", "name", None, None, "key of EVALUATORS", EVALUATORS)

    # ProbCut
    probcut_depths: Tuple[int, ...] = parameter(
        (0, 0, 1, 2, 1, 2, 3, 4, 3, 4, 5, 6), "plies", 0, 60, "depth of the shallow search, by the depth left; 0: none"
    )
    probcut_margin: float = parameter(0.5, "standard deviations", 0.0, 9.0, "distance from the window for a cutoff")

    # Move order
    ordered_depth: int = parameter(3, "plies", 1, 99, "least depth left at which the move order counts replies")
    reply_rank: int = parameter(30, "ranks", 0, 1000, "a move's rank falls by this for each reply")
    valued_depth: int = parameter(4, "plies", 1, 99, "least depth left at which the move order also uses the values")
    value_rank: int = parameter(60, "ranks", 0, 1000, "a move's rank rises by this for each disc of its value")
    few_discs: int = parameter(6, "discs", 0, 64, "with no more discs than this, a side may be wiped out: no pruning")

    # Endgame solver
    solver_empties: int = parameter(17, "cells", 0, 30, "most empty cells for the solver; it solves most in 1 s")
    solver_only_empties: int = parameter(13, "cells", 0, 30, "most empty cells at which the solver gets all the time")
    solver_share: float = parameter(0.75, "of the time", 0.0, 1.0, "the solver's share with more empty cells than that")
    solver_entries: int = parameter(20000, "positions", 1, 10**7, "one generation of each of the solver's two tables")
