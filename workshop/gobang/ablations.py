"""Lists agents that each lack one part of the gobang search, for matches that measure how much each part adds.

    python -m workshop.gobang.ablations    prints the agents as arguments of `tengen tournament`, the whole engine first
    make ablations                         plays a tournament of the whole engine against each of the others

A part is switched off by its parameter (submission/k_in_a_row/parameters.py).
"""

from __future__ import annotations

from submission.search.parameters import UNLIMITED
from workshop.command import run

ENGINE = "tengen"
PARTS = {  # part -> options that switch the part off
    "late move reductions": "lmr=False",
    "internal iterative reductions": "iir_depth=99",
    "futility pruning": "futility=False",
    "razoring": "razoring=False",
    "killer moves": "killers=False",
    "more reduction if not improving": "improving_plies=0",
    "defences outside the candidates": "defence_nodes=0",
    "transposition table": "table_entries=1",
    "learnt move order": "learnt_order=False",
    "fours among the candidates": "fours_in_candidates=False",
    "root order by threats": "hold_nodes=0",
    "fewer candidates at low depth": "candidates=16",
    "more candidates at the root": "root_candidates=16",
    "limit of candidates": f"candidates={UNLIMITED},root_candidates={UNLIMITED}",
    "lazy evaluation": "lazy_evaluation=False",
    "null windows": "null_window=False",
    "extensions": "extension_plies=0",
    "VCF at the horizon": "vcf_nodes=0",
    "VCT in the tree": "vct_nodes=0",
    "giving up VCT in the tree": f"vct_effort={UNLIMITED}",
    "VCF and VCT at the root": "root_nodes=0",
    "estimated proof numbers": "effort_from_value=False",
}


def agents() -> list[str]:
    """The whole engine, then one agent for each of PARTS."""
    return [ENGINE, *(f"{ENGINE}:{options}" for options in PARTS.values())]


def main() -> None:
    """Print the agents."""
    print("\n".join(agents()))


if __name__ == "__main__":
    run(main)
