"""Makes workshop/lab/bench/vcf_positions.txt: gobang that the side to move wins by continuous fours (VCF).

    python -m workshop.gobang.vcf_positions            takes minutes; the same engine makes the same file

`workshop.lab.bench gobang` measures the VCF search with them. They come from self-play with few nodes. Each game is
walked back from its end, for either side. As long as that side has a VCF at each of its turns, all these positions are
one win; the earliest is kept. The VCF search here is complete up to MOST fours and shares no code with the upload, so
it can test the upload.

A line holds the moves from the empty board, each as two letters a to o (row and column), and the length of the shortest
VCF: the attacker's moves before the five.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest

from local_runner.matches.openings.books import position_after as game_after
from local_runner.matches.openings.symmetry import canonical
from submission.search.clock import Deadline
from submission.search.deepening import Search
from workshop.command import run
from workshop.gobang.bench_positions import format_cell
from workshop.gobang.game import IN_A_ROW, SETUP, SIZE, position_after, random_cells, to_opening
from workshop.lab.bench.gobang import VCF

GAMES = 4500
NODES = 100  # per move: with few nodes, the players see wins late
FEWEST, MOST = 3, 9  # fours of a VCF
POSITIONS = 200
MOST_TRIED = 20000  # fours that one search tries before it gives up
SEED = "vcf"


def main() -> None:
    """Write the file, the fewest fours first, with as equal numbers of each length as possible."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    seen = set()
    for number in range(GAMES):
        for moves, fours in first_wins(self_play(number)):
            position = canonical(game_after(SETUP, to_opening(moves)))
            if fours >= FEWEST and position not in seen:
                seen.add(position)
                found[fours].append("".join(map(format_cell, moves)) + f" {fours}")
    VCF.write_text("".join(line + "\n" for line in balanced(found, POSITIONS)), encoding="ascii")
    print({fours: len(found[fours]) for fours in sorted(found)}, "found")


def balanced(found: dict[int, list[str]], wanted: int) -> Iterable[str]:
    """`wanted` lines, as equally many of each group as possible, sorted by group."""
    rounds = (line for row in zip_longest(*(found[fours] for fours in sorted(found))) for line in row if line)
    taken = set(islice(rounds, wanted))
    return (line for fours in sorted(found) for line in found[fours] if line in taken)


def self_play(number: int) -> list[int]:
    """The moves of one game, up to the five or the full board."""
    moves = random_cells(f"{SEED} {number}")
    position = position_after(moves)
    search = Search()
    while not is_won(moves) and len(moves) < SIZE * SIZE:
        moves.append(search.think(position, Deadline(None, NODES)).move)
        position.play(moves[-1])
    return moves


def first_wins(moves: list[int]) -> Iterator[tuple[list[int], int]]:
    """The earliest position of each win by fours: the moves that lead there, and the fours of the shortest VCF."""
    for side in (0, 1):
        won = 0
        for stones in range(len(moves) - 1 - (len(moves) - 1 - side) % 2, 0, -2):
            fours = len(shortest_vcf(*masks(moves[:stones]))) // 2
            if won and not fours:
                yield moves[: stones + 2], won
            won = fours


# ---- a VCF search of its own; a board is two bit masks, of the attacker's stones and of the other side's

WINDOWS = [
    sum(1 << row * SIZE + col + i * step for i in range(IN_A_ROW))
    for row in range(SIZE)
    for col in range(SIZE)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    for step in [down * SIZE + right]
    if row + (IN_A_ROW - 1) * down < SIZE and 0 <= col + (IN_A_ROW - 1) * right < SIZE
]
WINDOWS_THROUGH = [[window for window in WINDOWS if window >> cell & 1] for cell in range(SIZE * SIZE)]


def masks(moves: list[int]) -> tuple[int, int]:
    """The stones of the side to move, and of the other side."""
    return sum(1 << cell for cell in moves[len(moves) % 2 :: 2]), sum(
        1 << cell for cell in moves[1 - len(moves) % 2 :: 2]
    )


def is_won(moves: list[int]) -> bool:
    """Whether the last move made five in a row."""
    other = masks(moves)[1]
    return any(window & other == window for window in WINDOWS_THROUGH[moves[-1]])


def shortest_vcf(own: int, other: int) -> list[int]:
    """The shortest VCF as moves and replies in turn, the five last; [] if there is none of at most MOST fours."""
    five = fives(own, other, WINDOWS)
    if five:
        return [five.bit_length() - 1]
    search = _FourSearch()
    stop = fives(other, own, WINDOWS)
    for fours in range(1, MOST + 1):
        search.cut_short = False
        line = search.find(own, other, stop, fours)
        if line or not search.cut_short or search.tried > MOST_TRIED:
            return line
    return []


def fives(own: int, other: int, windows: Iterable[int]) -> int:
    """The empty cells that complete one of the windows."""
    cells = 0
    for window in windows:
        if not window & other:
            empty = window & ~own
            if empty & (empty - 1) == 0:
                cells |= empty
    return cells


class _FourSearch:
    """A depth-first search of all fours. It remembers the positions in which a number of fours did not win."""

    def __init__(self) -> None:
        self.failed: dict[tuple[int, int], int] = {}
        self.tried = 0
        self.cut_short = False  # whether the limit of fours ended a line, so that more of them might win

    def find(self, own: int, other: int, stop: int, fours: int) -> list[int]:
        """A VCF of at most `fours` fours, or []; `stop`: the cells where the other side would make five."""
        if not fours or self.failed.get((own, other), 0) >= fours:
            self.cut_short = True
            return []
        for cell in self._cells(own, other, stop):
            self.tried += 1
            if self.tried > MOST_TRIED:
                return []
            after = own | 1 << cell
            five = fives(after, other, WINDOWS_THROUGH[cell])
            reply = five.bit_length() - 1
            rest = five ^ 1 << reply
            if rest:
                return [cell, reply, rest.bit_length() - 1]
            theirs = other | 1 << reply
            line = self.find(after, theirs, fives(theirs, after, WINDOWS_THROUGH[reply]), fours - 1)
            if line:
                return [cell, reply, *line]
        self.failed[own, other] = fours
        return []

    def _cells(self, own: int, other: int, stop: int) -> list[int]:
        """The cells of fours that also stop the five of the other side, if it has one."""
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
    run(main)
