"""The parameters of a Python engine as the compiled engine reads them: the structs of cpp/parameters.h.

The defaults, ranges and meanings are those of submission/. Python computes the tables that need floating point, such as
the reductions.
"""

from __future__ import annotations

import ctypes
from ctypes import c_double, c_int64
from typing import Any, Iterable, Sequence

from ..k_in_a_row.evaluation import KInARowEvaluator, LinesEvaluator
from ..k_in_a_row.network import NetworkEvaluator
from ..k_in_a_row.parameters import KInARowParameters
from ..k_in_a_row.weights import Weights
from ..reversi.evaluation import CellListEvaluator, square_ranks
from ..reversi.parameters import ReversiParameters
from ..reversi.weights import STAGES, ReversiWeights
from ..search.alphabeta import REDUCTION_SIZE, late_move_reductions, pruning_margins
from ..search.parameters import SearchParameters
from ..search.searchable import INFINITE, Margins

MOST_DEPTHS = 64


class ByDepth(ctypes.Structure):
    """A tuple with one item per depth, from depth 0."""

    _fields_ = [("size", c_int64), ("items", c_int64 * MOST_DEPTHS)]

    @classmethod
    def of(cls, items: Iterable[int]) -> ByDepth:
        listed = list(items)
        if len(listed) > MOST_DEPTHS:
            raise ValueError(f"the compiled engine takes at most {MOST_DEPTHS} items by depth, not {len(listed)}")
        return cls(len(listed), (c_int64 * MOST_DEPTHS)(*listed))


_REDUCTIONS = c_int64 * REDUCTION_SIZE * REDUCTION_SIZE


class NativeSearchParameters(ctypes.Structure):
    """The parameters of alpha-beta."""

    _fields_ = [
        *((name, c_int64) for name in (
            "table_entries", "killers", "null_window", "improving_plies", "improving_depth",
            "iir_depth", "forced_replies", "extension_plies")),
        ("futility", ByDepth), ("razoring", ByDepth), ("probcut_depths", ByDepth),
        ("reductions", _REDUCTIONS), ("reductions_not_improving", _REDUCTIONS),
    ]  # fmt: skip

    def fill(self, use: SearchParameters, margins: Margins, probcut_depths: Sequence[int] = ()) -> None:
        """Copy the parameters of alpha-beta and the evaluator's margins into the fields."""
        copy_fields(self, use)
        self.futility, self.razoring = map(ByDepth.of, pruning_margins(use, margins))
        self.probcut_depths = ByDepth.of(probcut_depths)
        divisor = use.lmr_divisor if use.lmr else float("inf")
        for name, more in (("reductions", 0), ("reductions_not_improving", use.improving_plies)):
            setattr(
                self,
                name,
                _REDUCTIONS(*((c_int64 * REDUCTION_SIZE)(*row) for row in late_move_reductions(divisor, more))),
            )


class NativeKInARowParameters(NativeSearchParameters):
    """The parameters of k in a row and the numbers of its evaluator."""

    _fields_ = [
        *((name, c_int64) for name in ("fours_in_candidates", "learnt_order")),
        ("widths", ByDepth),
        *((name, c_int64) for name in (
            "root_nodes", "vcf_nodes", "vcf_depth", "vct_effort", "effort_from_value", "hold_nodes", "hold_part",
            "defence_nodes")),
        ("root_share", c_double), ("hold_share", c_double),
        ("vct_nodes", ByDepth),
        *((name, c_int64) for name in (
            "network", "below", "above", "least_best", "effort_at", "effort_step", "most_effort")),
        ("moving", c_int64 * 11), ("waiting", c_int64 * 11), ("board", c_int64 * 2 * 4),
    ]  # fmt: skip

    @classmethod
    def of(cls, use: KInARowParameters, evaluator: type[KInARowEvaluator], weights: Weights) -> NativeKInARowParameters:
        """The parameters and weights of a position. Raises ValueError for an evaluator that is not compiled."""
        if not issubclass(evaluator, LinesEvaluator):
            raise ValueError(f"the compiled engine has the evaluators 'lines' and 'network', not {use.evaluator!r}")
        made = cls()
        made.fill(use, evaluator.margins)
        made.widths = ByDepth.of((use.root_candidates, *use.candidates))
        made.vct_nodes = ByDepth.of((0, *use.vct_nodes))
        made.network = issubclass(evaluator, NetworkEvaluator)
        made.below, made.above, made.least_best = (
            (evaluator.BELOW, evaluator.ABOVE, evaluator.LEAST_BEST)
            if use.lazy_evaluation
            else (4 * INFINITE, 4 * INFINITE, -4 * INFINITE)
        )
        made.effort_at, made.effort_step = evaluator.EFFORT_AT, evaluator.EFFORT_STEP
        made.most_effort = evaluator.MOST_EFFORT
        for i, numbers in enumerate(zip(weights.moving, weights.waiting)):
            made.moving[i], made.waiting[i] = numbers
        for row, pair in zip(made.board, weights.board):
            row[0], row[1] = pair
        return made


class NativeReversiParameters(NativeSearchParameters):
    """The parameters of Reversi and the numbers of its evaluator."""

    _fields_ = [
        *((name, c_int64) for name in (
            "ordered_depth", "reply_rank", "valued_depth", "value_rank", "few_discs", "solver_empties",
            "solver_only_empties", "solver_entries")),
        ("probcut_margin", c_double), ("solver_share", c_double),
        ("deviation", c_double * STAGES),
        *((name, c_int64 * 129) for name in ("stages", "turn", "mobility")),
        ("rank", c_int64 * 128),
    ]  # fmt: skip

    @classmethod
    def of(cls, n: int, use: ReversiParameters, learnt: ReversiWeights | None = None) -> NativeReversiParameters:
        """The parameters of a position, with the weights `learnt`; None: the engine's weights for the size.

        Raises ValueError for an evaluator that is not compiled.
        """
        if use.evaluator != "cell_lists":
            raise ValueError(f"the compiled engine has the evaluator 'cell_lists' only, not {use.evaluator!r}")
        made = cls()
        made.fill(use, CellListEvaluator.margins, (0, *use.probcut_depths))
        model = CellListEvaluator.model(n)
        if learnt:
            model = model._replace(turn=learnt.turn, mobility=learnt.mobility)
        for name, numbers in (
            ("deviation", CellListEvaluator.DEVIATION),
            ("stages", model.stages),
            ("turn", model.turn),
            ("mobility", model.mobility),
            ("rank", square_ranks(n)),
        ):
            for i, number in enumerate(numbers):
                getattr(made, name)[i] = number
        return made


def copy_fields(made: Any, use: Any) -> None:
    """Copy the numbers and switches from `use` to the fields of `made` that have the same names."""
    plain = [
        name
        for kind in type(made).__mro__
        for name, held in getattr(kind, "_fields_", ())
        if held in (c_int64, c_double)
    ]
    for name in plain:
        if hasattr(use, name):
            setattr(made, name, getattr(use, name))
