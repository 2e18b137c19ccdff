"""Plays games of Black's proved win through the upload itself: the bundle, under Python 3.7 where there is one.

    python -m workshop.proof.paths [--games 4000] [--second h8a1] [--seed 1] [--seconds 120]

This program plays White. In every second game White's moves are random. In the other games White stays in the book as
long as possible and then answers every threat. A game fails if Black does not win, or if a Black move is not from the
proof.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from local_runner.processes.interpreters import find_python37
from submission.boards import BLACK, WHITE
from submission.k_in_a_row.book import CELLS, ProofBook, Stones, proof_book, stones_on, with_stone
from workshop.command import run
from workshop.gobang.five import Five
from workshop.proof.journal import ProofJournal
from workshop.proof.positions import IMAGES, MIDDLE, form_of, name_of, stones_of
from workshop.proof.tree import all_progress

BUNDLE = Path(__file__).resolve().parents[2] / "dist" / "submission.py"
HOST = Path(__file__).with_name("host.py")


class ProofGame(NamedTuple):
    """A finished game. fault: the position and the wrong move, or ""; slowest: CPU seconds of Black's slowest move."""

    stones: int
    slowest: float
    fault: str


class BundledBlack(AbstractContextManager["BundledBlack"]):
    """A process that answers as the bundle does. Args: python: path of the interpreter; bundle: path of the upload."""

    def __init__(self, python: str, bundle: Path = BUNDLE) -> None:
        self.process = subprocess.Popen(
            [python, str(HOST), str(bundle)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def reply(self, board: bytes) -> tuple[int, str, float]:
        """Black's cell, the source of the move, and the seconds of the call."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write("".join(map(str, board)) + "\n")
        self.process.stdin.flush()
        cell, source, seconds = self.process.stdout.readline().split()
        return int(cell), source, float(seconds)

    def __exit__(self, *exception: object) -> None:
        self.process.kill()
        self.process.communicate()


class White:
    """Chooses White's moves. Args: resists: stay in the book, then answer threats; else play on any free cell."""

    def __init__(self, book: ProofBook, resists: bool, rng: random.Random) -> None:
        self.book, self.resists, self.rng, self.five = book, resists, rng, Five()
        self.left = False  # whether the game has left the book

    def reply(self, board: bytes) -> int:
        """White's move: a free cell."""
        free = [cell for cell in range(CELLS) if not board[cell]]
        if not self.resists:
            return self.rng.choice(free)
        if not self.left:
            entries = [
                cell
                for cell in free
                if self.book.look_up(form_of(stones_on(with_stone(board, cell, WHITE)))) is not None
            ]
            if entries:
                return self.rng.choice(entries)
            self.left = True
        return self.rng.choice(self.five.threats(board).defences() or free)


def play(upload: Any, white: White, first: int) -> ProofGame:
    """Play one game. `upload`: answers as BundledBlack; `first`: White's first stone."""
    five, slowest = Five(), 0.0
    board = with_stone(with_stone(bytes(CELLS), MIDDLE, BLACK), first, WHITE)
    while True:
        move, source, seconds = upload.reply(board)
        slowest = max(slowest, seconds)
        if board[move] or source != "proof":
            return ProofGame(CELLS - board.count(0), slowest, f"{name_of(stones_on(board))}: {move} by {source}")
        board = with_stone(board, move, BLACK)
        if five.threats(board).five_of(BLACK):
            return ProofGame(CELLS - board.count(0), slowest, "")
        fives = five.threats(board).fives(WHITE)
        if fives:
            return ProofGame(CELLS - board.count(0), slowest, f"{name_of(stones_on(board))}: White makes five")
        board = with_stone(board, white.reply(board), WHITE)


def play_all(upload: Any, seconds_of: list[Stones], games: int, seed: int, limit: float) -> list[ProofGame]:
    """Play games with random and with resisting White in turn, until `limit` seconds have passed."""
    began, played = time.monotonic(), []
    for number in range(games):
        if time.monotonic() - began > limit:
            break
        rng = random.Random(f"{seed}-{number}")
        first = rng.choice(IMAGES)[rng.choice(seconds_of)[1][0]]
        played.append(play(upload, White(proof_book(), bool(number % 2), rng), first))
    return played


def closed_seconds() -> list[Stones]:
    """The second moves that the journal proves."""
    return [progress.second for progress in all_progress(ProofJournal()) if progress.closed]


def main(
    games: Annotated[int, typer.Option(min=1, help="Games; in every second one White resists.")] = 4000,
    second: Annotated[list[str] | None, typer.Option(help="Only this second move; may be repeated.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of White's moves.")] = 1,
    seconds: Annotated[float, typer.Option(help="Stop after so many seconds.")] = 120.0,
) -> None:
    """Play from the second moves that are closed."""
    python37 = find_python37()
    python = sys.executable if python37 is None else str(python37.path)
    starts = [form_of(stones_of(name)) for name in second] if second else closed_seconds()
    if not BUNDLE.exists() or not starts:
        raise SystemExit("first `make bundle`" if starts else "no second move is proved yet")
    with BundledBlack(python) as upload:
        played = play_all(upload, starts, games, seed, seconds)
    faults = [game.fault for game in played if game.fault]
    typer.echo(
        f"{len(played)} games, {len(faults)} faults; longest {max(game.stones for game in played)} stones; "
        f"slowest move {max(game.slowest for game in played):.2f} s"
    )
    for fault in faults[:20]:
        typer.echo(f"    {fault}")
    if faults:
        raise typer.Exit(1)


if __name__ == "__main__":
    run(main)
