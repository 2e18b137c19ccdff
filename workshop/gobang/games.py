"""Plays gobang games of the engine against itself, from which the move order and the evaluation are learnt.

    python -m workshop.gobang.games FILE [--games N] [--nodes N] [--width N] [--jobs N]

FILE is described in game_file.py. Openings are random, and so are a few early moves. A game ends when it is decided or
when the search finds a forced win. Searches are those of the compiled engine, which returns the values of the Python
engine in a thirtieth of the time (docs/developers/engine/12-compiled-engine.md). A cell is an int: row * SIZE + column.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Annotated

import typer

from local_runner.game.setup import GameSetup
from local_runner.matches.openings.deal import random_opening
from submission.k_in_a_row.book import IN_A_ROW, SIZE
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.weights import Weights
from submission.native.k_in_a_row import NativePosition
from submission.native.search import NativeSearch
from submission.search.clock import Deadline
from submission.search.searchable import PROVED_WIN
from workshop import game_file
from workshop.command import CORES, GameFile, Games, Jobs, MoveNodes, run

GAMES = 1000
NODES = 3000  # nodes per move
OPENING_PLIES = (3, 8)  # fewest and most
RANDOM_SHARE = 0.08  # share of random moves while the board holds fewer than RANDOM_STONES stones
RANDOM_STONES = 14  # see RANDOM_SHARE
RANDOM_AMONG = 6  # a random move is one of the first six candidates in the move order


@dataclass(frozen=True)
class GobangSelfPlay(game_file.NumberedResult):
    """A finished game.

    opening: number of plies of the random opening
    moves: cells, from the empty board
    values: the search value of each position after the opening, for the side to move. None: the search did not complete
            depth 1, for example because there was only one reply. If a search found a forced win, the game ended there,
            and the last value has no move
    random_plies: indices in `moves` of the random moves after the opening
    """

    opening: int
    moves: list[int]
    values: list[int | None]
    random_plies: list[int]


def main(
    file: GameFile,
    games: Games = GAMES,
    nodes: MoveNodes = NODES,
    width: Annotated[int | None, typer.Option(min=1, help="Candidate moves in a quiet position.")] = None,
    jobs: Jobs = CORES,
) -> None:
    """Play the engine against itself until the file holds the wanted number of games."""
    game_file.fill(file, GobangSelfPlay, partial(play, width=width), games, nodes, jobs)


def play(number: int, nodes: int, width: int | None = None) -> GobangSelfPlay:
    """Play the game with this number, the seed of its random moves.

    `width`: candidate moves in a quiet position; None: the engine's default.
    """
    seed = f"self-play {number}"
    rng = random.Random(seed)
    opened = random_opening(GameSetup("gobang_1v1"), rng.randint(*OPENING_PLIES), seed)
    moves = [row * SIZE + col for row, col in opened]
    opening = len(moves)
    parameters = None if width is None else KInARowParameters(root_candidates=width, candidates=(width,))
    position = searched_position(moves, parameters)
    searches = NativeSearch(), NativeSearch()
    values: list[int | None] = []
    random_plies: list[int] = []
    while position.outcome() is None:
        thought = searches[position.side].think(position, Deadline(None, nodes))
        cell = thought.move
        if abs(thought.value) > PROVED_WIN:
            values.append(thought.value)
            break
        values.append(thought.value if thought.depth else None)
        if len(moves) < RANDOM_STONES and rng.random() < RANDOM_SHARE:
            cell = rng.choice(position.moves()[:RANDOM_AMONG])
            random_plies.append(len(moves))
        position.play(cell)
        moves.append(cell)
    return GobangSelfPlay(number, nodes, opening, moves, values, random_plies)


def positions(game: GobangSelfPlay, parameters: KInARowParameters | None = None) -> Iterator[KInARowPosition]:
    """Yield the position after the opening and after each later move: always the same object, changed in place."""
    position = position_after(game.moves[: game.opening], parameters)
    yield position
    for cell in game.moves[game.opening :]:
        position.play(cell)
        yield position


# ---- positions


def position_after(
    cells: Iterable[int], parameters: KInARowParameters | None = None, weights: Weights | None = None
) -> KInARowPosition:
    """The position after moves from the empty board."""
    position = KInARowPosition(SIZE, SIZE, IN_A_ROW, parameters, weights)
    for cell in cells:
        position.play(cell)
    return position


def searched_position(cells: Iterable[int], parameters: KInARowParameters | None = None) -> NativePosition:
    """The position after moves from the empty board, for a NativeSearch, without stored results of threat searches.

    Calls with the same parameters return the same object: the next call changes it.
    """
    position = _kept(parameters)
    position.set_up(bytes(SIZE * SIZE), 0)
    position.threats.forget()
    for cell in cells:
        position.play(cell)
    return position


@lru_cache(maxsize=4)
def _kept(parameters: KInARowParameters | None) -> NativePosition:
    """A compiled position, cached because its line tables are filled on demand and worth keeping."""
    return NativePosition(SIZE, SIZE, IN_A_ROW, parameters)


if __name__ == "__main__":
    run(main)
