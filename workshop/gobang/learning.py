"""Code that the scripts for learning gobang weights share: types, the fit, and the text files of weights."""

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

MOVER, OTHER = 0, 1  # rows of weights: for the side to move, and for its opponent
HELD_OUT = 5  # one game in five is held out: the weights are tested on this game, not fitted to it


def minimum(loss: Callable[[Array], tuple[float, Array]], size: int) -> Array:
    """The arguments that minimise `loss`, by L-BFGS-B from 0. `loss` returns its value and its gradient.

    Raises RunnerError if the minimisation does not converge.
    """
    best = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    if not best.success:
        raise RunnerError(f"the fit did not converge: {best.message}; give other games")
    arguments: Array = best.x
    return arguments


def held_out_rows(games: Ints, too_few: str) -> Mask:
    """A mask of the rows that belong to held-out games. `games`: the game number of each row.

    Raises RunnerError with the text `too_few` if all rows or no rows are held out.
    """
    held_out: Mask = games % HELD_OUT == 0
    if held_out.all() or not held_out.any():
        raise RunnerError(too_few)
    return held_out


def publish(output: Path, report: list[str], script: str, rows: Iterable[str]) -> None:
    """Print the report, and write a file: the report as comments, then the rows."""
    remarks = [f"# Made by workshop/gobang/{script}.py, which says how.", *(f"# {line}" for line in report)]
    print("\n".join(report), flush=True)
    write_whole(output, "".join(line + "\n" for line in [*remarks, *rows]), OUTPUT_ADVICE)
