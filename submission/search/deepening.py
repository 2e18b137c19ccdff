"""Iterative deepening at the root: finds the best move, or the best few with their lines, within the limits.

alphabeta.py searches one iteration. This module runs iterations of growing depth and returns Thoughts.
"""

from __future__ import annotations

from typing import Any, Callable, List, NamedTuple, Optional

from .alphabeta import AlphaBeta
from .clock import Deadline, TimeUp
from .searchable import PROVED_WIN, WIN, Position


class Thought(NamedTuple):
    """The result of a search, or of another source of a move.

    depth: of the last finished iteration; pv: principal variation; seconds: since `Deadline.started`
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
        returned without a search. Raises ValueError if the position has no moves.
        """
        moves = position.moves()
        if len(moves) == 1:
            return Thought(moves[0], position.outcome() or 0, 0, 0, moves, deadline.elapsed())
        return self.analyse(position, deadline, depth, 1, progress)[0]

    def analyse(
        self,
        position: Position,
        deadline: Deadline,
        depth: Optional[int] = None,
        lines: int = 1,
        progress: Optional[Progress] = None,
    ) -> List[Thought]:
        """Multi-line analysis: the `lines` best moves with value and principal variation; otherwise as `think`."""
        moves = position.moves()
        if not moves:
            raise ValueError("there is nothing to think about: the position has no moves")
        outcome = position.outcome()
        if outcome is not None:
            return [Thought(move, outcome, 0, 0, [move], deadline.elapsed()) for move in moves[:lines]]
        self.deadline, self.nodes = deadline, 0
        self._prepare(position)
        tactics = self.tactics
        line = tactics.winning_line(deadline)
        won = [Thought(line[0], WIN - len(line), 0, 0, line, deadline.elapsed(), "threats")] if line else []
        if len(won) == lines:
            return won
        root = [move for move in tactics.root_moves(moves, deadline) if move not in line[:1]]
        return won + self._deepen(root, line[:1], depth, lines - len(won), progress) if root else won

    def _deepen(
        self, root: List[int], won: List[int], depth: Optional[int], lines: int, progress: Optional[Progress]
    ) -> List[Thought]:
        """Iterative deepening. If the deadline ends an iteration early, the lines of that iteration come first.

        `root`: the moves to search; `won`: the move that is not among them because it is known to win, if any.
        """
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
                    value = self._iteration(reached + 1)
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
        moves = [thought.move for thought in current]
        thoughts = (current + [thought for thought in thoughts if thought.move not in moves])[: len(thoughts)]
        return [self._with_pv(thought) for thought in thoughts]

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
