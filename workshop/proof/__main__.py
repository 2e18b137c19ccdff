"""The proof that Black wins gobang: search for it, show its progress, write the upload's book.

    python -m workshop.proof run [--second h8m14]         continues where it was stopped
    python -m workshop.proof status
    python -m workshop.proof export                       write the book
    python -m workshop.proof lines                        write the lines that `tengen proof` shows; takes about an hour

After each second move of White, each of White's next replies is one question for a proof-number search. A C++ compiler
is needed. See docs/en/explanation/proof.md.
"""

from __future__ import annotations

import time
from typing import Annotated

import typer

from submission.k_in_a_row.book import Stones
from workshop import command
from workshop.proof.gobang import Gobang
from workshop.proof.journal import ProofJournal, Row
from workshop.proof.lines import write_lines
from workshop.proof.positions import cells_in, cells_text, form_of, name_of, second_moves, stones_of
from workshop.proof.search import ProofSearch
from workshop.proof.tree import BOOK, SecondMove, all_progress, write_book

ANSWERS = "h10j8"  # Black's usual second stones: one of them wins after nearly every second move that is far from h8
MOST = 40  # positions that are opened for one reply before the reply is put aside


def run(
    second: Annotated[list[str] | None, typer.Option(help="Only this second move, as h8m14; may be repeated.")] = None,
    move: Annotated[str | None, typer.Option(help="Only these answers of Black's, as h10 or h10j8.")] = None,
) -> None:
    """Prove the replies that are open."""
    prover = Prover(ProofJournal())
    for form in [form_of(stones_of(name)) for name in second] if second else second_moves():
        began = time.monotonic()
        progress = prover.close(form, cells_in(move) if move else prover.answers(form))
        typer.echo(f"{_row(progress)}   {time.monotonic() - began:.0f} s")


def status(open_positions: Annotated[bool, typer.Option("--open")] = False) -> None:
    """Show the progress of each second move; with --open also the replies that are left."""
    rows = all_progress(ProofJournal())
    for row in rows:
        typer.echo(_row(row))
        for stones in row.open if open_positions else ():
            typer.echo(f"    {name_of(stones)}")
    typer.echo(
        f"second moves closed: {sum(row.closed for row in rows)} of {len(rows)}; "
        f"replies won: {sum(row.won for row in rows)} of {sum(row.replies for row in rows)} begun"
    )


def export() -> None:
    """Write the upload's book from the journal."""
    typer.echo(f"{write_book(ProofJournal())} entries, {BOOK.stat().st_size / 1000:.0f} kB")


def lines(jobs: command.Jobs = command.CORES) -> None:
    """Write the lines in which White resists longest, for `tengen proof`. Continues where it was stopped."""
    write_lines(jobs)


class Prover:
    """Proves the replies to second moves one by one. Winning moves become proposals for similar positions."""

    def __init__(self, journal: ProofJournal) -> None:
        self.journal, self.question = journal, Gobang(journal)
        self.search, self.tree = ProofSearch(self.question), self.question.tree
        for form in second_moves():
            for move in journal.rows.get(form, {}):
                for stones in self.tree.open_after(form, move):
                    self._learn(stones)

    def answers(self, second: Stones) -> list[int]:
        """Black's answers to try after a second move: the journal's answers, then ANSWERS."""
        return list(dict.fromkeys([*self.journal.rows.get(second, ()), *cells_in(ANSWERS)]))

    def close(self, second: Stones, answers: list[int]) -> SecondMove:
        """Prove the replies to each answer to a second move, until one answer wins against all replies."""
        for move in answers:
            if self.tree.progress(second).closed:
                break
            if move not in self.journal.rows.get(second, {}):
                self.journal.add(Row(second, move, self.question.sweep(second, move)))
            for stones in self.tree.open_after(second, move):
                if self.tree.winning_move(stones) is None and self.search.prove(stones, MOST):
                    self.tree.forget_open()
                    self._learn(stones)
            self.tree.forget_open()
        return self.tree.progress(second)

    def _learn(self, stones: Stones) -> None:
        for form, move in self.tree.entries(stones).items():
            self.question.proposals.learn(form, move)


def _row(progress: SecondMove) -> str:
    move = "?" if progress.move is None else cells_text([progress.move])
    state = "closed" if progress.closed else f"{len(progress.open)} open" if progress.move is not None else "not begun"
    return (
        f"{name_of(progress.second):8} {move:4} {progress.won:3} of {progress.replies:3} replies won, "
        f"{progress.entries:5} entries   {state}"
    )


if __name__ == "__main__":
    command.run(run, status, export, lines)
