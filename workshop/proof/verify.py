"""Checks Black's proved win: plays every White reply against the upload's answers, until five stand in a row.

    python -m workshop.proof.verify [--second h8m14] [--native] [--jobs N]

The check uses neither the prover nor its journal. Black's moves come from the upload's own decision: the entries of its
book, and after them ThreatWin of submission/k_in_a_row/book.py. The rules are naive: five of one colour in a window of
five cells. The upload makes a five, or two threats of five at once, where it can; tests/workshop/proof tests this. So
most replies are settled without a search. --native uses the compiled threat search, which is ten times as fast. A file
keeps the checked entries, so a stopped check continues. The exit status is 0 if every position is proved.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from submission.boards import BLACK, WHITE
from submission.k_in_a_row.book import CELLS, IN_A_ROW, SIZE, ProofBook, Stones, ThreatWin, proof_book, with_stone
from submission.k_in_a_row.position import KInARowPosition
from submission.native.k_in_a_row import NativePosition
from workshop.command import CORES, Jobs, run
from workshop.gobang.five import FiveThreats
from workshop.gobang.positions import board_of, form_after, form_of, name_of, second_moves, stones_of

CHECKED = Path("build/proof_checked.txt")
SAME_IMAGE = list(range(CELLS))


class CheckedEntry(NamedTuple):
    """The result of checking one entry: its move, and each reply of White down to the next entries.

    entries: the next entries; wins: number of positions that the threat search wins; longest: most stones on the board
    at Black's five; unproved: positions with Black to move where no win is found or White has made five
    """

    entries: list[Stones]
    wins: int
    longest: int
    unproved: list[Stones]


class Checker:
    """Checks entries. Args: book: Black's entries; native: use the compiled threat search."""

    def __init__(self, book: ProofBook, native: bool) -> None:
        self.book, self.native = book, native
        self.position = (NativePosition if native else KInARowPosition)(SIZE, SIZE, IN_A_ROW)
        self.seen: dict[Stones, int] = {}  # won_by_threats() of the positions already searched

    def check_entry(self, form: Stones) -> CheckedEntry:
        """Check an entry: play its move, then each reply of White."""
        board, move = board_of(form), self.book.look_up(form)
        if move is None or board[move]:
            return CheckedEntry([], 0, 0, [form])
        after = with_stone(board, move, BLACK)
        entries: dict[Stones, None] = {}
        wins: dict[Stones, int] = {}
        unproved: list[Stones] = []
        white = FiveThreats(after).fives(WHITE)
        for reply in range(CELLS):
            if after[reply]:
                continue
            stones = form_after(after, reply)
            if reply in white:
                unproved.append(stones)
            elif self.book.look_up(stones) is not None:
                entries[stones] = None
            elif stones not in wins:
                wins[stones] = self.won_by_threats(stones)
                if not wins[stones]:
                    unproved.append(stones)
        return CheckedEntry(list(entries), len(wins), max(wins.values(), default=0), unproved)

    def won_by_threats(self, form: Stones) -> int:
        """The most stones on the board at the five, if the upload's threat search wins against all replies; else 0."""
        if form not in self.seen:
            self.seen[form] = self.stones_at_five(self.memory_after(()), (board_of(form),))
        return self.seen[form]

    def memory_after(self, boards: tuple[bytes, ...]) -> ThreatWin:
        """The upload's memory after a game with these boards, each with Black to move."""
        win = ThreatWin(SAME_IMAGE, self.position)
        for board in boards:
            win.reply(board)
        return win

    def stones_at_five(self, win: ThreatWin, boards: tuple[bytes, ...]) -> int:
        """As won_by_threats, for Black to move on the last of these boards.

        In a real game, the upload's memory depends on the boards of that game only. A search after another reply of
        White's adds to the memory, so the memory is then rebuilt.
        """
        board = boards[-1]
        move = win.reply(board)
        if move is None or board[move]:
            return 0
        board = with_stone(board, move, BLACK)
        seen = FiveThreats(board)
        if seen.five_of(BLACK):
            return CELLS - board.count(0)
        if seen.fives(WHITE):
            return 0
        # If White overlooks the threat, Black's five takes 2 or 4 more stones.
        longest = CELLS - board.count(0) + (2 if seen.fives(BLACK) else 4)
        line, expected, nodes = win.line, win.expected, win.nodes
        for reply in seen.defences():
            if win.nodes != nodes:
                win = self.memory_after(boards)
                nodes = win.nodes
            win.line, win.expected = line, expected
            stones = self.stones_at_five(win, (*boards, with_stone(board, reply, WHITE)))
            if not stones:
                return 0
            longest = max(longest, stones)
        return longest


def check(second: Stones, native: bool, pool: ProcessPoolExecutor, used: set[Stones]) -> bool:
    """Check all entries of a second move, and add these entries to `used`. Returns whether Black always wins."""
    found = checked_entries(second, native, pool)
    used |= set(found)
    unproved = [position for entry in found.values() for position in entry.unproved]
    typer.echo(
        f"{name_of(second)}: {len(found)} entries, {sum(entry.wins for entry in found.values())} wins by threats below "
        f"them, longest game {max(entry.longest for entry in found.values())} stones, {len(unproved)} unproved"
    )
    for position in unproved[:20]:
        typer.echo(f"    unproved: {name_of(position)}")
    return not unproved


def checked_entries(second: Stones, native: bool, pool: ProcessPoolExecutor) -> dict[Stones, CheckedEntry]:
    """Check the entries of a second move, nearest first. CHECKED keeps the entries with a complete proof."""
    done, found = read_checked(CHECKED, native), dict[Stones, CheckedEntry]()
    level = [second]
    with open(CHECKED, "a", encoding="ascii", buffering=1) as rows:
        while level:
            missing = [form for form in level if form not in done]
            for form, result in zip(missing, pool.map(_check_entry, missing, [native] * len(missing)), strict=True):
                done[form] = result
                if not result.unproved:
                    rows.write(format_row(form, native, result))
            found |= {form: done[form] for form in level}
            level = sorted({child for form in level for child in done[form].entries} - found.keys())
    return found


def read_checked(file: Path, native: bool) -> dict[Stones, CheckedEntry]:
    """The entries that were checked before, by this kind of check and with this book."""
    file.parent.mkdir(parents=True, exist_ok=True)
    done = {}
    for line in file.read_text("ascii").splitlines(keepends=True) if file.exists() else ():
        if line.endswith(f" {_mark(native)}\n"):
            name, wins, longest, *entries, _ = line.split()
            done[stones_of(name)] = CheckedEntry([stones_of(entry) for entry in entries], int(wins), int(longest), [])
    return done


def main(
    second: Annotated[list[str] | None, typer.Option(help="Only this second move, as h8m14; may be repeated.")] = None,
    native: Annotated[bool, typer.Option("--native", help="Ask the compiled mirror of the decision.")] = False,
    jobs: Jobs = CORES,
) -> None:
    """Check the second moves; without --second, all 35."""
    seconds: Iterable[Stones] = [form_of(stones_of(name)) for name in second] if second else second_moves()
    used: set[Stones] = set()
    with ProcessPoolExecutor(jobs) as pool:
        closed = [check(form, native, pool, used) for form in seconds]
    typer.echo(f"second moves closed: {sum(closed)} of {len(closed)}")
    if not second:
        typer.echo(f"entries never used: {len(proof_book().entries) - len(used)} of {len(proof_book().entries)}")
    if not all(closed):
        raise typer.Exit(1)


@cache
def _checker(native: bool) -> Checker:
    """The checker of this process."""
    return Checker(proof_book(), native)


def _check_entry(form: Stones, native: bool) -> CheckedEntry:
    return _checker(native).check_entry(form)


def format_row(form: Stones, native: bool, result: CheckedEntry) -> str:
    entries = "".join(f"{name_of(entry)} " for entry in result.entries)
    return f"{name_of(form)} {result.wins} {result.longest} {entries}{_mark(native)}\n"


@cache
def _mark(native: bool) -> str:
    """The book and the kind of check, as a text. The result of a check depends on both."""
    return f"{'native' if native else 'python'}-{zlib.crc32(proof_book().entries.tobytes()):08x}"


if __name__ == "__main__":
    run(main)
