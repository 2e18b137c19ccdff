"""Finds what the gobang evaluation is learnt from: positions in which searches ask for it, with what they are worth.

    python -m workshop.gobang_leaves FILE [--games N] [--nodes N] [--processes N]      see game_file.py

From every position of a game of gobang_games.py that is not decided, a search of some thousand nodes; of the positions
that it evaluates, LEAVES, one as likely as another; and of the quiet ones of these, what a search of their own says. So
the evaluation learns of positions in which somebody has played badly, too: games have few of them, trees are full.
"""
from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from submission.alphabeta import Search
from submission.clock import Deadline
from submission.evaluator import INFINITE
from submission.k_in_a_row.position import KInARowPosition
from workshop import game_file, gobang_games
from workshop.bench_positions import IN_A_ROW, SIZE

GAMES = 2000
NODES = 800                             # of the search that says what a leaf is worth
GAME_NODES = 600                        # a move
UNDECIDED = 700                         # positions of a game whose values are no larger
ROOT_NODES = (1500, 3000, 6000)         # are searched with one of these
LEAVES = 4
VCF_NODES = 60                          # a position is not quiet if a VCF of so many nodes wins


@dataclass(frozen=True)
class Leaves(game_file.SelfPlay):
    """Leaves of searches in the positions of a game.

    leaves: of each the moves, cells, row by row, from the empty board on
    values: of each what the search said, in the mover's view
    """

    leaves: list[list[int]]
    values: list[int]


class Watched(KInARowPosition):
    """A position that remembers some of those in which it was evaluated, one as likely as another."""

    def __init__(self, dice: random.Random) -> None:
        super().__init__(SIZE, SIZE, IN_A_ROW)
        self.dice = dice
        self.asked = 0
        self.kept: list[list[int]] = []

    def evaluate(self, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        """The value, or a bound, as ever."""
        self.asked += 1
        place = self.asked - 1 if self.asked <= LEAVES else self.dice.randrange(self.asked)
        if place < LEAVES:
            self.kept[place:place + 1] = [[cell for cell, *_ in self.history]]
        return super().evaluate(alpha, beta)


def main(
    file: Annotated[Path, typer.Argument(help="Where the leaves go; games that are there are not played again.")],
    games: Annotated[int, typer.Option(min=1, help="Of how many games the file shall hold leaves.")] = GAMES,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of the search that values a leaf.")] = NODES,
    processes: game_file.Processes = game_file.CORES,
) -> None:
    """Play games and value leaves of their searches until the file holds those of so many."""
    game_file.main(file, Leaves, found, games, nodes, processes)


def read(path: Path) -> list[Leaves]:
    """The leaves of a file, by the numbers of the games; see game_file.read."""
    return game_file.read(path, Leaves)


def found(number: int, nodes: int, game_nodes: int = GAME_NODES) -> Leaves:
    """The leaves of the game of that number."""
    dice = random.Random(f"leaves {number}")
    game = gobang_games.play(number, game_nodes)
    leaves, values = [], []
    for position, value in zip(gobang_games.positions(game), game.values, strict=False):
        if value is None or abs(value) > UNDECIDED:
            continue
        watched = Watched(dice)
        for cell, *_ in position.history:
            watched.play(cell)
        Search().think(watched, Deadline(None, dice.choice(ROOT_NODES)))
        for moves in watched.kept:
            leaf = played(moves)
            if is_quiet(leaf):
                thought = Search().think(leaf, Deadline(None, nodes))
                if thought.depth or thought.value:          # else there is but one move, which was not looked at
                    leaves.append(moves)
                    values.append(thought.value)
    return Leaves(number, nodes, leaves, values)


def played(moves: list[int]) -> KInARowPosition:
    """The position after these moves."""
    position = KInARowPosition(SIZE, SIZE, IN_A_ROW)
    for cell in moves:
        position.play(cell)
    return position


def is_quiet(position: KInARowPosition) -> bool:
    """Whether the evaluation is meant for it: nothing is decided, no five must be stopped, and no fours win."""
    return position.outcome() is None and not position.forced() and not position.threats.vcf(VCF_NODES).line


if __name__ == "__main__":
    typer.run(main)
