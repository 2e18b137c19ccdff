"""Learns submission/data/gobang_order.txt, the move order of gobang, from self-play games (games.py).

    python -m workshop.gobang.move_order FILE ... [--out FILE]

The ordering score of a free cell is a sum of learnt numbers, see submission/k_in_a_row/move_order.py. The fit is a
conditional logit (McFadden 1974). Play the games with a --width so large that no good cell is left out.
docs/developers/engine/11-learning.md describes the fit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer
from scipy.sparse import csr_matrix

from local_runner.errors import RunnerError
from submission.boards import DIRECTIONS
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
EMPTY, OWN, THEIRS, BEYOND = range(4)  # states of a cell, for the side to move; BEYOND: outside the board
PLACES = (1, 2, 4, 8, 16)  # the report says how often the search's move is among the first 1, 2, ... of the order

Drawings = npt.NDArray[np.int16]  # numbers of drawings, see SurroundingsTable


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
    """All surroundings of a free cell in a line, drawn as in submission's move_order.py: .X*X.

    The number of a drawing is its index in `drawings` plus 1; 0: no drawing. Each drawing has two columns, MOVER and
    OTHER. A side of a cell has a code: a 1, then a bit for each cell from the nearest on, 1 for a stone.
    """

    def __init__(self) -> None:
        sides = {(1 << size) + bits: "".join(marks) for size in range(IN_A_ROW)
                 for bits, marks in enumerate(product(".X", repeat=size))}  # fmt: skip
        drawn = {
            (code, other): f"{left[::-1]}*{right}"
            for code, left in sides.items()
            for other, right in sides.items()
            if len(left) + len(right) >= IN_A_ROW - 1
        }
        self.drawings = sorted({min(drawing, drawing[::-1]) for drawing in drawn.values()})
        self.numbers: Drawings = np.zeros((1 << IN_A_ROW, 1 << IN_A_ROW), np.int16)  # by the codes of both sides
        for codes, drawing in drawn.items():
            self.numbers[codes] = self.drawings.index(min(drawing, drawing[::-1])) + 1

    def around(self, boards: npt.NDArray[np.int8]) -> tuple[Drawings, Drawings]:
        """The numbers of the drawings around each cell by direction, for mover and opponent: n x cells x 4 each.

        A number is 0 if the cell is not free, or if five do not fit into the line. boards: n x SIZE x SIZE cells, see
        board_after().
        """
        reach = IN_A_ROW - 1
        edged = np.full((len(boards), SIZE + 2 * reach, SIZE + 2 * reach), BEYOND, np.int8)
        edged[:, reach:-reach, reach:-reach] = boards
        free = boards == EMPTY

        def drawn(own: int) -> Drawings:
            sides = ((_side(edged, own, -down, -right), _side(edged, own, down, right)) for down, right in DIRECTIONS)
            numbers = [np.where(free, self.numbers[codes], 0) for codes in sides]
            return np.stack(numbers, axis=-1).reshape(len(boards), SIZE * SIZE, len(DIRECTIONS))

        return drawn(OWN), drawn(THEIRS)

    def columns_after(self, moves: list[int]) -> list[list[int]]:
        """For each cell, the columns of its surroundings after these moves; [] if the cell is not free."""
        own, other = self.around(board_after(moves)[None])
        return [
            [2 * number - 2 + row for row, numbers in ((MOVER, mine), (OTHER, theirs)) for number in numbers if number]
            for mine, theirs in zip(own[0].tolist(), other[0].tolist(), strict=True)
        ]

    def to_columns(self, order: OrderWeights) -> Array:
        """The numbers of a move order, by column."""
        return np.array([float(number) for drawing in self.drawings for number in order.get(drawing, (0, 0))])

    def to_order(self, logits: Array) -> OrderWeights:
        """The move order from one number in logits a column, rounded to multiples of UNIT, from 0 to MOST."""
        whole = np.clip(np.rint(logits / UNIT), 0, MOST).astype(int).reshape(-1, 2).tolist()
        numbers = zip(self.drawings, whole, strict=True)
        return {drawing: (mover, other) for drawing, (mover, other) in numbers if mover or other}


def board_after(moves: list[int]) -> npt.NDArray[np.int8]:
    """The board after these moves, for the side to move: SIZE x SIZE cells, each EMPTY, OWN or THEIRS."""
    board = np.zeros(SIZE * SIZE, np.int8)
    board[moves[len(moves) % 2 :: 2]], board[moves[(len(moves) + 1) % 2 :: 2]] = OWN, THEIRS
    return board.reshape(SIZE, SIZE)


def _side(edged: npt.NDArray[np.int8], own: int, down: int, right: int) -> npt.NDArray[np.int32]:
    """The codes of one side of each cell, up to the other colour's stone."""
    reach = IN_A_ROW - 1
    code, open_yet = np.ones((len(edged), SIZE, SIZE), np.int32), np.True_
    for step in range(1, IN_A_ROW):
        top, left = reach + step * down, reach + step * right
        cells = edged[:, top : top + SIZE, left : left + SIZE]
        open_yet = open_yet & ((cells == EMPTY) | (cells == own))
        code = np.where(open_yet, 2 * code + (cells == own), code)
    return code


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
            columns_of = table.columns_after([cell for cell, *_ in position.history])
            first.append(len(ends) - 1)
            chosen.append(len(ends) - 1 + cells.index(move))
            numbers.append(game.number)
            for cell in cells:
                columns += columns_of[cell]
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
