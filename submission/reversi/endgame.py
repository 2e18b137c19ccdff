"""The endgame solver: it proves who wins, then by how many discs.

Null-window searches with fail-soft bounds ("is the value at least beta?") converge to the exact value (MTD(f), Plaat
1996). The solver first searches whether the mover wins. With MANY or more free cells, moves that leave the opponent
the fewest replies come first. With more, a transposition table is used, and kept between calls. With fewer than MANY,
the move order depends only on which cells are free. A table has the gain in discs by the last cell. free_cells.py
has the data structures: position, set, row, move.

Values are disc differences in the mover's view. Cells that are free at the end of the game count for neither side.
"""

from __future__ import annotations

from operator import itemgetter
from typing import NamedTuple, Tuple

from ..search.clock import Deadline, TimeUp
from ..search.table import Table
from .board import PASS
from .free_cells import MANY, FreeCells, FreeSet, LastTwo, Move, flipped_by, legal_moves

CHECK_EVERY = 64  # nodes between two checks of the deadline; a node takes about 7 µs
TABLE_FROM = MANY + 1  # the transposition table is used with at least this many free cells
TABLE_ENTRIES = 20000  # entries of one generation, 250 bytes each
INFINITE = 10000  # greater than every value
FIRST = itemgetter(0)
Bounds = Tuple[int, int, int]  # a table entry: lower bound, upper bound, best move


class Solution(NamedTuple):
    """Bounds of the value in the mover's view, the move that proves the lower bound, nodes visited, seconds used.

    move: PASS if there is no legal cell; the first legal cell in move order if no lower bound is proved yet.
    """

    move: int
    lower: int
    upper: int
    nodes: int
    seconds: float

    @property
    def exact(self) -> bool:
        """Whether the value is known: both bounds are equal."""
        return self.lower == self.upper

    @property
    def decided(self) -> bool:
        """Whether the result is known: a win, a draw or a loss of the mover."""
        return self.lower > 0 or self.upper < 0 or self.exact


def last_two(board: int, beta: int, pair: LastTwo) -> int:
    """The mover's value with two free cells, or a bound that shows whether the value is at least beta."""
    own, other, sign, zero, score = pair
    best = -INFINITE
    for (a, in_a, b, in_b, c, in_c, placed, _), last, in_last in own:
        change = a[board & in_a] + b[board & in_b] + c[board & in_c]
        if change:
            after = board + change + placed
            value = (after & score) * sign + zero - last[after & in_last]
            if value >= beta:
                return value
            if value > best:
                best = value
    if best > -INFINITE:
        return best
    best = INFINITE
    for (a, in_a, b, in_b, c, in_c, placed, _), last, in_last in other:
        change = a[board & in_a] + b[board & in_b] + c[board & in_c]
        if change:
            after = board + change + placed
            value = (after & score) * sign + zero + last[after & in_last]
            if value < beta:
                return value
            if value < best:
                best = value
    return best if best < INFINITE else (board & score) * sign + zero


class Solver:
    """Solves positions of n x n boards. The transposition tables are kept from one call to the next.

    Args: table_entries: most entries of one generation of a table; each side to move has its own table.
    """

    def __init__(self, n: int, table_entries: int = TABLE_ENTRIES) -> None:
        self.cells = FreeCells(n)
        self.tables: Tuple[Table[Bounds], Table[Bounds]] = (Table(table_entries), Table(table_entries))
        self.nodes = self.next_check = 0
        self.deadline = Deadline(None)

    def solve(self, black: int, white: int, side: int, deadline: Deadline) -> Solution:
        """Find out who wins, then by how much. At the deadline, the bounds proved so far are returned.

        black, white: masks of discs, bit row * n + col; side: 0 if Black is to move, 1 for White.
        """
        self.deadline, self.nodes, self.next_check = deadline, 0, 0
        free = (1 << self.cells.zero) - 1 & ~(black | white)
        self.cells.begin(free)
        board = self.cells.board(black, white)
        move, lower, upper = self._mtdf(board, free, side)
        if move == PASS and lower < upper:
            _, lower, upper = self._mtdf(board, free, 1 - side)
            lower, upper = -upper, -lower
        return Solution(move, lower, upper, self.nodes, deadline.elapsed())

    def _mtdf(self, board: int, free: int, side: int) -> tuple[int, int, int]:
        """MTD(f) for `side`: move, lower and upper bound.

        The move is PASS if there is no move; at the game's end both bounds are equal.
        """
        lower, upper, best = -self.cells.zero, self.cells.zero, PASS
        moves = [(after, row[0][-1]) for after, row in legal_moves(board, self.cells.rows(free, side))]
        if not moves:
            if not legal_moves(board, self.cells.rows(free, 1 - side)):
                lower = upper = self.cells.difference(board, side)
            return best, lower, upper
        table = self.tables[side]
        entry = table.get(board)
        if entry is not None:
            lower, upper, best = max(lower, entry[0]), min(upper, entry[1]), entry[2]

        def replies(after: int, cell: int) -> int:
            return len(legal_moves(after, self.cells.rows(free ^ 1 << cell, 1 - side)))

        moves.sort(key=lambda move: (move[1] != best, replies(*move)))
        best = moves[0][1]
        beta = lower + 1 if lower > 0 else min(upper, 1)
        try:
            while lower < upper:
                value = -INFINITE
                for number, (after, cell) in enumerate(moves):
                    value = max(value, -self._value(after, 1 - beta, free ^ 1 << cell, 1 - side))
                    if value >= beta:
                        lower, best = value, cell
                        moves.insert(0, moves.pop(number))
                        break
                else:
                    upper = value
                table.put(board, (lower, upper, best))
                beta = lower + 1 if lower >= beta else upper
        except TimeUp:
            pass
        return best, lower, upper

    def _value(self, board: int, beta: int, free: int, side: int) -> int:
        """The value for `side`, or a bound that shows whether the value is at least beta."""
        left = bin(free).count("1")
        if left < 2:
            value = self.cells.difference(board, side)
            if left:
                last = self.cells.last(free.bit_length() - 1, side)
                value += last[board & last.mask]
            return value
        free_set = self.cells.get(free, side)
        if left == 2:
            return last_two(board, beta, free_set)
        if left < MANY:
            return self._fixed_order(board, beta, free_set)
        moves = legal_moves(board, free_set[0])
        search = self._search if left >= TABLE_FROM else self._fewest_replies
        if moves:
            return search(board, beta, free_set, moves)
        free_set = self.cells.get(free, 1 - side)
        moves = legal_moves(board, free_set[0])
        if moves:
            return -search(board, 1 - beta, free_set, moves)
        return self.cells.difference(board, side)

    def _fixed_order(self, board: int, beta: int, free_set: FreeSet) -> int:
        """As _value, for 3 to MANY - 1 free cells. Moves are tried in the order of the rows of `free_set`."""
        self.nodes += 1
        rows, left, free, side = free_set
        search = self._fixed_order if left > 3 else last_two
        best, child_beta = -INFINITE, 1 - beta
        for row in rows:
            (a, in_a, b, in_b, c, in_c, placed, cell), after = row
            change = a[board & in_a] + b[board & in_b] + c[board & in_c]
            if change:
                if after is None:
                    row[1] = after = self.cells.get(free ^ 1 << cell, 1 - side)
                value = -search(board + change + placed, child_beta, after)
                if value > best:
                    if value >= beta:
                        return value
                    best = value
        if best > -INFINITE:
            return best
        other = self.cells.get(free, 1 - side)
        for row in other[0]:
            if flipped_by(row[0], board):
                return -self._fixed_order(board, child_beta, other)
        return self.cells.difference(board, side)

    def _fewest_replies(self, board: int, beta: int, free_set: FreeSet, moves: list[Move]) -> int:
        """As _value, for MANY free cells. Moves that leave the fewest replies come first."""
        self._tick()
        _, _, free, side = free_set
        ordered = []
        for after, row in moves:
            square, below = row
            if below is None:
                row[1] = below = self.cells.get(free ^ 1 << square[-1], 1 - side)
            replies = 0
            for (a, in_a, b, in_b, c, in_c, _, _), _ in below[0]:
                if a[after & in_a] or b[after & in_b] or c[after & in_c]:
                    replies += 1
            ordered.append((replies, after, below))
        ordered.sort(key=FIRST)
        best = -INFINITE
        for _, after, below in ordered:
            value = -self._fixed_order(after, 1 - beta, below)
            if value > best:
                if value >= beta:
                    return value
                best = value
        return best

    def _search(self, board: int, beta: int, free_set: FreeSet, moves: list[Move]) -> int:
        """As _fewest_replies, for more than MANY free cells and with the transposition table."""
        self._tick()
        _, left, free, side = free_set
        table = self.tables[side]
        lower, upper, best_cell = table.get(board) or (-INFINITE, INFINITE, PASS)
        if lower >= beta or lower == upper:
            return lower
        if upper < beta:
            return upper
        search = self._search if left > TABLE_FROM else self._fewest_replies
        look_up = self.tables[1 - side].get
        corners = self.cells.corners
        ordered = []
        for after, row in moves:
            square, below = row
            if left > TABLE_FROM:
                entry = look_up(after)
                if entry is not None and -entry[1] >= beta:
                    return -entry[1]
            if below is None:
                row[1] = below = self.cells.get(free ^ 1 << square[-1], 1 - side)
            replies = legal_moves(after, below[0])
            count = len(replies)
            if below[2] & corners:
                count += sum([corners >> reply[1][0][-1] & 1 for reply in replies])  # replies in corners count twice
            ordered.append((count, after, replies, below, square[-1]))
        ordered.sort(key=FIRST)

        best = -INFINITE
        for _, after, replies, below, cell in ordered:
            if replies:
                value = -search(after, 1 - beta, below, replies)
            else:
                again = self.cells.get(below[2], side)
                replies = legal_moves(after, again[0])
                value = search(after, beta, again, replies) if replies else self.cells.difference(after, side)
            if value > best:
                best = value
                if value >= beta:
                    table.put(board, (value, upper, cell))
                    return value
        table.put(board, (lower, best, best_cell))
        return best

    def _tick(self) -> None:
        """Count a node. Raises TimeUp if the deadline's seconds or nodes are used up."""
        self.nodes += 1
        if self.nodes >= self.next_check:
            self.next_check = self.nodes + CHECK_EVERY
            self.deadline.check(self.nodes)
