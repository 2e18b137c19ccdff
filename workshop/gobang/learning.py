"""Shared by the scripts that learn weights of gobang: types, the fit, and the text files of weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from local_runner.errors import RunnerError
from local_runner.system.files import write_whole
from workshop.command import OUTPUT_ADVICE

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

MOVER, OTHER = 0, 1  # rows of weights: for the side to move, and for the other side
HELD_OUT = 5  # one game in five is held out: the weights are tested on it, not fitted to it


def minimum(loss: Callable[[Array], tuple[float, Array]], size: int) -> Array:
    """The arguments of the smallest loss, by L-BFGS-B from 0; `loss` returns its value and its gradient.

    Raises RunnerError if the search does not converge.
    """
    best = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    if not best.success:
        raise RunnerError(f"the fit did not converge: {best.message}; give other games")
    arguments: Array = best.x
    return arguments


def held_out_rows(games: Ints, too_few: str) -> Mask:
    """A mask of the rows of held-out games, by each row's game number. Raises RunnerError if there are too few."""
    held_out: Mask = games % HELD_OUT == 0
    if held_out.all() or not held_out.any():
        raise RunnerError(too_few)
    return held_out


def publish(output: Path, report: list[str], script: str, rows: Iterable[str], dry_run: bool) -> None:
    """Print the report and write the rows below it; a dry run prints what it would write."""
    remarks = [f"# Made by workshop/{script}.py, which says how.", *(f"# {line}" for line in report)]
    text = "".join(line + "\n" for line in [*remarks, *rows])
    print(text if dry_run else "\n".join(report), flush=True)
    if not dry_run:
        write_whole(output, text, OUTPUT_ADVICE)
