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
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Annotated

import typer

from submission.boards import BLACK, WHITE
from submission.k_in_a_row.book import (
    CELLS,
    IN_A_ROW,
    SIZE,
    ProvedWin,
    Stones,
    canonical,
    proof_book,
    stones_on,
    with_stone,
)
from submission.k_in_a_row.position import KInARowPosition
from workshop import command
from workshop.gobang.five import FiveThreats
from workshop.gobang.positions import (
    IMAGES,
    MIDDLE,
    board_of,
    cells_in,
    cells_text,
    form_after,
    form_of,
    name_of,
    second_moves,
    stones_of,
)
from workshop.proof.gobang import Gobang
from workshop.proof.journal import BOOK, ProofJournal, Row, SecondMove, all_progress, write_book
from workshop.proof.search import ProofSearch
from workshop.proof.verify import CheckedEntry, Checker, checked_entries

ANSWERS = "h10j8"  # Black's usual second stones: one of them wins after nearly every second move that is far from h8
LINES = Path(__file__).resolve().parents[2] / "local_runner" / "formats" / "proof_lines.txt"
MOST = 40  # positions that are opened for one reply before the reply is put aside


def run(
    second: Annotated[list[str] | None, typer.Option(help="Only this second move, as h8m14; may be repeated.")] = None,
    move: Annotated[str | None, typer.Option(help="Only these answers of Black's, as h10 or h10j8.")] = None,
) -> None:
    """Prove the replies that are open."""
    prover = Prover(ProofJournal())
    for form in [form_of(stones_of(name)) for name in second] if second else second_moves():
        began = time.monotonic()
        known = [*prover.journal.rows.get(form, ()), *cells_in(ANSWERS)]  # the journal's answers first
        progress = prover.close(form, cells_in(move) if move else list(dict.fromkeys(known)))
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
    """Write the lines in which White resists longest, for `tengen proof`. Continues where it was stopped.

    White leaves the book after the entry below which the check found the longest game, and then delays the five as long
    as possible. A row is the second move, the number of entries after Black's answer, and the line from h8 on; second
    moves with most entries come first.
    """
    checker, rows = Checker(proof_book(), native=True), []
    with ProcessPoolExecutor(jobs) as pool:
        for second in second_moves():
            entries = checked_entries(second, True, pool)
            line = cells_text(hardest(second, entries, checker))
            rows.append((len(entries) - 1, f"{cells_text([second[1][0]])} {len(entries) - 1} {line}\n"))
            typer.echo(rows[-1][1], nl=False)
    LINES.write_text("".join(row for _, row in sorted(rows, key=lambda row: -row[0])), "ascii")


class Prover:
    """Proves the replies to second moves one by one. Winning moves become proposals for similar positions."""

    def __init__(self, journal: ProofJournal) -> None:
        self.journal, self.question = journal, Gobang(journal)
        self.search, self.tree = ProofSearch(self.question), self.question.tree
        for form in second_moves():
            for move in journal.rows.get(form, {}):
                for stones in self.tree.open_after(form, move):
                    self._learn(stones)

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


# ---- the lines in which White resists longest


def hardest(second: Stones, entries: dict[Stones, CheckedEntry], checker: Checker) -> list[int]:
    """The cells of the longest line after a second move, from h8 on. Args: entries: those of the second move."""
    paths = {second: [second]}
    for form, entry in entries.items():
        for child in entry.entries:
            paths.setdefault(child, [*paths[form], child])
    last = max(entries, key=lambda form: (entries[form].longest, len(paths[form])))
    return _whole_line(paths[last], checker)


def _whole_line(path: list[Stones], checker: Checker) -> list[int]:
    """The cells of a game through these entries to Black's five."""
    board = with_stone(board_of(((MIDDLE,), ())), path[0][1][0], WHITE)
    black, cells = ProvedWin(KInARowPosition(SIZE, SIZE, IN_A_ROW)), [MIDDLE, path[0][1][0]]
    for form in [*path[1:], None]:
        move = black.reply(board)
        assert move is not None
        board = with_stone(board, move, BLACK)
        free = [cell for cell in range(CELLS) if not board[cell]]
        after = {cell: form_after(board, cell) for cell in free}
        if form is None:
            left = [cell for cell in free if proof_book().look_up(after[cell]) is None]
            reply = max(left, key=lambda cell: checker.won_by_threats(after[cell]))
        else:
            reply = next(cell for cell in free if after[cell] == form)
        board = with_stone(board, reply, WHITE)
        cells += [move, reply]
    form, image = canonical(stones_on(board), IMAGES)
    return cells + [image.index(cell) for cell in _end(board_of(form), checker)]


def _end(board: bytes, checker: Checker) -> list[int]:
    """The cells from a position on that the threat search wins. White delays the five as long as possible."""
    cells, boards = list[int](), [board]
    while True:
        move = checker.memory_after(tuple(boards[:-1])).reply(board)
        assert move is not None
        board = with_stone(board, move, BLACK)
        cells.append(move)
        seen = FiveThreats(board)
        if seen.five_of(BLACK):
            return cells
        doubles = [cell for cell, ends in seen.fours(BLACK).items() if len(ends) > 1]
        after = {cell: (*boards, with_stone(board, cell, WHITE))
                 for cell in seen.defences() or sorted(seen.fives(BLACK)) or doubles}  # fmt: skip
        reply = next(iter(after))
        if len(after) > 1:
            reply = max(
                after, key=lambda cell: checker.stones_at_five(checker.memory_after(tuple(boards)), after[cell])
            )
        boards, board = list(after[reply]), after[reply][-1]
        cells.append(reply)


if __name__ == "__main__":
    command.run(run, status, export, lines)
