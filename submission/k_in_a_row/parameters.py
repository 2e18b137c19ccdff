"""The parameters of the engine for k in a row; see submission/parameters.py for how they are declared."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

from ..parameters import UNLIMITED, SearchParameters, parameter
from .evaluation import EVALUATORS


@dataclass(frozen=True)
class Parameters(SearchParameters):
    """The search's parameters as k in a row wants them, and its own."""

    lmr_divisor: float = parameter(
        1.3, "", 0.5, 5.0, "late move reductions: plies = log(depth) * log(move number) / this, rounded down")
    improving_plies: int = parameter(
        1, "plies", 0, 8, "more reduction where the mover's quick value fell since the mover's last turn")
    forced_replies: int = parameter(
        3, "moves", 0, 9, "a position with no more moves than this costs no depth: a four or an open three is answered")
    evaluator: str = parameter("lines", "name", None, None, "which of evaluation.EVALUATORS values positions")
    lazy_evaluation: bool = parameter(True, "switch", None, None, "a bound ends the evaluation where it is enough")

    # Candidate moves in quiet positions
    root_candidates: int = parameter(40, "cells", 1, UNLIMITED, "cells looked at, at the root")
    candidates: Tuple[int, ...] = parameter(
        (6, 8, 11, 13, 15, 18, 24, 32, 40), "cells", 1, UNLIMITED, "cells looked at, by the depth left")
    fours_in_candidates: bool = parameter(True, "switch", None, None, "cells that make a four are always candidates")
    learnt_order: bool = parameter(True, "switch", None, None, "candidates are sorted by their ordering scores")

    # Threat searches. Their nodes are stones of the attacker.
    root_nodes: int = parameter(8000, "nodes", 0, UNLIMITED, "VCF, then VCT, at the root")
    root_share: float = parameter(0.2, "of the nodes", 0.0, 1.0, "most of a limit in nodes that these may take")
    vcf_nodes: int = parameter(40, "nodes", 0, UNLIMITED, "VCF at the horizon")
    vct_nodes: Tuple[int, ...] = parameter(
        (0, 0, 0, 5, 10, 25, 75, 200, 500, 1200, 3000), "nodes", 0, UNLIMITED, "VCT in the tree, by the depth left")
    vct_effort: int = parameter(
        30, "proof number", 1, UNLIMITED, "VCT in the tree gives up when this much is left to prove")
    effort_from_value: bool = parameter(
        True, "switch", None, None, "a leaf of VCT starts with a proof number that the evaluator estimates, not with 1")
    hold_nodes: int = parameter(
        500, "nodes", 0, UNLIMITED, "VCT of the other side at the root, to put first the moves that stop it; 0: off")
    hold_share: float = parameter(0.05, "of the nodes", 0.0, 1.0, "most of a limit in nodes that it may take")
    hold_part: int = parameter(10, "", 1, 1000, "each root move is tested with 1 / this of it")
    defence_nodes: int = parameter(
        50, "nodes", 0, UNLIMITED, "VCT of the other side where all candidates lose; its cells are tried, too; 0: off")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.evaluator not in EVALUATORS:
            raise ValueError("evaluator is {!r}; there are: {}".format(self.evaluator, ", ".join(EVALUATORS)))
