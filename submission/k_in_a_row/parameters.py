"""The parameters of the engine for k in a row; see submission/search/parameters.py for how they are declared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Tuple, Type

from ..search.parameters import UNLIMITED, SearchParameters, parameter, with_default
from .evaluation import KInARowEvaluator, LinesEvaluator
from .network import NetworkEvaluator

EVALUATORS: Dict[str, Type[KInARowEvaluator]] = {  # to add an evaluator, write a file and enter it here
    "lines": LinesEvaluator,
    "network": NetworkEvaluator,
}


@dataclass(frozen=True)
class KInARowParameters(SearchParameters):
    """The parameters of k in a row: those of alpha-beta, some with other defaults, and its own."""

    lmr_divisor: float = with_default(1.3, "lmr_divisor")
    improving_plies: int = with_default(1, "improving_plies")
    iir_depth: int = with_default(4, "iir_depth")
    forced_replies: int = with_default(3, "forced_replies")
    evaluator: str = parameter("network", "name", None, None, "key of EVALUATORS", EVALUATORS)
    lazy_evaluation: bool = parameter(True, "switch", None, None, "evaluation stops at a bound outside the window")

    # Candidate moves in quiet positions
    root_candidates: int = parameter(40, "cells", 1, UNLIMITED, "candidate moves at the root")
    candidates: Tuple[int, ...] = parameter(
        (6, 8, 11, 13, 15, 18, 24, 32, 40), "cells", 1, UNLIMITED, "candidate moves in the tree, by the depth left"
    )
    fours_in_candidates: bool = parameter(True, "switch", None, None, "cells that make a four are always candidates")
    learnt_order: bool = parameter(True, "switch", None, None, "candidates are the cells of highest ordering score")

    # Budgets of threat searches. A node is one stone of the attacker.
    root_nodes: int = parameter(2000, "nodes", 0, UNLIMITED, "budget of VCF at the root, and again of VCT after it")
    root_share: float = parameter(0.2, "of Limits.nodes", 0.0, 1.0, "root_nodes is at most this share of the search")
    vcf_nodes: int = parameter(40, "nodes", 0, UNLIMITED, "budget of VCF at the horizon")
    vcf_depth: int = parameter(2, "plies", 0, UNLIMITED, "up to this depth: VCF instead of VCT, no fours_in_candidates")
    vct_nodes: Tuple[int, ...] = parameter(
        (0, 0, 0, 5, 10, 25, 75, 200, 500, 1200, 3000), "nodes", 0, UNLIMITED, "budget of VCT in the tree, by depth"
    )
    vct_effort: int = parameter(20, "", 1, UNLIMITED, "VCT in the tree ends when the proof number of its root is this")
    effort_from_value: bool = parameter(True, "switch", None, None, "proof numbers of df-pn leaves begin at effort()")
    hold_nodes: int = parameter(
        500, "nodes", 0, UNLIMITED, "budget of the opponent's VCT at the root; moves that stop it come first; 0: off"
    )
    hold_share: float = parameter(0.05, "of Limits.nodes", 0.0, 1.0, "hold_nodes is at most this share of the search")
    hold_part: int = parameter(10, "", 1, 1000, "the VCT after each root move has hold_nodes / this")
    defence_nodes: int = parameter(
        50, "nodes", 0, UNLIMITED, "budget of the opponent's VCT if all candidates lose; its cells are tried; 0: off"
    )
