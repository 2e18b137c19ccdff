"""Learns submission/data/reversi_<n>.bin, the weights of the Reversi evaluation, from games of workshop.reversi_games.

    python -m workshop.reversi_weights FILE ... [--upon FILE] [--output FILE] [--dry-run]
                                       [--plot FILE [--beside FILE ...]]

Linear regression with a penalty on large weights, stage by stage from the end of the game to its beginning. A position
is to be worth the final difference of its game; but that is mostly noise early on, so BLEND of it is replaced by what
the position is worth that the game had LATER plies on, in the weights of the later stages, which are known by then.
Upon the weights of a round before, what is learnt and penalised is the difference to them.

Every tenth game is held out: the weights are judged by its result, not fitted to it. A stage at which they foretell it
no better than those of the round before keeps these.
"""
from __future__ import annotations

import zlib
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer
from matplotlib import rc_context
from matplotlib.figure import Figure
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import lsmr

from local_runner.errors import RunnerError
from local_runner.files import write_whole
from submission.reversi import weights
from submission.reversi.cell_lists import CellList, cell_lists
from submission.reversi.evaluation import UNIT
from submission.reversi.weights import FILE, STAGES, ReversiWeights
from workshop.game_file import read
from workshop.reversi_games import SelfPlay
from workshop.reversi_sample import Chosen, Ints, Sample, sampled, stages_by_discs

PACKAGE = Path(__file__).resolve().parents[1] / "submission"
BLEND, LATER = 0.8, 5       # LATER: the cells of the board, for each of the plies
PENALTY = 0.4               # times the cells of the board; its square weighs the sum of the squares of the weights
STRONG = 5.0                # turn and mobility are rarely 0, and pay so much less of the penalty
FEWEST = 2                  # positions that a content must have been in to have a row
ITERATIONS = 100

Array = npt.NDArray[np.float64]


def main(
    files: Annotated[list[Path], typer.Argument(help="Games of one size, as workshop.reversi_games writes them.")],
    upon: Annotated[Path | None, typer.Option(help="ReversiWeights of a round before, to be improved.")] = None,
    output: Annotated[Path | None, typer.Option(help="The file to write; else that of the submission.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write no weights.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the error by stage, as SVG.")] = None,
    beside: Annotated[list[Path] | None, typer.Option(help="Other weights to draw beside the new ones.")] = None,
) -> None:
    """Learn the weights, say how good they are, and write them."""
    try:
        sample = sampled([game for file in files for game in read(file, SelfPlay)])
        before = ReversiWeights(sample.n, upon.read_bytes()) if upon else None
        contents = ListContents(sample, before)
        fitted = fit(sample, contents)
        tested = sample.held_out
        print(f"{sample.games[-1] + 1} games, {len(tested)} positions, {tested.sum()} of them held out; "
              f"{sum(map(len, contents.keys.values()))} contents; {len(fitted) / 1e6:.2f} MB")
        errors = {"by nothing": error(sample, np.zeros(len(tested)))}
        for name, data in [(file.stem, file.read_bytes()) for file in beside or []] + [("new", fitted)]:
            errors[name] = error(sample, judged(sample, ReversiWeights(sample.n, data)))
        for name, by_stage in errors.items():
            print(f"{name:12}", *(f"{value:6.2f}" for value in by_stage), "discs")
        if plot:
            draw(plot, sample.n, errors)
        if not dry_run:
            path = output or PACKAGE / (FILE % sample.n)
            write_whole(path, fitted, "give another --output")
    except (RunnerError, OSError) as fault:
        raise SystemExit(str(fault)) from fault


# ---- contents: as submission/reversi/weights.py numbers them

def canonical(cells: npt.NDArray[np.int8], cell_list: CellList) -> tuple[Ints, Ints]:
    """For the content of a list in each position: the key of its row, and the sign of its value (1, -1 or 0)."""
    size = len(cell_list.cells)
    bits = 1 << np.arange(size)
    black, white = ((cells[:, cell_list.cells] == colour) @ bits for colour in (1, 2))
    contents, at = np.unique(black | white << size, return_inverse=True)
    found = [weights.canonical(content & (1 << size) - 1, content >> size, cell_list.mirror)
             for content in contents.tolist()]
    keys, signs = np.array(found, dtype=np.int64).reshape(-1, 2).T
    return keys[at], signs[at]


def rows_of(keys: Ints, wanted: Ints) -> tuple[Ints, Chosen]:
    """The rows of keys, and whether there is such a row."""
    at = np.searchsorted(keys, wanted)
    return at, np.append(keys, -1)[at] == wanted


def single(cell_list: CellList) -> Ints:
    """For each cell of a list, the cell that has its weight: mirrored cells share one."""
    found: Ints = np.minimum(np.arange(len(cell_list.cells)), cell_list.mirror)
    return found


class ListContents:
    """What the positions have in their lists.

    keys: of each kind, the keys of its rows, ascending; first: of each kind, the first column, that of its first row,
    the rows followed by the cells; columns: how many in all; before: the weights to learn upon, in discs, STAGES x
    columns
    """

    def __init__(self, sample: Sample, before: ReversiWeights | None = None) -> None:
        self.n, self.lists = sample.n, cell_lists(sample.n)
        self.kinds = {cell_list.kind: cell_list for cell_list in self.lists}
        self.keys: dict[int, Ints] = {}
        for kind in sorted(self.kinds):
            found = [canonical(sample.cells, cell_list) for cell_list in self.lists if cell_list.kind == kind]
            keys, counts = np.unique(np.concatenate([keys[signs != 0] for keys, signs in found]), return_counts=True)
            self.keys[kind] = keys[counts >= FEWEST]
            if before:
                self.keys[kind] = np.union1d(self.keys[kind], before.keys[kind])
        self.first, self.columns = {}, 0
        for kind, keys in self.keys.items():
            self.first[kind] = self.columns
            self.columns += len(keys) + len(self.kinds[kind].cells)
        self.columns += len(OF_BOARD)
        self.before = self._columns_of(before) if before else np.zeros((STAGES, self.columns))

    def matrix(self, sample: Sample, chosen: Ints) -> csr_matrix:
        """The features of chosen positions: positions x columns, in Black's view."""
        cells, everywhere = sample.cells[chosen], np.arange(len(chosen))
        blocks: list[tuple[npt.NDArray[Any], ...]] = []
        for cell_list in self.lists:
            keys, first = self.keys[cell_list.kind], self.first[cell_list.kind]
            wanted, signs = canonical(cells, cell_list)
            at, known = rows_of(keys, wanted)
            known &= signs != 0
            blocks.append((everywhere[known], first + at[known], signs[known]))
            places = first + len(keys) + single(cell_list)
            rows, which = np.nonzero(cells[:, cell_list.cells])
            blocks.append((rows, places[which], 3 - 2 * cells[rows, np.array(cell_list.cells)[which]]))
        odd = sample.discs[chosen] % 2 * sample.sides[chosen]
        for i, column in enumerate((sample.sides[chosen], odd, sample.mobility[chosen])):
            blocks.append((everywhere, np.full(len(chosen), self.columns - len(OF_BOARD) + i), STRONG * column))
        rows, columns, values = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        return csr_matrix((values.astype(np.float32), (rows, columns)), shape=(len(chosen), self.columns))

    def _columns_of(self, weights: ReversiWeights) -> Array:
        found = np.zeros((STAGES, self.columns))
        for kind, keys in self.keys.items():
            first = self.first[kind]
            at, known = rows_of(np.array(weights.keys[kind]), keys)
            found[:, first:first + len(keys)][:, known] = np.array(weights.rows[kind]).reshape(-1, STAGES)[at[known]].T
            cells = np.array(weights.cells[kind]).reshape(-1, STAGES)
            places, same = np.unique(single(self.kinds[kind]), return_index=True)
            found[:, first + len(keys) + places] = cells[same].T
        by_discs = stages_by_discs(self.n)
        for number in range(STAGES):
            even = np.flatnonzero(by_discs == number) // 2 * 2
            discs = int(even[len(even) // 2])
            turn = weights.turn[discs]
            found[number, -len(OF_BOARD):] = turn, weights.turn[discs + 1] - turn, weights.mobility[discs]
        return found / UNIT


OF_BOARD = ("turn", "turn with an odd number of discs", "mobility")


# ---- learning

def fit(sample: Sample, contents: ListContents) -> bytes:
    """The file of weights."""
    discs, stages = sample.discs, sample.stages
    cells = sample.n ** 2
    last = np.searchsorted(sample.games, sample.games, side="right") - 1
    worth = sample.differences.astype(np.float64)           # of the position, by its weights once there are some
    found = contents.before.copy()
    found[:, -len(OF_BOARD):] /= STRONG
    for number in reversed(range(STAGES)):
        inside = np.flatnonzero(stages == number)
        if not len(inside):
            continue
        spread = (discs[inside].max() - discs[inside].min() + 1) // 2
        near = (discs >= discs[inside].min() - spread) & (discs <= discs[inside].max() + spread)
        chosen = np.flatnonzero(near & ~sample.held_out)
        later = np.minimum(chosen + cells // LATER, last[chosen])
        blend = BLEND * (stages[later] > number)
        wanted = blend * worth[later] + (1 - blend) * sample.differences[chosen]
        features = contents.matrix(sample, chosen)
        wanted -= features @ found[number]
        learnt = found[number] + lsmr(features, wanted, damp=PENALTY * cells, maxiter=ITERATIONS)[0]
        features = contents.matrix(sample, inside)
        before, after = (features @ weights for weights in (found[number], learnt))
        tested, results = sample.held_out[inside], sample.differences[inside]
        if ((after - results)[tested] ** 2).sum() <= ((before - results)[tested] ** 2).sum():
            found[number], worth[inside] = learnt, after
        else:
            worth[inside] = before
    found[:, -len(OF_BOARD):] *= STRONG
    return packed(contents, np.rint(found * UNIT).astype(np.int16))


def packed(contents: ListContents, found: npt.NDArray[np.int16]) -> bytes:
    """The file, of weights by stage and column."""
    by_discs = stages_by_discs(contents.n)
    turn, odd, mobility = found[by_discs, -len(OF_BOARD):].T
    small = [turn + odd * (np.arange(len(by_discs)) % 2), mobility]
    counts, differences = [], []
    for kind, keys in contents.keys.items():
        first, cell_list = contents.first[kind], contents.kinds[kind]
        weights = found[:, first:first + len(keys)].T
        matter = weights.any(axis=1)
        counts.append(matter.sum())
        differences.append(np.diff(keys[matter], prepend=0))
        small += [found[:, first + len(keys) + single(cell_list)].T.ravel(), weights[matter].ravel()]
    large = np.concatenate([counts, *differences])
    return zlib.compress(large.astype("<i4").tobytes() + np.concatenate(small).astype("<i2").tobytes(), 9)


# ---- judging

def judged(sample: Sample, weights: ReversiWeights) -> Array:
    """What positions are worth, in discs, in Black's view."""
    stages, discs = sample.stages, sample.discs
    worth = sample.sides * np.array(weights.turn)[discs] + sample.mobility * np.array(weights.mobility)[discs]
    for cell_list in cell_lists(sample.n):
        rows, cells = (np.array(of[cell_list.kind]).reshape(-1, STAGES) for of in (weights.rows, weights.cells))
        wanted, signs = canonical(sample.cells, cell_list)
        at, known = rows_of(np.array(weights.keys[cell_list.kind]), wanted)
        worth[known] += signs[known] * rows[at[known], stages[known]]
        for cell, weight in zip(cell_list.cells, cells, strict=True):
            worth += np.array((0, 1, -1))[sample.cells[:, cell]] * weight[stages]
    return np.asarray(worth / UNIT)


def error(sample: Sample, worth: Array) -> list[float]:
    """By stage, the root mean square of what the results of the held-out positions differ by, in discs."""
    missed = [(worth - sample.differences)[sample.held_out & (sample.stages == number)] for number in range(STAGES)]
    return [float(np.sqrt(np.mean(of ** 2))) if len(of) else float("nan") for of in missed]


def draw(path: Path, n: int, errors: dict[str, list[float]]) -> None:
    """Draw the errors by stage."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for name, by_stage in errors.items():
        axes.plot(range(STAGES), by_stage, marker="o", label=name)
    axes.set(title=f"Reversi {n} x {n}: error of the evaluation in held-out games", xlabel="stage of the game",
             ylabel="root mean square, discs", ylim=(0, None))
    axes.legend()
    with rc_context({"svg.hashsalt": path.name}):
        figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    typer.run(main)
