"""Plays games of Black's proved win through the upload itself: the bundle, under Python 3.7 where there is one.

    python -m workshop.proof.paths [--games 4000] [--second h8a1] [--seed 1] [--seconds 120]

This program plays White. In every second game White's moves are random. In the other games White stays in the book as
long as possible and then answers every threat. A game fails if Black does not win, or if a Black move is not from the
proof.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from local_runner.agents.spec import parse_agent
from local_runner.game.records import Reply
from local_runner.processes.child import AgentLimits
from local_runner.processes.interpreters import find_python37
from local_runner.processes.process import AgentProcess
from submission.boards import BLACK, WHITE
from submission.k_in_a_row.book import CELLS, SIZE, ProofBook, Stones, proof_book, stones_on, with_stone
from workshop.command import run
from workshop.gobang.five import FiveThreats
from workshop.gobang.positions import IMAGES, MIDDLE, form_after, form_of, name_of, second_moves, stones_of

BUNDLE = Path(__file__).resolve().parents[2] / "dist" / "submission.py"
OPTIONS = "seconds=20,off_turn_seconds=0"  # long, so that a busy machine does not cut a threat search short
MOST_SECONDS = 60.0  # time limit of a call

Answers = Callable[[bytes], Reply]  # Black's reply on a board of bytes: 0 free, 1 black, 2 white


class ProofGame(NamedTuple):
    """A finished game. fault: the position and the wrong move, or ""; slowest: CPU seconds of Black's slowest move."""

    stones: int
    slowest: float
    fault: str


@contextmanager
def bundled(bundle: Path = BUNDLE) -> Iterator[Answers]:
    """The upload's answers as Black, from a process of its own: under Python 3.7 where there is one."""
    python37 = find_python37()
    python = sys.executable if python37 is None else str(python37.path)
    spec, limits = parse_agent(f"{bundle}:{OPTIONS}"), AgentLimits(MOST_SECONDS)
    with (
        tempfile.TemporaryDirectory() as folder,
        AgentProcess(spec, Path(folder, "printed.txt"), limits, python=python) as agent,
    ):
        agent.start()

        def reply(board: bytes) -> Reply:
            rows = [[[stone] for stone in board[start : start + SIZE]] for start in range(0, CELLS, SIZE)]
            sizes = {"board_width": SIZE, "board_height": SIZE}
            return agent.act({"state_map": rows, "chess_player_idx": 1, **sizes}, SIZE, SIZE)

        yield reply


class White:
    """Chooses White's moves. Args: resists: stay in the book, then answer threats; else play on any free cell."""

    def __init__(self, book: ProofBook, resists: bool, rng: random.Random) -> None:
        self.book, self.resists, self.rng = book, resists, rng
        self.left = False  # whether the game has left the book

    def reply(self, board: bytes) -> int:
        """White's move: a free cell."""
        free = [cell for cell in range(CELLS) if not board[cell]]
        if not self.resists:
            return self.rng.choice(free)
        if not self.left:
            entries = [cell for cell in free if self.book.look_up(form_after(board, cell)) is not None]
            if entries:
                return self.rng.choice(entries)
            self.left = True
        return self.rng.choice(FiveThreats(board).defences() or free)


def play(black: Answers, white: White, first: int) -> ProofGame:
    """Play one game. `first`: White's first stone."""
    slowest = 0.0
    board = with_stone(with_stone(bytes(CELLS), MIDDLE, BLACK), first, WHITE)
    while True:
        reply = black(board)
        slowest, stones = max(slowest, reply.cpu), CELLS - board.count(0)
        move = None if reply.cell is None else reply.cell[0] * SIZE + reply.cell[1]
        source = (reply.thought or {}).get("source")
        if move is None or board[move] or source != "proof":
            return ProofGame(stones, slowest, f"{name_of(stones_on(board))}: {move} by {source or reply.fault}")
        board = with_stone(board, move, BLACK)
        seen = FiveThreats(board)
        if seen.five_of(BLACK):
            return ProofGame(stones + 1, slowest, "")
        if seen.fives(WHITE):
            return ProofGame(stones + 1, slowest, f"{name_of(stones_on(board))}: White makes five")
        board = with_stone(board, white.reply(board), WHITE)


def play_all(black: Answers, seconds_of: list[Stones], games: int, seed: int, limit: float) -> list[ProofGame]:
    """Play games with random and with resisting White in turn, until `limit` seconds have passed."""
    began, played = time.monotonic(), []
    for number in range(games):
        if time.monotonic() - began > limit:
            break
        rng = random.Random(f"{seed}-{number}")
        first = rng.choice(IMAGES)[rng.choice(seconds_of)[1][0]]
        played.append(play(black, White(proof_book(), bool(number % 2), rng), first))
    return played


def main(
    games: Annotated[int, typer.Option(min=1, help="Games; in every second one White resists.")] = 4000,
    second: Annotated[list[str] | None, typer.Option(help="Only this second move; may be repeated.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of White's moves.")] = 1,
    seconds: Annotated[float, typer.Option(help="Stop after so many seconds.")] = 120.0,
) -> None:
    """Play from these second moves; without --second, from all 35."""
    starts = [form_of(stones_of(name)) for name in second] if second else list(second_moves())
    if not BUNDLE.exists():
        raise SystemExit("first `make bundle`")
    with bundled() as black:
        played = play_all(black, starts, games, seed, seconds)
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
