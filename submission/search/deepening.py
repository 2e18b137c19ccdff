"""Iterative deepening at the root: finds the best move, or the best few with their lines, within the limits.

alphabeta.py searches one iteration. This module runs iterations of growing depth and returns Thoughts.
"""

from __future__ import annotations

from typing import Any, Callable, List, NamedTuple, Optional, Tuple

from ..boards import NO_MOVE
from .alphabeta import AlphaBeta
from .clock import Deadline, TimeUp
from .searchable import INFINITE, PROVED_WIN, WIN, Position


class Thought(NamedTuple):
    """The result of a search, or of another source of a move.

    depth: the last finished iteration; pv: principal variation; seconds: time since `Deadline.started`
    source: where the move comes from: "search", "threats", "solver", "book", "proof" or "scorer"
    """

    move: int
    value: int
    depth: int
    nodes: int
    pv: List[int]
    seconds: float
    source: str = "search"


Progress = Callable[[List[Thought]], Any]  # gets each iteration's lines, best first; a true result ends the search


class Search(AlphaBeta):
    """Searches positions of one game. The transposition table is kept from one search to the next."""

    def think(
        self, position: Position, deadline: Deadline, depth: Optional[int] = None, progress: Optional[Progress] = None
    ) -> Thought:
        """Search with iterative deepening until the deadline, a proved result or `depth` plies.

        The position is left as it was. The move is one of position.moves(), or of position.defences(). If the deadline
        ends an iteration early, the best move of that iteration so far is returned. If there is only one move, it is
        returned without a search. If there is none, the move is NO_MOVE.
        """
        moves = position.moves()
        if len(moves) < 2:
            move = moves[0] if moves else NO_MOVE
            return Thought(move, position.outcome() or 0, 0, 0, moves, deadline.elapsed())
        return self.analyse(position, deadline, depth, 1, progress, moves)[0]

    def analyse(
        self, position: Position, deadline: Deadline, depth: Optional[int] = None, lines: int = 1,
        progress: Optional[Progress] = None, moves: Optional[List[int]] = None,
    ) -> List[Thought]:  # fmt: skip
        """Multi-line analysis: the `lines` best moves with value and principal variation; otherwise as `think`.

        moves: position.moves(), if the caller has them already. If the deadline ends an iteration early, the lines of
        that iteration come first.
        """
        known, root = self._known(position, position.moves() if moves is None else moves, deadline, depth, lines)
        if not root:
            return known
        won = [thought.move for thought in known]  # the move that _known() found to win, if any; `root` lacks it
        lines -= len(known)
        left = self.tactics.plies_left()
        deepest = min(depth or left, left)
        self.best, self.best_value, self.excluded = root[0], None, won
        thoughts = [self._thought(move, 0, 0) for move in root[:lines]]
        current: List[Thought] = []  # lines of the iteration that is running
        reached = 0
        try:
            while reached < deepest and any(abs(thought.value) < PROVED_WIN for thought in thoughts):
                self.deadline.check(self.nodes)
                self.excluded, current = won[:], []
                while len(current) < min(lines, len(root)):
                    self.root_moves = [move for move in root if move not in self.excluded]
                    self._begin_iteration(reached + 1)
                    value = self._search(reached + 1, -INFINITE, INFINITE, 0)
                    current.append(self._thought(self.best, value, reached + 1))
                    self.excluded.append(self.best)
                thoughts, current = sorted(current, key=lambda thought: -thought.value), []
                reached += 1
                if progress is not None and progress([self._with_pv(thought) for thought in thoughts]):
                    break
        except TimeUp:
            if lines == 1:
                thoughts = [thoughts[0]._replace(move=self.best)]
            elif self.best_value is not None and self.best not in self.excluded:
                current.append(self._thought(self.best, self.best_value, reached + 1))
        searched = [thought.move for thought in current]
        thoughts = (current + [thought for thought in thoughts if thought.move not in searched])[: len(thoughts)]
        return known + [self._with_pv(thought) for thought in thoughts]

    def _known(
        self, position: Position, moves: List[int], deadline: Deadline, depth: Optional[int], lines: int
    ) -> Tuple[List[Thought], List[int]]:
        """The best lines that threat search or solver proves, best first; the root moves left to alpha-beta."""
        outcome = position.outcome()
        if outcome is not None:
            return [Thought(move, outcome, 0, 0, [move], deadline.elapsed()) for move in moves[:lines]], []
        self.deadline, self.nodes = deadline, 0
        self._prepare(position)
        line = self.tactics.winning_line(deadline)
        won = [Thought(line[0], WIN - len(line), 0, 0, line, deadline.elapsed(), "threats")] if line else []
        if len(won) == lines:
            return won, []
        return won, [move for move in self.tactics.root_moves(moves, deadline) if move not in line[:1]]

    def _thought(self, move: int, value: int, depth: int) -> Thought:
        return Thought(move, value, depth, self.nodes, [move], self.deadline.elapsed())

    def _with_pv(self, thought: Thought) -> Thought:
        """The thought with its principal variation, and the nodes and seconds used up to now."""
        pv = self._pv(thought.move, thought.depth)
        return thought._replace(nodes=self.nodes, pv=pv, seconds=self.deadline.elapsed())

    def _pv(self, move: int, length: int) -> List[int]:
        """The principal variation: `move`, then single replies and the table's best moves, at most `length` plies."""
        position = self.position
        line = [move]
        position.play(move)
        while len(line) < length and position.outcome() is None:
            moves = position.moves()
            entry = self.table.get(position.key)
            best = moves[0] if len(moves) == 1 else entry[3] if entry is not None else -1
            if best not in moves:
                break
            line.append(best)
            position.play(best)
        for _ in line:
            position.undo()
        return line
