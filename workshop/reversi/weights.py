"""Learns submission/data/reversi_<n>.bin, the weights of the Reversi evaluation, from games (games.py).

    python -m workshop.reversi.weights FILE ... [--previous FILE] [--out FILE]

Ridge regression fits the weights stage by stage, from the last stage to the first. The target of a position is

    SEARCHED * (value of the search in the game)
    + (1 - SEARCHED) * (BLEND * (evaluation n * n / LATER plies later) + (1 - BLEND) * (final disc difference))

docs/developers/engine/11-learning.md says why. With --previous, the fit starts from the weights of the round before. An
old weight counts as much as TRUST times the new positions in which its content occurs.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import LinearOperator, aslinearoperator, lsmr

from local_runner.errors import RunnerError
from local_runner.system.files import write_whole
from submission.boards import BLACK, WHITE
from submission.reversi.board import PASS
from submission.reversi.evaluation import UNIT
from submission.reversi.weights import FILE, STAGES, CellList, ReversiWeights, cell_lists, stage
from workshop.command import OUTPUT_ADVICE, run, with_progress
from workshop.game_file import read
from workshop.gobang.learning import Array, Ints, Mask
from workshop.reversi.games import ReversiSelfPlay, start

PACKAGE = Path(__file__).resolve().parents[2] / "submission"
SEARCHED = 0.5  # weight of the search's value in the target
BLEND = 0.8  # weight of the later evaluation in the rest of the target
LATER = 5  # the later position follows after (cells of the board / LATER) plies
PENALTY = 0.4  # damping of the regression per cell of the board
TRUST = 1.0  # how much the weights of the round before count against the new positions
STRONG = 5.0  # factor of the features OF_BOARD, which makes the penalty on their weights small
FEWEST = 2  # least number of occurrences for which a content of a list gets a row
ITERATIONS = 100  # largest number of iterations of the regression
HELD_OUT = 10  # one game in ten is held out
OF_BOARD = ("turn", "turn with an odd number of discs", "mobility")  # features of the whole board


def main(
    files: Annotated[list[Path], typer.Argument(help="Files of games, made by workshop.reversi.games for one size.")],
    previous: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="Weights of the round before, to start from.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--out", help="File of weights to write. Default: the submission's.")
    ] = None,
) -> None:
    """Learn the weights, print their errors on held-out games, and write them."""
    sample = sample_positions([game for file in files for game in read(file, ReversiSelfPlay)])
    try:
        before = ReversiWeights(sample.n, previous.read_bytes()) if previous else None
    except (zlib.error, ValueError) as error:  # the weights do not fit the cell lists of this board
        raise RunnerError(f"{previous}: {error}; give a file as submission/{FILE % sample.n}") from error
    contents = ListContents(sample, before)
    fitted = fit(sample, contents)
    write_whole(output or PACKAGE / (FILE % sample.n), fitted, OUTPUT_ADVICE)
    tested = sample.part(sample.held_out)
    print(
        f"{sample.games[-1] + 1} games, {len(sample.games)} positions, {len(tested.games)} of them held out; "
        f"{sum(map(len, contents.keys.values()))} contents; {len(fitted) / 1e6:.2f} MB"
    )
    values = {"always 0": np.zeros(len(tested.games)), "new": evaluate(tested, ReversiWeights(sample.n, fitted))}
    if before:
        values["previous"] = evaluate(tested, before)
    for name, evaluated in values.items():
        print(f"{name:12}", *(f"{value:6.2f}" for value in rms_errors(tested, evaluated)), "discs")


# ---- positions


@dataclass(frozen=True)
class ReversiSample:
    """Positions of games on an n x n board, game by game, in the order of play.

    cells: positions x n * n: 0 empty, 1 black, 2 white
    sides: 1 if Black is to move, -1 if White
    mobility: Black's legal moves less White's
    values: the search value of the position, in discs, for Black
    differences: Black's discs less White's at the end of the game
    games: index of the game, ascending
    """

    n: int
    cells: npt.NDArray[np.int8]
    sides: Ints
    mobility: Ints
    values: Array
    differences: Ints
    games: Ints

    @property
    def discs(self) -> Ints:
        return np.asarray(np.count_nonzero(self.cells, axis=1))

    @property
    def stages(self) -> Ints:
        return stages_by_discs(self.n)[self.discs]

    @property
    def held_out(self) -> Mask:
        return np.asarray(self.games % HELD_OUT == HELD_OUT - 1)

    def part(self, chosen: Mask) -> ReversiSample:
        """The chosen positions."""
        return replace(self, **{name: values[chosen] for name, values in vars(self).items() if name != "n"})


def stages_by_discs(n: int) -> Ints:
    """The stages of the game for 0 to n * n discs on the board."""
    return np.array([stage(n, discs) for discs in range(n * n + 1)])


def sample_positions(games: list[ReversiSelfPlay]) -> ReversiSample:
    """The positions from the engine's first move on. Raises RunnerError for too few games, or for several sizes."""
    sizes = {game.size for game in games}
    if len(sizes) != 1 or len(games) < HELD_OUT:
        raise RunnerError(
            f"{len(games)} games on boards of {len(sizes)} sizes; give at least {HELD_OUT} games, all of one size"
        )
    (n,) = sizes
    masks, numbers, values = (bytearray(), bytearray()), array("i"), array("d")
    for game_number, game in enumerate(with_progress(games, "replaying")):
        for discs, value, *others in _positions(game):
            for colour, mask in enumerate(discs):
                masks[colour].extend(mask.to_bytes(_mask_size(n), "little"))
            values.append(value)
            numbers.extend((*others, game.difference, game_number))
    black, white = (_unpacked(mask, n) for mask in masks)
    sides, mobilities, differences, of_games = np.array(numbers, np.int64).reshape(-1, 4).T
    cells = np.asfortranarray(black + 2 * white)  # column-major: a cell is read in all positions at a time
    return ReversiSample(n, cells, sides, mobilities, np.array(values), differences, of_games)


def _positions(game: ReversiSelfPlay) -> Iterable[tuple[tuple[int, int], float, int, int]]:
    """Yield for each position its discs, its search value, its side and its mobility as in ReversiSample."""
    position = start(game.size)
    for number, move in enumerate(game.moves):
        if number >= game.opening and move != PASS:
            mobility = bin(position.legal_cells(BLACK)).count("1") - bin(position.legal_cells(WHITE)).count("1")
            yield position.discs, game.values[number - game.opening], 1 if position.side == BLACK else -1, mobility
        position.play(move)


def _mask_size(n: int) -> int:
    """The bytes of a mask of the board."""
    return (n * n + 7) // 8


def _unpacked(masks: bytearray, n: int) -> npt.NDArray[np.int8]:
    packed = np.frombuffer(masks, np.uint8).reshape(-1, _mask_size(n))
    return np.unpackbits(packed, axis=1, count=n * n, bitorder="little").view(np.int8)


# ---- contents, with the keys of submission/reversi/weights.py


def canonical_contents(cells: npt.NDArray[np.int8], cell_list: CellList) -> tuple[Ints, Ints]:
    """The content of a list in each position: the key of its row, and the sign of its value (1, -1 or 0)."""
    size = len(cell_list.cells)
    black, white, black_there, white_there = (np.zeros(len(cells), np.int64) for _ in range(4))
    for place, (cell, there) in enumerate(zip(cell_list.cells, cell_list.mirror, strict=True)):
        for colour, mask, mirrored in ((1, black, black_there), (2, white, white_there)):
            bit = (cells[:, cell] == colour).astype(np.int64)
            mask |= bit << place
            mirrored |= bit << there
    as_is = np.minimum(black | white << size, black_there | white_there << size)
    exchanged = np.minimum(white | black << size, white_there | black_there << size)
    return np.minimum(as_is, exchanged), np.sign(exchanged - as_is)


def find_rows(keys: Ints, wanted: Ints) -> tuple[Ints, Mask]:
    """The places of the `wanted` keys in the sorted `keys`, and a mask of the wanted keys that are present."""
    at = np.searchsorted(keys, wanted)
    return at, np.append(keys, -1)[at] == wanted


def weight_places(cell_list: CellList) -> Ints:
    """For each place of a list, the place whose weight it has: mirrored places share the weight of the first."""
    places: Ints = np.minimum(np.arange(len(cell_list.cells)), cell_list.mirror)
    return places


class ListContents:
    """The features of the regression, for a sample.

    For each kind of list there is a column for each row of the file and then one for each cell; OF_BOARD comes last.

    keys: kind of list -> the keys of its rows, ascending
    first: kind of list -> its first column
    columns: number of columns
    before: the weights to start from, in discs: STAGES x columns
    """

    def __init__(self, sample: ReversiSample, before: ReversiWeights | None = None) -> None:
        self.n, self.lists, self.sample = sample.n, cell_lists(sample.n), sample
        self.kinds = {cell_list.kind: cell_list for cell_list in self.lists}
        self.keys: dict[int, Ints] = {}
        self.first: dict[int, int] = {}
        self.columns = 0
        self._rows = np.zeros((len(sample.cells), len(self.lists)), np.int32)  # (position, list) -> column; -1: none
        self._signs = np.zeros(self._rows.shape, np.int8)
        for kind in sorted(self.kinds):
            self._add_kind(kind, before)
        self.columns += len(OF_BOARD)
        self.before = self._columns_of(before) if before else np.zeros((STAGES, self.columns))

    def _add_kind(self, kind: int, before: ReversiWeights | None) -> None:
        numbers = [number for number, cell_list in enumerate(self.lists) if cell_list.kind == kind]
        contents = [canonical_contents(self.sample.cells, self.lists[number]) for number in numbers]
        keys, counts = np.unique(np.concatenate([keys[signs != 0] for keys, signs in contents]), return_counts=True)
        keys = keys[counts >= FEWEST]
        if before:
            keys = np.union1d(keys, before.keys[kind])
        for number, (wanted, signs) in zip(numbers, contents, strict=True):
            at, known = find_rows(keys, wanted)
            known &= signs != 0
            self._rows[:, number] = np.where(known, self.columns + at, -1)
            self._signs[:, number] = np.where(known, signs, 0)
        self.keys[kind], self.first[kind] = keys, self.columns
        self.columns += len(keys) + len(self.kinds[kind].cells)

    def matrix(self, chosen: Ints) -> LinearOperator:
        """The features of chosen positions for Black: positions x columns.

        The columns of cells and of the board are computed from few numbers of a position, so they are not stored.
        """
        sample, rows = self.sample, self._rows[chosen]
        starts = np.concatenate([[0], np.cumsum((rows >= 0).sum(axis=1))])
        values = self._signs[chosen][rows >= 0].astype(np.float32)
        listed = csr_matrix((values, rows[rows >= 0], starts), shape=(len(chosen), self.columns))
        odd = sample.discs[chosen] % 2 * sample.sides[chosen]
        board = STRONG * np.stack([sample.sides[chosen], odd, sample.mobility[chosen]], axis=1)
        cells = np.array((0, 1, -1), np.float32)[sample.cells[chosen]]
        plain, sums = np.hstack([cells, board.astype(np.float32)]), self._sums()

        def matvec(weights: Array) -> Array:
            weights = weights.ravel().astype(np.float32)  # the features' type: no array is converted
            return np.asarray(listed @ weights + plain @ (sums @ weights), np.float64)

        def rmatvec(errors: Array) -> Array:
            errors = errors.ravel().astype(np.float32)
            return np.asarray(listed.T @ errors + sums.T @ (plain.T @ errors), np.float64)

        return LinearOperator((len(chosen), self.columns), dtype=np.float64, matvec=matvec, rmatvec=rmatvec)

    def occurrences(self, chosen: Ints) -> Array:
        """How often each column is not 0 in the chosen positions, a cell's column once for each list of the cell."""
        rows = self._rows[chosen]
        plain = [*np.count_nonzero(self.sample.cells[chosen], axis=0), *[len(chosen)] * len(OF_BOARD)]
        return np.asarray(np.bincount(rows[rows >= 0], minlength=self.columns) + self._sums().T @ plain)

    def _sums(self) -> csr_matrix:
        """How often each cell (a row) occurs in each column of cells; the last rows are for OF_BOARD."""
        cells = self.n**2
        places = []
        for each in self.lists:
            first = self.first[each.kind] + len(self.keys[each.kind])
            places += [(cell, first + place) for cell, place in zip(each.cells, weight_places(each), strict=True)]
        places += [(cells + i, self.columns - len(OF_BOARD) + i) for i in range(len(OF_BOARD))]
        ones = np.ones(len(places), np.float32)
        return csr_matrix((ones, tuple(zip(*places, strict=True))), shape=(cells + len(OF_BOARD), self.columns))

    def _columns_of(self, weights: ReversiWeights) -> Array:
        columns = np.zeros((STAGES, self.columns))
        for kind, keys in self.keys.items():
            first = self.first[kind]
            at, known = find_rows(np.array(weights.keys[kind]), keys)
            rows, cells = (np.array(of[kind]).reshape(-1, STAGES) for of in (weights.rows, weights.cells))
            columns[:, first : first + len(keys)][:, known] = rows[at[known]].T
            places, same = np.unique(weight_places(self.kinds[kind]), return_index=True)
            columns[:, first + len(keys) + places] = cells[same].T
        by_discs = stages_by_discs(self.n)
        for number in range(STAGES):
            even = np.flatnonzero(by_discs == number) // 2 * 2
            discs = int(even[len(even) // 2])
            turn = weights.turn[discs]
            columns[number, -len(OF_BOARD) :] = turn, weights.turn[discs + 1] - turn, weights.mobility[discs]
        return columns / UNIT


# ---- learning


def fit(sample: ReversiSample, contents: ListContents) -> bytes:
    """The file of weights, learnt stage by stage."""
    discs, stages = sample.discs, sample.stages
    cells = sample.n**2
    penalty, trust = PENALTY * cells, TRUST * contents.before.any()
    last = np.searchsorted(sample.games, sample.games, side="right") - 1
    values = sample.differences.astype(np.float64)  # replaced by the evaluation once a stage is learnt
    found = contents.before.copy()
    found[:, -len(OF_BOARD) :] /= STRONG
    for number in with_progress(range(STAGES)[::-1], "learning stages"):
        inside = np.flatnonzero(stages == number)
        if not len(inside):
            continue
        spread = (discs[inside].max() - discs[inside].min() + 1) // 2
        near = (discs >= discs[inside].min() - spread) & (discs <= discs[inside].max() + spread)
        chosen = np.flatnonzero(near & ~sample.held_out)
        later = np.minimum(chosen + cells // LATER, last[chosen])
        blend = BLEND * (stages[later] > number)
        targets = blend * values[later] + (1 - blend) * sample.differences[chosen]
        targets = SEARCHED * sample.values[chosen] + (1 - SEARCHED) * targets
        features = contents.matrix(chosen)
        targets -= features @ found[number]
        free = aslinearoperator(diags(1 / np.sqrt(1 + trust * contents.occurrences(chosen) / penalty**2)))
        learnt = found[number] + free @ lsmr(features @ free, targets, damp=penalty, maxiter=ITERATIONS)[0]
        features = contents.matrix(inside)
        before, after = (features @ weights for weights in (found[number], learnt))
        tested, results = sample.held_out[inside], sample.differences[inside]
        if ((after - results)[tested] ** 2).sum() <= ((before - results)[tested] ** 2).sum():
            found[number], values[inside] = learnt, after
        else:
            values[inside] = before
    found[:, -len(OF_BOARD) :] *= STRONG
    return pack(contents, np.rint(found * UNIT).astype(np.int16))


def pack(contents: ListContents, found: npt.NDArray[np.int16]) -> bytes:
    """The file of weights; `found`: STAGES x columns, in units of the evaluation."""
    by_discs = stages_by_discs(contents.n)
    turn, odd, mobility = found[by_discs, -len(OF_BOARD) :].T
    small = [turn + odd * (np.arange(len(by_discs)) % 2), mobility]
    counts, differences = [], []
    for kind, keys in contents.keys.items():
        first, cell_list = contents.first[kind], contents.kinds[kind]
        weights = found[:, first : first + len(keys)].T
        used = weights.any(axis=1)
        counts.append(used.sum())
        differences.append(np.diff(keys[used], prepend=0))
        small += [found[:, first + len(keys) + weight_places(cell_list)].T.ravel(), weights[used].ravel()]
    large = np.concatenate([counts, *differences])
    return zlib.compress(large.astype("<i4").tobytes() + np.concatenate(small).astype("<i2").tobytes(), 9)


# ---- testing


def evaluate(sample: ReversiSample, weights: ReversiWeights) -> Array:
    """The evaluation of each position in discs, for Black."""
    stages, discs = sample.stages, sample.discs
    values = sample.sides * np.array(weights.turn)[discs] + sample.mobility * np.array(weights.mobility)[discs]
    for cell_list in cell_lists(sample.n):
        rows, cells = (np.array(of[cell_list.kind]).reshape(-1, STAGES) for of in (weights.rows, weights.cells))
        wanted, signs = canonical_contents(sample.cells, cell_list)
        at, known = find_rows(np.array(weights.keys[cell_list.kind]), wanted)
        values[known] += signs[known] * rows[at[known], stages[known]]
        for cell, weight in zip(cell_list.cells, cells, strict=True):
            values += np.array((0, 1, -1))[sample.cells[:, cell]] * weight[stages]
    return np.asarray(values / UNIT)


def rms_errors(sample: ReversiSample, values: Array) -> list[float]:
    """The root mean square error of values in held-out positions, in discs, by stage; NaN for a stage without any."""
    errors = [(values - sample.differences)[sample.held_out & (sample.stages == number)] for number in range(STAGES)]
    return [float(np.sqrt(np.mean(of_stage**2))) if len(of_stage) else float("nan") for of_stage in errors]


if __name__ == "__main__":
    run(main)
