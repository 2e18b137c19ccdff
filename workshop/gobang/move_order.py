"""Learns submission/data/gobang_order.txt, the move order of gobang, from self-play games (games.py).

    python -m workshop.gobang.move_order FILE ... [--out FILE]

The ordering score of a free cell is a sum of learnt numbers, see submission/k_in_a_row/move_order.py. The fit is a
conditional logit (McFadden 1974). Play the games with a --width so large that no good cell is left out.
docs/developers/engine/11-learning.md describes the fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from scipy.sparse import csr_matrix

from local_runner.errors import RunnerError
from submission.boards import board_lines
from submission.k_in_a_row import weights
from submission.k_in_a_row.book import IN_A_ROW, SIZE
from submission.k_in_a_row.move_order import MOST, OrderWeights
from submission.k_in_a_row.parameters import KInARowParameters
from workshop.command import run, with_progress
from workshop.game_file import read
from workshop.gobang.games import GobangSelfPlay, positions
from workshop.gobang.learning import MOVER, OTHER, Array, Ints, Mask, held_out_rows, minimum, publish

OUTPUT = Path(__file__).resolve().parents[2] / "submission" / weights.ORDER
UNIT = 0.225  # logits per unit of a score in the file
L2 = 5e-5  # penalty on the squared numbers
EVERY_CELL = KInARowParameters(root_candidates=SIZE * SIZE)
PLACES = (1, 2, 4, 8, 16)  # the report says how often the search's move is among the first 1, 2, ... of the order


@dataclass(frozen=True)
class ChoiceSample:
    """Positions in which the search chose among several candidate moves.

    counts: candidates of all positions x columns of SurroundingsTable: how often each surrounding occurs
    first: for each position, the row of its first candidate
    chosen: for each position, the row of the search's move
    games: for each position, the number of its game
    """

    counts: csr_matrix
    first: Ints
    chosen: Ints
    games: Ints

    def part(self, wanted: Mask) -> ChoiceSample:
        """Only the positions in the mask `wanted`."""
        ends = np.append(self.first[1:], self.counts.shape[0])
        sizes = (ends - self.first)[wanted]
        first = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)
        rows = np.repeat(wanted, ends - self.first)
        return ChoiceSample(self.counts[rows], first, first + (self.chosen - self.first)[wanted], self.games[wanted])


class SurroundingsTable:
    """All surroundings of a free cell in a line, drawn as in submission's move_order.py.

    Each surroundings has two columns, MOVER and OTHER.
    """

    def __init__(self) -> None:
        sides = [
            format(bits, f"0{size}b")[:size].replace("0", ".").replace("1", "X")
            for size in range(IN_A_ROW)
            for bits in range(1 << size)
        ]
        drawn = {f"{left}*{right}" for left in sides for right in sides if len(left) + len(right) >= IN_A_ROW - 1}
        self.drawings = sorted({min(drawing, drawing[::-1]) for drawing in drawn})
        numbers = {drawing: number for number, drawing in enumerate(self.drawings)}
        self.column = {drawing: 2 * numbers[min(drawing, drawing[::-1])] for drawing in drawn}
        lines = [line.cells for line in board_lines(SIZE, SIZE, IN_A_ROW)]
        self.rays = [
            [
                (line[: line.index(cell)][::-1][: IN_A_ROW - 1], line[line.index(cell) + 1 :][: IN_A_ROW - 1])
                for line in lines
                if cell in line
            ]
            for cell in range(SIZE * SIZE)
        ]

    def columns_of(self, stones: dict[int, int], cell: int, mover: int) -> Iterator[int]:
        """Yield the columns of a free cell: one for each line and colour with room for five in the line."""
        for before, after in self.rays[cell]:
            for row, colour in ((MOVER, mover), (OTHER, 1 - mover)):
                left, right = (_reach(stones, ray, colour) for ray in (before, after))
                if len(left) + len(right) >= IN_A_ROW - 1:
                    yield self.column[f"{left[::-1]}*{right}"] + row

    def to_columns(self, order: OrderWeights) -> Array:
        """The numbers of a move order, by column."""
        return np.array([float(number) for drawing in self.drawings for number in order.get(drawing, (0, 0))])

    def to_order(self, logits: Array) -> OrderWeights:
        """The move order from one number in logits a column, rounded to multiples of UNIT, from 0 to MOST."""
        whole = np.clip(np.rint(logits / UNIT), 0, MOST).astype(int).reshape(-1, 2)
        return {
            drawing: (int(mover), int(other))
            for drawing, (mover, other) in zip(self.drawings, whole, strict=True)
            if mover or other
        }


def _reach(stones: dict[int, int], ray: tuple[int, ...], colour: int) -> str:
    """The cells along a ray up to the first stone of the other colour: `.` free, X own stone."""
    seen = ""
    for cell in ray:
        stone = stones.get(cell)
        if stone not in (None, colour):
            break
        seen += "." if stone is None else "X"
    return seen


def main(
    files: Annotated[list[Path], typer.Argument(help="Files of games, made by workshop.gobang.games.")],
    output: Annotated[Path, typer.Option("--out", help="File of the move order to write.")] = OUTPUT,
) -> None:
    """Learn the move order, print how well it predicts held-out games, and write it."""
    games = [game for file in files for game in read(file, GobangSelfPlay)]
    table = SurroundingsTable()
    sample = sample_choices(with_progress(games, "replaying"), table)
    held_out = held_out_rows(sample.games, f"{len(games)} games are too few; play more of them")
    order = table.to_order(fit(sample.part(~held_out)))
    report = [f"{len(games)} games, {len(held_out)} positions, {held_out.sum()} of them held out"]
    for name, weighed in (("before", weights.order_weights(IN_A_ROW)), ("after", order)):
        report.append(f"{name}: {order_quality(table.to_columns(weighed), sample.part(held_out))}")
    rows = (f"{drawing} {mover} {other}" for drawing, (mover, other) in order.items())
    publish(output, report, "move_order", rows)


def sample_choices(games: Iterable[GobangSelfPlay], table: SurroundingsTable) -> ChoiceSample:
    """The positions in which a search chose among several cells. Raises RunnerError if there are none."""
    columns: list[int] = []
    ends, first, chosen, numbers = [0], [], [], []
    for game in games:
        choices = zip(positions(game, EVERY_CELL), game.values, game.moves[game.opening :], strict=False)
        for ply, (position, value, move) in enumerate(choices, game.opening):
            if value is None or ply in game.random_plies:
                continue
            cells = position.moves()
            if len(cells) < 2 or move not in cells:
                continue
            stones = {cell: number % 2 for number, (cell, *_) in enumerate(position.history)}
            first.append(len(ends) - 1)
            chosen.append(len(ends) - 1 + cells.index(move))
            numbers.append(game.number)
            for cell in cells:
                columns += table.columns_of(stones, cell, position.side)
                ends.append(len(columns))
    if not first:
        raise RunnerError("no search chose among several cells in these games; play more of them")
    counts = csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(ends) - 1, 2 * len(table.drawings)))
    return ChoiceSample(counts, np.array(first), np.array(chosen), np.array(numbers))


def fit(sample: ChoiceSample) -> Array:
    """The number of each column, in logits, that makes the search's moves most probable."""
    observed = np.asarray(sample.counts[sample.chosen].sum(axis=0)).ravel()

    def loss(guess: Array) -> tuple[float, Array]:
        logarithms, probabilities = _probabilities(sample, guess)
        gradient = (sample.counts.T @ probabilities - observed) / len(sample.first) + 2 * L2 * guess
        return -float(np.mean(logarithms)) + L2 * float(guess @ guess), gradient

    return minimum(loss, sample.counts.shape[1])


def _probabilities(sample: ChoiceSample, logits: Array) -> tuple[Array, Array]:
    """The logarithm of each chosen move's probability, and the probabilities of all candidates."""
    scores = sample.counts @ logits
    sizes = np.diff(np.append(sample.first, len(scores)))
    scores -= np.repeat(np.maximum.reduceat(scores, sample.first), sizes)
    powers = np.exp(scores)
    sums = np.add.reduceat(powers, sample.first)
    return scores[sample.chosen] - np.log(sums), powers / np.repeat(sums, sizes)


def order_quality(numbers: Array, sample: ChoiceSample) -> str:
    """The mean place of the chosen moves, and how often they are among the first PLACES, as text.

    If other moves have the same score as a chosen move, half of these moves count as higher.
    """
    scores = sample.counts @ numbers
    places = []
    for (start, end), chosen in zip(pairwise(np.append(sample.first, len(scores))), sample.chosen, strict=True):
        others = scores[start:end]
        places.append((others > scores[chosen]).sum() + ((others == scores[chosen]).sum() - 1) / 2)
    share = ", ".join(f"{np.mean(np.array(places) < place):.1%} of {place}" for place in PLACES)
    return f"place {np.mean(places) + 1:.2f}; among the first {share}"


if __name__ == "__main__":
    run(main)
