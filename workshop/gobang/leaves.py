"""Collects the training positions of the gobang evaluation: leaves of search trees, each with the value of a search.

    python -m workshop.gobang.leaves FILE [--games N] [--nodes N] [--jobs N]

FILE is described in game_file.py. docs/developers/engine/11-learning.md describes how leaves are drawn and valued.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from submission.native.search import NativeSearch
from submission.search.clock import Deadline
from workshop import game_file
from workshop.command import CORES, GameFile, Games, Jobs, run
from workshop.gobang import games as gobang_games
from workshop.gobang.games import searched_position

GAMES = 2000
NODES = 800  # nodes of the search that values a leaf
GAME_NODES = 600  # nodes per move of the game
UNDECIDED = 700  # largest absolute value of a position that is searched
ROOT_NODES = (1500, 3000, 6000)  # node limits of the search whose leaves are drawn; one is chosen at random
LEAVES = 8  # leaves drawn from one search
VCF_NODES = 60  # nodes of threat search: a position with a VCF found within this limit is not quiet


@dataclass(frozen=True)
class GameLeaves(game_file.NumberedResult):
    """Leaves of the searches in one game.

    nodes: 0 if another engine has valued the positions
    leaves: for each leaf, the moves (cells) from the empty board
    values: the search value of each leaf, for the side to move
    """

    leaves: list[list[int]]
    values: list[int]


def main(
    file: GameFile,
    games: Games = GAMES,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of the search that values a leaf.")] = NODES,
    jobs: Jobs = CORES,
) -> None:
    """Collect leaves until the file holds the leaves of the wanted number of games."""
    game_file.fill(file, GameLeaves, collect_leaves, games, nodes, jobs)


def collect_leaves(number: int, nodes: int, game_nodes: int = GAME_NODES) -> GameLeaves:
    """Play the game with this number. Draw leaves of its searches, and search their values."""
    rng = random.Random(f"leaves {number}")
    game = gobang_games.play(number, game_nodes)
    leaves, values = [], []
    for position, value in zip(gobang_games.positions(game), game.values, strict=False):
        if value is None or abs(value) > UNDECIDED:
            continue
        for moves in draw_leaves([cell for cell, *_ in position.history], rng.choice(ROOT_NODES), rng):
            leaf = searched_position(moves)
            if is_quiet(leaf):
                thought = NativeSearch().think(leaf, Deadline(None, nodes))
                if thought.depth or thought.value:  # otherwise there is only one move, and nothing was searched
                    leaves.append(moves)
                    values.append(thought.value)
    return GameLeaves(number, nodes, leaves, values)


def draw_leaves(moves: list[int], nodes: int, rng: random.Random) -> list[list[int]]:
    """The moves to LEAVES positions: a random sample of the positions that a search evaluates.

    The search runs twice: first to count its evaluations, then to record the sampled positions.
    """
    position = searched_position(moves)
    position.want_leaves([])
    NativeSearch().think(position, Deadline(None, nodes))
    numbers = rng.sample(range(position.evaluations), min(LEAVES, position.evaluations))
    position = searched_position(moves)
    position.want_leaves(sorted(numbers))
    NativeSearch().think(position, Deadline(None, nodes))
    leaves: list[list[int]] = position.leaves()
    return leaves


def is_quiet(position: Any) -> bool:
    """Whether the game is undecided, the mover need not stop a five, and the mover has no VCF within VCF_NODES."""
    return position.outcome() is None and not position.forced() and not position.threats.vcf(VCF_NODES).line


if __name__ == "__main__":
    run(main)
