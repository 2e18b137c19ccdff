"""The search of Reversi: near the end of the game, the endgame solver is tried before alpha-beta."""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

from ..search.clock import Deadline
from ..search.deepening import Search, Thought
from .endgame import Solution, Solver
from .position import ReversiPosition, final_value


class ReversiSearch(Search):
    """Searches positions of one game; its tables are kept from one thought to the next.

    exact: whether the value of the solver's last thought is the exact disc difference; else only the win is proved
    """

    exact = True

    def __init__(self) -> None:
        super().__init__()
        self.solver: Optional[Solver] = None

    def _known(
        self, position: Any, moves: List[int], deadline: Deadline, depth: Optional[int], lines: int
    ) -> Tuple[List[Thought], List[int]]:
        """As Search._known, but with few free cells and no limit of depth the endgame solver comes first.

        If the solver proves neither the exact value nor a win, alpha-beta chooses the move. With several lines, the
        solver's result counts only if it has the exact values of all moves.
        """
        left, use = position.plies_left(), position.parameters
        if left <= use.solver_empties and depth is None and position.outcome() is None:
            part = deadline if left <= use.solver_only_empties else deadline.part(use.solver_share)
            if lines > 1:
                solved = self._solve_each(position, moves, part)
                if len(solved) == len(moves):
                    self.exact = True
                    return solved[:lines], []
            else:
                solution = self._solve(position, part)
                if solution.exact or solution.lower > 0:
                    self.exact = solution.exact
                    value, pv = final_value(solution.lower), [solution.move]
                    nodes, seconds = solution.nodes, deadline.elapsed()
                    return [Thought(solution.move, value, left, nodes, pv, seconds, "solver")], []
            if part is not deadline:
                deadline.spent += part.spent
        return super()._known(position, moves, deadline, depth, lines)

    def _solve(self, position: ReversiPosition, deadline: Deadline) -> Solution:
        if self.solver is None:
            self.solver = Solver(position.geometry.n, position.parameters.solver_entries)
        solution = self.solver.solve(*position.discs, position.side, deadline)
        deadline.spent += solution.nodes
        return solution

    def _solve_each(self, position: ReversiPosition, moves: List[int], deadline: Deadline) -> List[Thought]:
        """The moves with their exact values, best first; moves that the solver does not finish are left out."""
        thoughts, left = [], position.plies_left()
        for move in moves:
            position.play(move)
            solution = self._solve(position, deadline)
            reply = [solution.move] if solution.move in position.moves() else []
            position.undo()
            if solution.exact:
                value, pv = -final_value(solution.lower), [move, *reply]
                thoughts.append(Thought(move, value, left, solution.nodes, pv, deadline.elapsed(), "solver"))
        return sorted(thoughts, key=lambda thought: -thought.value)
