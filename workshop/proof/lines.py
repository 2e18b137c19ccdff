"""Writes local_runner/formats/proof_lines.txt: for each second move of White, the line in which White resists longest.

White leaves the book after the entry below which the check found the longest game, and then delays the five as long as
possible. A row is the second move, the number of entries after Black's answer, and the line from h8 on.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import typer

from submission.k_in_a_row.book import IN_A_ROW, SIZE, Stones, canonical, stones_on
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.proved import CELLS, ProvedWin, proof_book, with_stone
from submission.lines import BLACK, WHITE
from workshop.proof.positions import IMAGES, MIDDLE, board_of, cells_text, second_moves
from workshop.proof.verify import CheckedEntry, Checker, checked_entries

FILE = Path(__file__).resolve().parents[2] / "local_runner" / "formats" / "proof_lines.txt"


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
        after = {cell: canonical(stones_on(with_stone(board, cell, WHITE)), IMAGES) for cell in free}
        if form is None:
            reply = max(
                free, key=lambda cell: 0 if _in_book(after[cell][0]) else checker.won_by_threats(after[cell][0])
            )
        else:
            reply = next(cell for cell in free if after[cell][0] == form)
        board = with_stone(board, reply, WHITE)
        cells += [move, reply]
    form, image = after[reply]
    return cells + [image.index(cell) for cell in _end(board_of(form), checker)]


def _in_book(form: Stones) -> bool:
    return proof_book().look_up(form) is not None


def _end(board: bytes, checker: Checker) -> list[int]:
    """The cells from a position on that the threat search wins. White delays the five as long as possible."""
    cells, boards = list[int](), [board]
    while True:
        move = checker.memory_after(tuple(boards[:-1])).reply(board)
        assert move is not None
        board = with_stone(board, move, BLACK)
        cells.append(move)
        seen = checker.five.threats(board)
        if seen.five_of(BLACK):
            return cells
        replies = seen.defences() or sorted(seen.fives(BLACK)) or [
            cell for cell, ends in seen.fours(BLACK).items() if len(ends) > 1
        ]  # fmt: skip
        after = {cell: (*boards, with_stone(board, cell, WHITE)) for cell in replies}
        reply = replies[0]
        if len(replies) > 1:
            reply = max(
                replies, key=lambda cell: checker.stones_at_five(checker.memory_after(tuple(boards)), after[cell])
            )
        boards, board = list(after[reply]), after[reply][-1]
        cells.append(reply)


def write_lines(jobs: int) -> None:
    """Write the lines of all second moves, those with most entries first. Entries in CHECKED are not checked again."""
    checker, rows = Checker(proof_book(), native=True), []
    with ProcessPoolExecutor(jobs) as pool:
        for second in second_moves():
            entries = checked_entries(second, True, pool)
            line = cells_text(hardest(second, entries, checker))
            rows.append((len(entries) - 1, f"{cells_text([second[1][0]])} {len(entries) - 1} {line}\n"))
            typer.echo(rows[-1][1], nl=False)
    FILE.write_text("".join(row for _, row in sorted(rows, key=lambda row: -row[0])), "ascii")
