"""The plainest search on a line board of ours: its speed is the board's, where no idea saves it work.

Alpha-beta to a greater and greater depth. Each free cell near a stone is played to order the moves by the value of the
lines after it; nothing is reduced, cut off by its value or remembered. Python 3.7 syntax and standard library only.
"""
from time import perf_counter
from typing import Any, Callable, List

WIN = 10**6
CHECK_NODES = 15                    # the clock is asked every 16 nodes


class TimeUp(Exception):
    """The seconds are used up."""


class PlainSearch:
    """Searches one position, and counts nodes and stones played and undone.

    Args: board: a KInARowBoard; classes: patterns.CLASSES, of which five in a row is the first; cells_of:
    that of lines.py.
    """

    def __init__(self, board: Any, classes: int, cells_of: Callable[[int], List[int]]) -> None:
        self.board, self.white, self.cells_of = board, classes * board.geometry.cells, cells_of
        self.nodes = self.stones = 0
        self.end = float("inf")

    def deepen(self, seconds: float) -> int:
        """Search for so long; returns the plies of the last search that was finished."""
        self.end = perf_counter() + seconds
        depth, played = 0, len(self.board.history)
        try:
            while True:
                self.search(depth + 1, -WIN, WIN)
                depth += 1
        except TimeUp:
            while len(self.board.history) > played:
                self.board.undo()
        return depth

    def search(self, depth: int, alpha: int, beta: int) -> int:
        """Value of the position in the mover's view, no less than alpha, or a bound that is beta at least."""
        self.nodes += 1
        if not self.nodes & CHECK_NODES and perf_counter() > self.end:
            raise TimeUp
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
