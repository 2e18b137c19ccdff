"""The parameters of the engine for Reversi; see submission/parameters.py for how they are declared."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

from ..parameters import SearchParameters, parameter
from .evaluation import EVALUATORS


@dataclass(frozen=True)
class Parameters(SearchParameters):
    """The search's parameters and Reversi's own."""

    evaluator: str = parameter("cell_lists", "name", None, None, "which of evaluation.EVALUATORS values positions")

    # ProbCut
    probcut_depths: Tuple[int, ...] = parameter(
        (0, 0, 1, 2, 1, 2, 3, 4, 3, 4, 5, 6), "plies", 0, 60, "depth of the shallow search, by the depth left; 0: none")
    probcut_margin: float = parameter(
        0.5, "standard deviations", 0.0, 9.0, "how far off the window the shallow search must be")

    # Move order
    ordered_depth: int = parameter(
        3, "plies", 1, 99, "from this depth on, moves that leave the other side few replies come first")
    reply_rank: int = parameter(30, "ranks", 0, 1000, "what each reply costs a move in the order")
    few_discs: int = parameter(8, "discs", 0, 64, "with no more discs than this, a side may be wiped out: no pruning")

    # Endgame solver
    solvable: int = parameter(17, "empty cells", 0, 30, "from here on the solver is tried; most are solved in a second")
    sure: int = parameter(13, "empty cells", 0, 30, "from here on the solver gets all the time")
    solver_share: float = parameter(0.75, "of the time", 0.0, 1.0, "what the solver gets before that")
    solver_entries: int = parameter(20000, "positions", 1, 10**7, "one generation of a side's table in the solver")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.evaluator not in EVALUATORS:
            raise ValueError("evaluator is {!r}; there are: {}".format(self.evaluator, ", ".join(EVALUATORS)))
