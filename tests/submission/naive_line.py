"""Slow and simple rules of k in a row, and proofs of forced wins by them. Nothing of submission/ is used here.

Stones are 0 free, 1 black, 2 white, row-major. k or more in a row win, and no move is forbidden. A window is a run of k
cells in a straight line:

    five    a free cell of a window whose other cells are all the player's
    four    a free cell of a window that has one more free cell, the others being the player's
"""

from __future__ import annotations

from functools import lru_cache
from typing import Callable, Iterator, Sequence, Tuple

Window = Tuple[int, ...]


@lru_cache(maxsize=None)
def windows(rows: int, cols: int, k: int) -> tuple[Window, ...]:
    """All runs of k cells in a row, a column or a diagonal."""
    found = []
    for row in range(rows):
        for col in range(cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                run = [(row + i * down, col + i * right) for i in range(k)]
                if all(0 <= r < rows and 0 <= c < cols for r, c in run):
                    found.append(tuple(r * cols + c for r, c in run))
    return tuple(found)


@lru_cache(maxsize=None)
def _slices(rows: int, cols: int, k: int) -> tuple[tuple[slice, Window], ...]:
    """For each window of k cells: the slice of the board's bytes with its stones, and its cells."""
    return tuple((slice(cells[0], cells[-1] + 1, cells[1] - cells[0]), cells) for cells in windows(rows, cols, k))


class NaiveBoard:
    """An immutable board; `after` makes a new one."""

    def __init__(self, rows: int, cols: int, k: int, stones: Sequence[int]) -> None:
        self.rows, self.cols, self.k = rows, cols, k
        self.stones = bytes(stones)

    def after(self, player: int, cell: int) -> NaiveBoard:
        """The board with one more stone. Raises ValueError if the cell has a stone."""
        if self.stones[cell]:
            raise ValueError(f"cell {cell} holds a stone")
        return NaiveBoard(self.rows, self.cols, self.k, self.stones[:cell] + bytes([player]) + self.stones[cell + 1 :])

    def free(self) -> list[int]:
        """The free cells."""
        return [cell for cell, stone in enumerate(self.stones) if not stone]

    def fives(self, player: int) -> set[int]:
        """The cells where a stone of the player wins at once."""
        return {cell for gaps in self._gaps(player, 1) for cell in gaps}

    def fours(self, player: int) -> set[int]:
        """The cells where a stone of the player makes a new threat to win with the next stone."""
        return {cell for gaps in self._gaps(player, 2) for cell in gaps}

    def _gaps(self, player: int, missing: int) -> Iterator[list[int]]:
        """The free cells of each window with this many free cells and otherwise stones of the player."""
        stones, own = self.stones, self.k - missing
        for window, cells in _slices(self.rows, self.cols, self.k):
            content = stones[window]
            if content.count(player) == own and content.count(0) == missing:
                yield [cell for cell in cells if not stones[cell]]

    def __str__(self) -> str:
        rows = [self.stones[i : i + self.cols] for i in range(0, len(self.stones), self.cols)]
        return "\n".join(" ".join(".XO"[stone] for stone in row) for row in rows)


def brute_vcf(board: NaiveBoard, player: int, depth: int) -> list[int]:
    """A victory by continuous fours within `depth` own moves, the winning five counted; [] if there is none.

    Every four is tried. The opponent plays a five if it has one, else it tries all stops. The returned line has the
    player's moves and the replies in turn.
    """
    fives = board.fives(player)
    if fives and depth:
        return [min(fives)]
    if depth < 2:
        return []
    for cell in sorted(board.fours(player)):
        after = board.after(player, cell)
        if after.fives(3 - player):
            continue
        for reply in after.fives(player):
            rest = brute_vcf(after.after(3 - player, reply), player, depth - 1)
            if not rest:
                break
        else:
            return [cell, reply, *rest]
    return []


def holds(board: NaiveBoard, player: int, line: Sequence[int]) -> bool:
    """Tell whether a line of the player's moves and replies wins by the rules: forced replies, a five at the end.

    A reply is forced if it stops a five and the opponent has no five of its own. If another five is left, the next move
    must make it, and end the line.
    """
    for number, cell in enumerate(line):
        fives = board.fives(player)
        if number % 2 == 0 and fives:
            return cell in fives and number == len(line) - 1
        if board.stones[cell]:
            return False
        if number % 2 and (cell not in fives or board.fives(3 - player)):
            return False
        board = board.after(3 - player if number % 2 else player, cell)
    return False


Strategy = Callable[[NaiveBoard], Sequence[int]]


def proves(board: NaiveBoard, player: int, strategy: Strategy, plies: int, proved: set[bytes] | None = None) -> bool:
    """Tell whether `strategy` wins against every reply, within `plies` moves of both sides together.

    `strategy`: a board with `player` to move -> a line, [] to give up. A line that `holds` is a proof; of any
    other line, the first cell is played. A five is always completed. `proved`: boards that need no proof any more.
    """
    proved = set() if proved is None else proved
    if board.stones in proved or board.fives(player):
        return True
    line = strategy(board)
    if not line or plies < 3:
        return False
    if len(line) > plies or not holds(board, player, line):
        after = board.after(player, line[0])
        replies = after.fives(player) or after.free()  # a reply that stops no five loses at once
        if after.fives(3 - player) or not replies:
            return False
        boards = (after.after(3 - player, reply) for reply in replies)
        if not all(proves(each, player, strategy, plies - 2, proved) for each in boards):
            return False
    proved.add(board.stones)
    return True
