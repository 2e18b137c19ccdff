"""The search of Reversi: near the end it asks first whether the game can be solved."""
from __future__ import annotations

from ..alphabeta import Search, Thought
from ..clock import Deadline
from .endgame import Solver
from .position import Position, worth

SOLVABLE = 17           # free cells: most positions are solved within a second
SURE = 13               # and these in nearly no time
SHARE = 0.75            # of the time for the solver where it may be in vain


class ReversiSearch(Search):
    """Thinks about positions of one game; its tables are kept from one thought to the next."""

    def __init__(self) -> None:
        super().__init__()
        self.solver: Solver | None = None

    def think(self, position: Position, deadline: Deadline, depth: int | None = None) -> Thought:
        """As alphabeta.py's, and solve what can be solved.

        A lost position that is not solved to the disc is searched as well, for a move that the other side may fail on.
        """
        left = position.plies_left()
        if left > SOLVABLE or depth is not None or len(position.moves()) < 2 or position.outcome() is not None:
            return super().think(position, deadline, depth)
        if self.solver is None:
            self.solver = Solver(position.geometry.n)
        solution = self.solver.solve(*position.discs, position.side, deadline if left <= SURE else deadline.part(SHARE))
        if solution.exact or solution.lower > 0:
            move, value = solution.move, worth(solution.lower)
            return Thought(move, value, left, solution.nodes, [move], deadline.elapsed())
        deadline.spent += solution.nodes
        return super().think(position, deadline, depth)
