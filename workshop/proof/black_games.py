"""Plays our Black against the compiled engine as White, from the empty board: how often the proof is enough.

    python -m workshop.proof.black_games FILE [--games 500] [--times 10] [--drawn 200] [--jobs N]

Black is the upload's decision: proved win, opening book, else a search of --nodes, what the upload makes in its time on
the site. White searches --times as many nodes, and each of its first --drawn moves is drawn from the best five.
FILE is described in game_file.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Annotated

import typer

from submission.engine import Engine
from submission.k_in_a_row.proved import CELLS, with_stone
from submission.lines import BLACK, WHITE
from submission.search.clock import Limits
from submission.variant import K_IN_A_ROW, Variant
from workshop import game_file
from workshop.command import CORES, GameFile, Games, Jobs, MoveNodes, run
from workshop.gobang.five import Five
from workshop.gobang.game import IN_A_ROW, SIZE
from workshop.native.search import native_engine_for
from workshop.proof.positions import board_of

NODES = 40_000  # Black's; what the upload searches in 0.8 s under Python 3.7 (docs/measurements.md)
BEST = 5
RESULTS = {1: "Black wins", -1: "White wins", 0: "draws"}


@dataclass(frozen=True)
class BlackGame(game_file.NumberedResult):
    """A finished game.

    times: White's nodes per move as a multiple of Black's; drawn: White's moves drawn from its best five
    moves: cells, from the empty board; winner: 1 Black, -1 White, 0 a draw
    searched: Black's moves after its first that were not from the proof
    """

    times: int
    drawn: int
    moves: list[int]
    winner: int
    searched: int


def main(
    file: GameFile,
    games: Games = 500,
    nodes: MoveNodes = NODES,
    times: Annotated[int, typer.Option(min=1, help="White's nodes as a multiple of Black's.")] = 10,
    drawn: Annotated[int, typer.Option(min=0, help="Moves of White's that are drawn from its best five.")] = CELLS,
    jobs: Jobs = CORES,
) -> None:
    """Play until the file holds the wanted number of games, and print what came out."""
    game_file.run_command(file, BlackGame, partial(play, times=times, drawn=drawn), games, nodes, jobs)
    for line in summary(game_file.read(file, BlackGame)):
        typer.echo(line)


def play(number: int, nodes: int, times: int, drawn: int) -> BlackGame:
    """Play the game of a number."""
    dice = random.Random(f"black {number}")
    black, white = engines()
    moves: list[int] = []
    searched = 0

    def choose(side: int) -> int:
        nonlocal searched
        if side == WHITE:
            lines = BEST if len(moves) // 2 < drawn else 1
            return dice.choice(white.analyse(Limits(nodes=times * nodes), lines)).move
        thought = black.think(Limits(nodes=nodes))
        searched += len(moves) > 1 and thought.source != "proof"
        return thought.move

    won = play_on(moves, choose)
    winner = 0 if won is None else 1 if won == BLACK else -1
    return BlackGame(number, nodes, times, drawn, moves, winner, searched)


def play_on(moves: list[int], choose: Callable[[int], int]) -> int | None:
    """Play on after these moves, and add what is played to them. Returns the side that won, None for a draw.

    Args: choose: the move of a side; both engines() stand at the position
    """
    five, both = Five(), engines()
    for engine in both:
        engine.new_game()
        engine.set_up(board_after(moves), len(moves) % 2)
    while len(moves) < CELLS:
        side = len(moves) % 2
        moves.append(choose(side))
        for engine in both:
            engine.set_up(with_stone(engine.stones, moves[-1], side), 1 - side)
        if five.look(both[WHITE].stones).five_of(side):
            return side
    return None


def board_after(moves: list[int]) -> bytes:
    """The board after moves from the empty one."""
    return board_of((tuple(moves[::2]), tuple(moves[1::2])))


def summary(games: list[BlackGame]) -> list[str]:
    """What came out, in sentences."""
    winners = [game.winner for game in games]
    proved = [game for game in games if not game.searched]
    counts = ", ".join(f"{word} {winners.count(winner)}" for winner, word in RESULTS.items())
    lost = sum(game.winner < 1 for game in proved)
    return [
        f"{counts}, of {len(games)}; longest {max(len(game.moves) for game in games)} stones",
        f"inside the proof from start to end: {len(proved)}, not won {lost}",
    ]


@lru_cache(maxsize=1)
def engines() -> tuple[Engine, Engine]:
    """The compiled engines of Black and of White, made once."""
    variant = Variant(K_IN_A_ROW, SIZE, SIZE, IN_A_ROW)
    return native_engine_for(variant), native_engine_for(variant)


if __name__ == "__main__":
    run(main)
