"""The plain search: iterative deepening alpha-beta on our k-in-a-row board, as a measure of the board's speed.

It orders moves by playing each free cell near a stone and reading the value of the lines. It has no transposition
table, no reductions and no pruning but alpha-beta, so its nodes per second depend on the board alone.
"""

from time import perf_counter
from typing import Any, Callable, List

WIN = 10**6
CHECK_NODES = 15  # the clock is read every 16 nodes


class PlainSearchTimeUp(Exception):
    """The search has used up its seconds."""


class PlainSearch:
    """Searches one position, and counts search nodes and stones played.

    `board`: the k-in-a-row board; `classes`: number of pattern classes of a line node (five is the first);
    `cells_of`: the function of lines.py.
    """

    def __init__(self, board: Any, classes: int, cells_of: Callable[[int], List[int]]) -> None:
        self.board, self.white, self.cells_of = board, classes * board.geometry.cells, cells_of
        self.nodes = self.stones = 0
        self.end = float("inf")

    def deepen(self, seconds: float) -> int:
        """Search for `seconds`; returns the plies of the last finished iteration."""
        self.end = perf_counter() + seconds
        depth, played = 0, len(self.board.history)
        try:
            while True:
                self.search(depth + 1, -WIN, WIN)
                depth += 1
        except PlainSearchTimeUp:
            while len(self.board.history) > played:
                self.board.undo()
        return depth

    def search(self, depth: int, alpha: int, beta: int) -> int:
        """The value of the position for the side to move: exact between alpha and beta, else a bound."""
        self.nodes += 1
        if not self.nodes & CHECK_NODES and perf_counter() > self.end:
            raise PlainSearchTimeUp
        board = self.board
        shape = board.geometry
        t0, t1, t2, t3 = board.totals
        if (t0 | t1 | t2 | t3) >> (self.white if board.side else 0) & shape.all:
            return WIN
        free = board.near() & ~board.occupied
        if not depth or not free:
            return int(board.lines_value())
        ordered = []
        for cell in self.cells_of(free):
            board.play(cell)
            ordered.append((board.lines_value(), cell))
            board.undo()
        self.stones += len(ordered)
        for _, cell in sorted(ordered):
            board.play(cell)
            self.stones += 1
            value = -self.search(depth - 1, -beta, -alpha)
            board.undo()
            if value > alpha:
                alpha = value
                if alpha >= beta:
                    break
        return alpha
