"""Makes local_runner/data/vcf_positions.txt, wins by fours for the side to move, which `tengen bench gobang` asks for.

    python -m workshop.vcf_positions            the same file from the same search, in minutes

Games that the search plays against itself at few nodes are walked back from the last five, for either side: as long as
it has, whenever it is to move, a victory by continuous fours (VCF), the position is the same win, of which the first
is kept. What a VCF is, is told by a search of its own, complete within a number of fours and sharing nothing with the
upload, so that the upload can be measured by it. A line is the moves from the empty board, a letter for the row and
one for the column of each, a to o, and the least number of fours that win: own moves before the five.
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest
from pathlib import Path

from local_runner.game_setup import GameSetup
from local_runner.openings.books import position_after
from local_runner.openings.deal import random_opening
from local_runner.openings.symmetry import canonical
from submission.alphabeta import Search
from submission.clock import Deadline
from submission.k_in_a_row.position import KInARowPosition
from workshop.bench_positions import ENV, IN_A_ROW, SIZE, spelt

FILE = Path(__file__).resolve().parents[1] / "local_runner" / "data" / "vcf_positions.txt"
GAMES = 4500
NODES = 100                 # a move: the fewer, the later a win is seen
FEWEST, MOST = 3, 9         # fours
POSITIONS = 200
MOST_TRIED = 20000          # fours in one search: beyond it, there is no win for us
SEED = "vcf"


def main() -> None:
    """Write the file, the fewest fours first, as many of each number as there are, and as come out even."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    seen = set()
    for number in range(GAMES):
        for moves, fours in first_wins(game(number)):
            position = canonical(position_after(GameSetup(ENV), tuple(divmod(cell, SIZE) for cell in moves)))
            if fours >= FEWEST and position not in seen:
                seen.add(position)
                found[fours].append("".join(map(spelt, moves)) + f" {fours}")
    FILE.write_text("".join(line + "\n" for line in evenly(found, POSITIONS)), encoding="ascii")
    print({fours: len(found[fours]) for fours in sorted(found)}, "found")


def evenly(found: dict[int, list[str]], wanted: int) -> Iterable[str]:
    """So many lines, the first of every group in turn, group by group."""
    rounds = (line for row in zip_longest(*(found[fours] for fours in sorted(found))) for line in row if line)
    taken = set(islice(rounds, wanted))
    return (line for fours in sorted(found) for line in found[fours] if line in taken)


def game(number: int) -> list[int]:
    """The cells of one game, up to the five or the full board."""
    moves = [row * SIZE + col for row, col in random_opening(GameSetup(ENV), None, f"{SEED} {number}")]
    position = KInARowPosition(SIZE, SIZE, IN_A_ROW)
    for cell in moves:
        position.play(cell)
    search = Search()
    while not is_won(moves) and len(moves) < SIZE * SIZE:
        moves.append(search.think(position, Deadline(None, NODES)).move)
        position.play(moves[-1])
    return moves


def first_wins(moves: list[int]) -> Iterator[tuple[list[int], int]]:
    """Where a side to move begins to have a win by fours, for as long as it has it: the moves so far, and the fours."""
    for side in (0, 1):
        won = 0
        for stones in range(len(moves) - 1 - (len(moves) - 1 - side) % 2, 0, -2):
            fours = len(shortest_vcf(*masks(moves[:stones]))) // 2
            if won and not fours:
                yield moves[:stones + 2], won
            won = fours


# ---- fours, on bit masks of the board

WINDOWS = [sum(1 << row * SIZE + col + i * step for i in range(IN_A_ROW))
           for row in range(SIZE) for col in range(SIZE)
           for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
           for step in [down * SIZE + right]
           if row + (IN_A_ROW - 1) * down < SIZE and 0 <= col + (IN_A_ROW - 1) * right < SIZE]
THROUGH = [[window for window in WINDOWS if window >> cell & 1] for cell in range(SIZE * SIZE)]


def masks(moves: list[int]) -> tuple[int, int]:
    """The stones of the side to move, and of the other."""
    return sum(1 << cell for cell in moves[len(moves) % 2::2]), sum(1 << cell for cell in moves[1 - len(moves) % 2::2])


def is_won(moves: list[int]) -> bool:
    """Whether the last move made five in a row."""
    other = masks(moves)[1]
    return any(window & other == window for window in THROUGH[moves[-1]])


def shortest_vcf(own: int, other: int) -> list[int]:
    """The cells of a win with the fewest fours, own moves and replies in turn; [] without one of at most MOST fours."""
    five = fives(own, other, WINDOWS)
    if five:
        return [five.bit_length() - 1]
    search = _Fours()
    stop = fives(other, own, WINDOWS)
    for fours in range(1, MOST + 1):
        search.cut_short = False
        line = search.find(own, other, stop, fours)
        if line or not search.cut_short or search.tried > MOST_TRIED:
            return line
    return []


def fives(own: int, other: int, windows: Iterable[int]) -> int:
    """The cells that complete one of the windows."""
    cells = 0
    for window in windows:
        if not window & other:
            empty = window & ~own
            if empty & (empty - 1) == 0:
                cells |= empty
    return cells


class _Fours:
    """Tries all fours, however often their order, and remembers where so many did not win."""

    def __init__(self) -> None:
        self.failed: dict[tuple[int, int], int] = {}
        self.tried = 0
        self.cut_short = False              # by the number of fours: more of them might win

    def find(self, own: int, other: int, stop: int, fours: int) -> list[int]:
        """A win by at most so many fours; `stop`: where the other side would make five. [] where there is none."""
        if not fours or self.failed.get((own, other), 0) >= fours:
            self.cut_short = True
            return []
        for cell in self._cells(own, other, stop):
            self.tried += 1
            if self.tried > MOST_TRIED:
                return []
            after = own | 1 << cell
            five = fives(after, other, THROUGH[cell])
            reply = five.bit_length() - 1
            rest = five ^ 1 << reply
            if rest:
                return [cell, reply, rest.bit_length() - 1]
            theirs = other | 1 << reply
            line = self.find(after, theirs, fives(theirs, after, THROUGH[reply]), fours - 1)
            if line:
                return [cell, reply, *line]
        self.failed[own, other] = fours
        return []

    def _cells(self, own: int, other: int, stop: int) -> list[int]:
        """The cells of fours that also stop what must be stopped."""
        if stop & (stop - 1):
            return []
        cells = 0
        for window in WINDOWS:
            if not window & other:
                empty = window & ~own
                two = empty & (empty - 1)
                if two and not two & (two - 1):
                    cells |= empty
        return [cell for cell in range(SIZE * SIZE) if (cells & stop if stop else cells) >> cell & 1]


if __name__ == "__main__":
    main()
