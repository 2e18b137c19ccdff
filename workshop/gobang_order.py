"""Learns submission/data/gobang_order.txt, the order of gobang's moves, from games of workshop.gobang_games.

    python -m workshop.gobang_order FILE ... [--dry-run] [--output FILE]

A free cell counts, in each of the four lines through it, what its surroundings count for the side to move and for the
other one: the cells less than five away that the colour's opponent has not cut off (gomoku/merits.py). The move that a
search chose shall have the largest sum: its share of exp(sum) among all cells is made as large as it can be, which is
the conditional logit (McFadden 1974). Then the sums are rounded to whole numbers of UNIT, and none is below 0.

The games should be played with a --width that leaves no good cell out. Every fifth game, by its number, is held out.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer
from rich.console import Console
from rich.progress import track
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from local_runner.errors import RunnerError
from local_runner.files import write_whole
from submission.k_in_a_row import weights
from submission.k_in_a_row.move_order import MOST, OrderWeights
from submission.k_in_a_row.parameters import Parameters
from submission.lines import board_lines
from workshop.bench_positions import IN_A_ROW, SIZE
from workshop.gobang_games import SelfPlay, positions, read
from workshop.gobang_weights import HELD_OUT, MOVER, OTHER, Array

OUTPUT = Path(__file__).resolve().parents[1] / "submission" / weights.ORDER
UNIT = 0.225                # of the sums, in the logarithm of a share
L2 = 5e-5                   # times the sum of the squares of what surroundings count
EVERY_CELL = Parameters(root_candidates=SIZE * SIZE)
PLACES = (1, 2, 4, 8, 16)   # how often the chosen move is among so many is told

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Sample:
    """Positions with a choice.

    there: candidate cells of all positions, one after the other, x surroundings, how often each is there
    first: of each position, the row of its first candidate; chosen: the row of the search's move; games: its game
    """

    there: csr_matrix
    first: Ints
    chosen: Ints
    games: Ints

    def part(self, wanted: npt.NDArray[np.bool_]) -> Sample:
        """Those positions alone."""
        ends = np.append(self.first[1:], self.there.shape[0])
        sizes = (ends - self.first)[wanted]
        first = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)
        rows = np.repeat(wanted, ends - self.first)
        return Sample(self.there[rows], first, first + (self.chosen - self.first)[wanted], self.games[wanted])


class Surroundings:
    """All surroundings of a free cell in a line, drawn as in move_order.py, with two columns each: MOVER and OTHER."""

    def __init__(self) -> None:
        sides = [format(bits, f"0{size}b")[:size].replace("0", ".").replace("1", "X")
                 for size in range(IN_A_ROW) for bits in range(1 << size)]
        drawn = {f"{left}*{right}" for left in sides for right in sides if len(left) + len(right) >= IN_A_ROW - 1}
        self.drawings = sorted({min(each, each[::-1]) for each in drawn})
        numbers = {each: number for number, each in enumerate(self.drawings)}
        self.column = {each: 2 * numbers[min(each, each[::-1])] for each in drawn}
        lines = [line.cells for line in board_lines(SIZE, SIZE, IN_A_ROW)]
        self.rays = [[(line[:line.index(cell)][::-1][:IN_A_ROW - 1], line[line.index(cell) + 1:][:IN_A_ROW - 1])
                      for line in lines if cell in line] for cell in range(SIZE * SIZE)]

    def columns_of(self, stones: dict[int, int], cell: int, mover: int) -> Iterator[int]:
        """The columns of a free cell: of each line through it MOVER's and OTHER's, where five fit in."""
        for before, after in self.rays[cell]:
            for whose, colour in ((MOVER, mover), (OTHER, 1 - mover)):
                left, right = (_reach(stones, ray, colour) for ray in (before, after))
                if len(left) + len(right) >= IN_A_ROW - 1:
                    yield self.column[f"{left[::-1]}*{right}"] + whose

    def values(self, order: OrderWeights) -> Array:
        """What each column counts in an order."""
        return np.array([float(number) for each in self.drawings for number in order.get(each, (0, 0))])

    def order(self, values: Array) -> OrderWeights:
        """The contrary of values(): whole numbers, those of which there is room for."""
        whole = np.clip(np.rint(values / UNIT), 0, MOST).astype(int).reshape(-1, 2)
        return {each: (int(mover), int(other)) for each, (mover, other) in zip(self.drawings, whole, strict=True)
                if mover or other}


def _reach(stones: dict[int, int], ray: tuple[int, ...], colour: int) -> str:
    """What a colour sees along a ray, as far as the first stone of the other one."""
    seen = ""
    for cell in ray:
        stone = stones.get(cell)
        if stone not in (None, colour):
            break
        seen += "." if stone is None else "X"
    return seen


def main(
    files: Annotated[list[Path], typer.Argument(help="Games, as workshop.gobang_games writes them.")],
    output: Annotated[Path, typer.Option(help="The file to write.")] = OUTPUT,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print the order.")] = False,
) -> None:
    """Learn the order, say how good it is, and write it."""
    try:
        games = [game for file in files for game in read(file)]
        screen, known = Console(stderr=True), Surroundings()
        shown = track(games, "replaying", console=screen, transient=True, disable=not screen.is_terminal)
        sample = sampled(shown, known)
        held_out = sample.games % HELD_OUT == 0
        if held_out.all() or not held_out.any():
            raise RunnerError(f"{len(games)} games are too few; play more of them")
        order = known.order(fit(sample.part(~held_out)))
        said = [f"{len(games)} games, {len(held_out)} positions, {held_out.sum()} of them held out"]
        for name, each in (("before", weights.order_weights(IN_A_ROW)), ("after", order)):
            said.append(f"{name}: {judge(known.values(each), sample.part(held_out))}")
        remarks = ["Made by workshop/gobang_order.py, which says how.", *said]
        text = "".join(line + "\n" for line in [*(f"# {remark}" for remark in remarks), *(
            f"{each} {mover} {other}" for each, (mover, other) in order.items())])
        print(text if dry_run else "\n".join(said), flush=True)
        if not dry_run:
            write_whole(output, text, "give another --output")
    except RunnerError as error:
        raise SystemExit(str(error)) from error


def sampled(games: Iterable[SelfPlay], known: Surroundings) -> Sample:
    """The positions of games where a search chose among cells; raises RunnerError where there are none."""
    columns: list[int] = []
    ends, first, chosen, numbers = [0], [], [], []
    for game in games:
        choices = zip(positions(game, EVERY_CELL), game.values, game.moves[game.opening:], strict=False)
        for ply, (position, value, move) in enumerate(choices, game.opening):
            if value is None or ply in game.strays:
                continue
            cells = position.moves()
            if len(cells) < 2 or move not in cells:
                continue
            stones = {cell: number % 2 for number, (cell, *_) in enumerate(position.history)}
            first.append(len(ends) - 1)
            chosen.append(len(ends) - 1 + cells.index(move))
            numbers.append(game.number)
            for cell in cells:
                columns += known.columns_of(stones, cell, position.side)
                ends.append(len(columns))
    if not first:
        raise RunnerError("there is no choice of a search in these games; play more of them")
    there = csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(ends) - 1, 2 * len(known.drawings)))
    return Sample(there, np.array(first), np.array(chosen), np.array(numbers))


def fit(sample: Sample) -> Array:
    """What each column shall count, in the logarithm of a share."""
    wanted = np.asarray(sample.there[sample.chosen].sum(axis=0)).ravel()
    asked = len(sample.first)

    def loss(guess: Array) -> tuple[float, Array]:
        logarithms, shares = _shares(sample, guess)
        slope = (sample.there.T @ shares - wanted) / asked + 2 * L2 * guess
        return -float(np.mean(logarithms)) + L2 * float(guess @ guess), slope

    best = minimize(loss, np.zeros(sample.there.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    if not best.success:
        raise RunnerError(f"the order was not found: {best.message}")
    found: Array = best.x
    return found


def _shares(sample: Sample, values: Array) -> tuple[Array, Array]:
    """The logarithm of each chosen move's share, and the shares of all candidates."""
    sums = sample.there @ values
    sizes = np.diff(np.append(sample.first, len(sums)))
    sums -= np.repeat(np.maximum.reduceat(sums, sample.first), sizes)
    powers = np.exp(sums)
    wholes = np.add.reduceat(powers, sample.first)
    return sums[sample.chosen] - np.log(wholes), powers / np.repeat(wholes, sizes)


def judge(values: Array, sample: Sample) -> str:
    """How often the chosen move is among the first, where of equal sums half come before it."""
    sums = sample.there @ values
    places = []
    for (start, end), chosen in zip(pairwise(np.append(sample.first, len(sums))), sample.chosen, strict=True):
        others = sums[start:end]
        places.append((others > sums[chosen]).sum() + ((others == sums[chosen]).sum() - 1) / 2)
    share = ", ".join(f"{np.mean(np.array(places) < place):.1%} of {place}" for place in PLACES)
    return f"place {np.mean(places) + 1:.2f}; among the first {share}"


if __name__ == "__main__":
    typer.run(main)
