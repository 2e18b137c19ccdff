"""Measures White's replies in the opening of gobang: how often White wins after them against a Black that is weaker.

    python -m workshop.gobang.white_replies FILE [--after h8] [--games 700] [--share 20] [--drawn 3] [--jobs N]

The empty board is lost for White, so against a Black that errs the best reply is the one that is hardest to answer.
After h8 all 35 replies are played in turn, after more moves the best --replies of a search. Then White searches --nodes
a move, and Black one part in --share of them; Black's next --drawn moves are drawn from its best three. Nobody uses a
book or the proof. FILE is described in game_file.py. Prints White's points for each reply, the best first.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from math import sqrt
from statistics import fmean
from typing import Annotated

import typer

from local_runner.errors import RunnerError
from submission.lines import WHITE
from submission.search.clock import Limits
from workshop import game_file
from workshop.command import CORES, GameFile, Games, Jobs, MoveNodes, run
from workshop.proof.black_games import board_after, engines, play_on
from workshop.proof.positions import MIDDLE, cells_in, cells_text, second_moves

NODES = 40_000  # White's; what the upload searches in 0.8 s under Python 3.7 (docs/measurements.md)
BEST = 3
CHOICE_NODES = 1_000_000  # of the search that chooses the replies


@dataclass(frozen=True)
class WhiteGame(game_file.NumberedResult):
    """A finished game.

    share, drawn: as in the command; reply: the cell that is measured
    moves: cells, from the empty board; points: White's, 1, 0.5 or 0
    """

    share: int
    drawn: int
    reply: int
    moves: list[int]
    points: float


def main(
    file: GameFile,
    after: Annotated[str, typer.Option(help="The moves so far, Black's last.")] = "h8",
    replies: Annotated[int, typer.Option(min=1, help="Number of replies after more moves than h8.")] = 8,
    only: Annotated[str, typer.Option(help="Only these replies, as g7h7.")] = "",
    games: Games = 700,
    nodes: MoveNodes = NODES,
    share: Annotated[int, typer.Option(min=1, help="White's nodes as a multiple of Black's.")] = 20,
    drawn: Annotated[int, typer.Option(min=0, help="Black's moves that are drawn from its best three.")] = 3,
    jobs: Jobs = CORES,
) -> None:
    """Play until the file holds the wanted number of games, and print White's points for each reply."""
    before = cells_in(after)
    if len(before) % 2 == 0:
        raise RunnerError("the last move of --after must be Black's")
    measured = cells_in(only) or candidates(before, replies)
    played = partial(play, share=share, drawn=drawn, before=before, replies=measured)
    game_file.run_command(file, WhiteGame, played, games, nodes, jobs)
    for line in summary(game_file.read(file, WhiteGame)):
        typer.echo(line)


def candidates(before: list[int], number: int) -> list[int]:
    """White's replies to be measured."""
    if before == [MIDDLE]:
        return [white[0] for _black, white in second_moves()]
    engine, _ = engines()
    engine.new_game()
    engine.set_up(board_after(before), WHITE)
    return [thought.move for thought in engine.analyse(Limits(nodes=CHOICE_NODES), number)]


def play(number: int, nodes: int, share: int, drawn: int, before: list[int], replies: list[int]) -> WhiteGame:
    """Play the game of a number."""
    dice = random.Random(f"white {number}")
    black, white = engines()
    reply = replies[number % len(replies)]
    moves = [*before, reply]

    def choose(side: int) -> int:
        if side == WHITE:
            return white.analyse(Limits(nodes=nodes), 1)[0].move
        lines = BEST if len(moves) < len(before) + 2 * drawn else 1
        return dice.choice(black.analyse(Limits(nodes=nodes // share), lines)).move

    won = play_on(moves, choose)
    return WhiteGame(number, nodes, share, drawn, reply, moves, 0.5 if won is None else float(won == WHITE))


def summary(games: list[WhiteGame]) -> list[str]:
    """A line for each reply: White's points with their standard error, and the mean length of lost games."""
    of = defaultdict[int, list[WhiteGame]](list)
    for game in games:
        of[game.reply].append(game)
    rows = []
    for reply, played in of.items():
        points = fmean(game.points for game in played)
        error = sqrt(points * (1 - points) / len(played))
        stones = f"{fmean(lost):.0f}" if (lost := [len(game.moves) for game in played if not game.points]) else "-"
        name = cells_text([reply])
        rows.append((points, f"{name:4} {points:6.1%} ± {error:.1%} of {len(played)}, lost after {stones} stones"))
    return [row for _points, row in sorted(rows, reverse=True)]


if __name__ == "__main__":
    run(main)
