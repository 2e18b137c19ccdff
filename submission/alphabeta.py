"""The one search: principal variation search, iterative deepening, transposition table, killers, late move reductions.

It knows no game. A position answers

    key          int, equal for equal positions with the same side to move
    outcome()    None while the game is open, else its value in the mover's view: WIN - n for a win in n plies,
                 n - WIN for a loss, or anything smaller in size that ranks results (a disc difference, 0 for a draw)
    forced()     True when evaluate() cannot be trusted because something must be answered first
    quiet()      True when nothing must be answered at all
    margins      by the depth left, from 0: how far above the window, and how far below it, the value of a quiet node
                 decides, since a search would hardly bring it back; at the horizon it does anyhow
    shallower    by the depth left, from 0: a smaller depth, and how far beyond the window a search to it must come out
                 to stand for one in full at a quiet node (ProbCut, Buro 1995); depth 0 where none can
    forced_win(depth, deadline)     plies in which the mover wins by threats, looked for the harder the more depth is
                 left, 0 at the horizon; 0 where nothing is found
    forced_line(deadline)           the moves of such a win from the root, [] where none is found
    moves(depth) moves worth a look, best first; not empty before the end, decided or not. The more depth is left, the
                 more there may be and the more their order may cost; depth 0, which is the default: all of them
    root_moves(deadline)            the same at the root, where more may be spent on their order
    escapes(moves, deadline)        more moves, to be tried before it is believed that these lose; [] if there are none
    few          where moves() has no more than so many, they are forced replies and cost no depth
    reductions   late_move_reductions()
    fallen       the same where lines_value() is less than at the mover's last turn, None where that does not matter
    lines_value()       a quick value in the mover's view, asked for this alone
    evaluate(low, high)     value in the mover's view, smaller in size than any outcome() but a draw; a bound will do
                 that tells that it is at most low, or high at least
    play(move), undo(), history (a list with an item per move played), plies_left() (at most so many to the end)

Values are from the mover's view everywhere. A win found n plies below the root is worth WIN - n at the root, so that
the search prefers the shorter win; in the table it is kept relative to the node it was found at.
"""
from __future__ import annotations

from math import log
from typing import Any, NamedTuple

from .clock import Deadline, TimeUp
from .table import EXACT, LOWER, UPPER, Table

WIN = 1000000
FORCED = WIN - 1000             # values beyond it are proved wins in WIN - |value| plies
INFINITE = WIN + 1
NEVER = 2 * INFINITE            # of margins: no value is so far off
PROVED = 1000                   # depth of an entry that no deeper search can better

CHECK_NODES = 15                # the deadline is asked every 16 nodes: a node may take 0.1 ms while the tables are cold
EXTRA_PLIES = 16                # forced replies may lengthen a line by so much

REDUCE_DEPTH, REDUCE_FROM = 2, 3        # the least depth and the first move that is reduced
FALLEN_DEPTH = 3                        # the least depth at which it is asked whether the mover has lost ground
MOST = 32                               # of depths and of moves told apart


def late_move_reductions(by: float, more: int = 0) -> list[list[int]]:
    """By how many plies less deep a move is searched first, by the depth left and its number, 0 to MOST - 1 each.

    log(depth left) * log(number) / by, rounded down, and where that is a ply at least, so many more. Of what threatens
    something, half of that counts.
    """
    table = [[int(log(depth) * log(number) / by) if depth >= REDUCE_DEPTH and number >= REDUCE_FROM else 0
              for number in range(MOST)] for depth in range(MOST)]
    return [[plies + more if plies else 0 for plies in row] for row in table]


def _at_root(value: int, ply: int) -> int:
    """What the value of a node is worth so many plies above it: a win takes longer, and so does a loss."""
    return value if -FORCED < value < FORCED else value - ply if value > 0 else value + ply


class Thought(NamedTuple):
    """What a search has found: move, value, depth finished, nodes visited, the line expected, seconds used."""

    move: int
    value: int
    depth: int
    nodes: int
    line: list[int]
    seconds: float


class Search:
    """Thinks about positions of one game; the table is kept from one thought to the next."""

    def __init__(self, table_entries: int = 40000) -> None:
        self.table = Table(table_entries)
        self.killers: list[list[int]] = []
        self.values: list[int] = []     # of the lines, by ply
        self.nodes = 0
        self.position: Any = None
        self.deadline = Deadline(None)
        self.last_ply = 0               # no line is longer
        self.reduce = True
        self.root_moves: list[int] = []
        self.best = -1                  # of these

    def think(self, position: Any, deadline: Deadline, depth: int | None = None) -> Thought:
        """Search deeper and deeper until the deadline, a proved result or `depth` plies; leave the position as it was.

        The move is always one of position.moves(); of an iteration that the deadline cuts short, what it has found so
        far counts. Raises ValueError when the position has no moves.
        """
        moves = position.moves()
        if not moves:
            raise ValueError("there is nothing to think about: the position has no moves")
        outcome = position.outcome()
        if outcome is not None or len(moves) == 1:
            return Thought(moves[0], outcome or 0, 0, 0, moves[:1], deadline.elapsed())
        self.position, self.deadline, self.nodes = position, deadline, 0
        line = position.forced_line(deadline)
        if line:
            return Thought(line[0], WIN - len(line), 0, 0, line, deadline.elapsed())
        self.root_moves = position.root_moves(deadline)
        self.best = self.root_moves[0]
        deepest = min(depth or position.plies_left(), position.plies_left())
        reached = value = 0
        played = len(position.history)
        try:
            while reached < deepest and abs(value) < FORCED:
                deadline.check(self.nodes)
                value = self._iteration(reached + 1)
                reached += 1
        except TimeUp:
            while len(position.history) > played:
                position.undo()
        return Thought(self.best, value, reached, self.nodes, self._line(self.best, reached), deadline.elapsed())

    def _iteration(self, depth: int) -> int:
        """Value of the root, searched to `depth` plies."""
        self.last_ply = depth + EXTRA_PLIES
        self.reduce = depth < self.position.plies_left()         # to the end of the game all is searched in full
        self.killers = [[-1, -1] for _ in range(self.last_ply + 2)]
        self.values = [0] * (self.last_ply + 2)
        return self._search(depth, -INFINITE, INFINITE, 0)

    def _search(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Value of the current position searched `depth` plies deep, fail-soft.

        Exact when it lies inside (alpha, beta); at or below alpha it is an upper bound, at or above beta a lower bound.
        """
        self.nodes += 1
        if not self.nodes & CHECK_NODES:
            self.deadline.check(self.nodes)
        position = self.position
        outcome = position.outcome()
        if outcome is not None:
            return _at_root(outcome, ply)

        first = -1
        entry = self.table.get(position.key)
        if entry is not None:
            known_depth, bound, value, first = entry
            if known_depth >= depth and ply:
                value = _at_root(value, ply)
                if bound == EXACT or (value >= beta if bound == LOWER else value <= alpha):
                    return value
        plies = 0
        if depth <= 0:
            by_value = ply >= self.last_ply or not position.forced()
        else:
            by_value = (depth < len(position.margins) and beta - alpha == 1 and -FORCED < alpha < FORCED
                        and self.reduce and position.quiet())
        if by_value:
            above, below = position.margins[max(depth, 0)]
            value = position.evaluate(alpha - max(below, 0), beta + above)
            if value - above >= beta:
                return value
            if value + below <= alpha:
                plies = position.forced_win(0, self.deadline)
                if not plies:
                    return value
        if ply and not plies and (entry is None or known_depth < depth):         # forced_line() has looked at the root
            plies = position.forced_win(depth, self.deadline)
        if plies:
            self.table.put(position.key, (PROVED, LOWER, WIN - plies, first))
            return WIN - plies - ply

        if (beta - alpha == 1 and self.reduce and 0 < depth < len(position.shallower) and -FORCED < alpha < FORCED
                and position.quiet()):
            cut = self._shallow_cut(depth, alpha, ply)
            if cut is not None:
                return cut

        moves = position.moves(depth) if ply else self.root_moves[:]
        below = depth - 1
        if len(moves) <= position.few:
            below += ply + depth < self.last_ply          # a forced reply costs no depth
        table = position.reductions
        if depth >= FALLEN_DEPTH and position.fallen:
            self.values[ply] = position.lines_value()       # of a single reply, too: his next turn asks for it
            if ply > 1 and self.values[ply] < self.values[ply - 2]:
                table = position.fallen
        if len(moves) == 1 and ply:             # nothing to choose, so nothing to remember
            position.play(moves[0])
            value = -self._search(below, -beta, -alpha, ply + 1)
            position.undo()
            return value
        killers = self.killers[ply]
        for move in (killers[1], killers[0], first):
            if move in moves:
                moves.remove(move)
                moves.insert(0, move)

        reductions = table[min(max(depth, 0), MOST - 1) if self.reduce else 0]
        best, best_move, bound = -INFINITE, moves[0], UPPER
        for number, move in enumerate(moves):
            position.play(move)
            if number == 0:
                value = -self._search(below, -beta, -alpha, ply + 1)
            else:
                reduction = reductions[min(number, MOST - 1)]
                if reduction and not position.quiet():
                    reduction //= 2                     # the move is a threat
                value = -self._search(below - reduction, -alpha - 1, -alpha, ply + 1)
                if value > alpha and reduction:
                    value = -self._search(below, -alpha - 1, -alpha, ply + 1)
                if alpha < value < beta:
                    value = -self._search(below, -beta, -alpha, ply + 1)
            position.undo()
            if value > best:
                best, best_move = value, move
                if value > alpha:
                    alpha, bound = value, EXACT
                    if ply == 0:
                        self.best = move
                    if value >= beta:
                        bound = LOWER
                        self._remember_killer(ply, move)
                        break
            if best <= -FORCED and number + 1 == len(moves):
                moves += position.escapes(moves, self.deadline)
        if entry is None or depth >= known_depth or bound == EXACT:         # what a deeper search has found is kept
            self.table.put(position.key, (depth, bound, _at_root(best, -ply), best_move))
        return best

    def _shallow_cut(self, depth: int, alpha: int, ply: int) -> int | None:
        """The bound that a shallower search finds with so much to spare that a deeper one would hardly miss it."""
        shallow, margin = self.position.shallower[depth]
        if not shallow:
            return None
        above, below = alpha + 1 + margin, alpha - margin
        if self._search(shallow, above - 1, above, ply) >= above:
            return alpha + 1
        if self._search(shallow, below, below + 1, ply) <= below:
            return alpha
        return None

    def _remember_killer(self, ply: int, move: int) -> None:
        killers = self.killers[ply]
        if killers[0] != move:
            killers[1] = killers[0]
            killers[0] = move

    def _line(self, move: int, length: int) -> list[int]:
        """The expected line: `move`, then single replies and the best moves of the table for as long as it has them."""
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
