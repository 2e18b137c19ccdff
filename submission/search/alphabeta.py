"""Alpha-beta: principal variation search of one iteration. This module knows no game; searchable.py has the interface.

`ply` counts from the root; `depth` is the plies left to search. A win in n plies is worth WIN - n: inside the search, n
counts from the root; in the transposition table, from the stored position.
"""

from __future__ import annotations

from functools import lru_cache
from math import log
from typing import Any, List, Optional, Sequence, Tuple

from .clock import Deadline
from .parameters import SearchParameters
from .searchable import INFINITE, NO_TACTICS, PROVED_WIN, WIN, Margins, Position, Tactics
from .table import EXACT, LOWER, UPPER, Table, TableEntry

NEVER = 2 * INFINITE  # margin for depths that are not pruned: no value is so far outside the window
PROVED_DEPTH = 1000  # depth of a table entry for a proved win: no search is deeper

CHECK_MASK = 15  # the deadline is checked every 16 nodes; a node with unfilled tables takes up to 0.1 ms
REDUCTION_SIZE = 32  # rows (depth) and columns (move number) of the reduction table; the last: for all greater
LMR_DEPTH, LMR_MOVE = 2, 3  # least depth, and least number of a move (the first is 0), with a reduction


@lru_cache(maxsize=None)
def late_move_reductions(divisor: float, more: int = 0) -> Tuple[Tuple[int, ...], ...]:
    """The table of reductions in plies, by depth and by move number (the first move is 0).

    A reduction is log(depth) * log(number) / divisor, rounded down. If that is not 0, `more` is added.
    """

    def plies(depth: int, number: int) -> int:
        if depth < LMR_DEPTH or number < LMR_MOVE:
            return 0
        by = int(log(depth) * log(number) / divisor)
        return by + more if by else 0

    return tuple(tuple(plies(depth, number) for number in range(REDUCTION_SIZE)) for depth in range(REDUCTION_SIZE))


def pruning_margins(use: SearchParameters, margins: Margins) -> List[List[int]]:
    """The margins of futility pruning and of razoring by depth left, item 0 for the horizon: equally long."""
    both = [margins.futility if use.futility else (), margins.razoring if use.razoring else ()]
    size = max(map(len, both))
    return [[0, *given, *[NEVER] * (size - len(given))] for given in both]


def _from_root(value: int, ply: int) -> int:
    """Turn a value WIN - n with n counted from a node into one with n counted from the root, `ply` plies above."""
    return value if -PROVED_WIN < value < PROVED_WIN else value - ply if value > 0 else value + ply


def _corrected(value: int, entry: TableEntry) -> int:
    """The evaluation `value`; if it is outside the table entry's bound, the value of the entry instead.

    Entries with a proved win or loss are ignored.
    """
    _, bound, stored, _ = entry
    agrees = value == stored or bound == (UPPER if value < stored else LOWER)
    return value if agrees or not -PROVED_WIN < stored < PROVED_WIN else stored


class AlphaBeta:
    """The state of a search, and the search of one node. Parameters and hints come from the position."""

    def __init__(self) -> None:
        self.table: Table[TableEntry] = Table(0)
        self.parameters = SearchParameters()
        self.reductions: Sequence[Sequence[int]] = ()  # reductions in plies, by depth and move number
        self.reductions_not_improving: Sequence[Sequence[int]] = ()
        self.killers: List[List[int]] = []  # two per ply, the latest first
        self.quick_values: List[int] = []  # a quick value per ply, on the path from the root to the current node
        self.nodes = 0
        self.position: Any = None  # a Position
        self.tactics: Tactics = NO_TACTICS
        self.futility: List[int] = []  # margins by depth left, item 0 for the horizon
        self.razoring: List[int] = []
        self.deadline = Deadline(None)
        self.last_ply = 0  # greatest ply, extensions included
        self.selective = True  # False in a search to the end of the game: nothing is pruned or reduced
        self.root_moves: List[int] = []
        self.excluded: List[int] = []  # root moves not searched: multi-line analysis has their lines already
        self.best = -1  # the best root move so far
        self.best_value: Optional[int] = None  # value of `best` in this iteration; None until a move is searched

    def _prepare(self, position: Position) -> None:
        """Take over the position, its hints and its parameters."""
        self.position = position
        self.tactics = tactics = position if isinstance(position, Tactics) else NO_TACTICS
        self.parameters = use = tactics.parameters
        self.table.entries = use.table_entries
        divisor = use.lmr_divisor if use.lmr else float("inf")
        self.reductions = late_move_reductions(divisor)
        self.reductions_not_improving = late_move_reductions(divisor, use.improving_plies)
        self.futility, self.razoring = pruning_margins(use, tactics.margins)

    def _begin_iteration(self, depth: int) -> None:
        """Prepare a search of the root moves to `depth` plies."""
        self.best_value = None
        self.last_ply = depth + self.parameters.extension_plies
        self.selective = depth < self.tactics.plies_left()
        self.killers = [[-1, -1] for _ in range(self.last_ply + 2)]
        self.quick_values = [0] * (self.last_ply + 2)

    # ---- a node

    def _search(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Value of the current position searched to `depth` plies, fail-soft.

        The value is exact inside (alpha, beta), an upper bound at or below alpha, a lower bound at or above beta.
        Raises TimeUp if the seconds or nodes of the deadline are used up.
        """
        # 1. Count the node; check the deadline every CHECK_MASK + 1 nodes.
        self.nodes += 1
        if not self.nodes & CHECK_MASK:
            self.deadline.check(self.nodes)
        position, tactics = self.position, self.tactics

        # 2. The end of the game.
        outcome = position.outcome()
        if outcome is not None:
            return _from_root(outcome, ply)

        # 3. A single reply to a threat is searched without the table, the evaluation and the threat search.
        if ply and tactics.forced() and (depth > 0 or ply < self.last_ply):
            return self._search_moves(depth, alpha, beta, ply, None)

        # 4. Transposition table: a deep enough entry gives a cutoff, except at the root.
        entry = self.table.get(position.key)
        if entry is not None and entry[0] >= depth and ply:
            _, bound, value, _ = entry
            value = _from_root(value, ply)
            if bound == EXACT or (value >= beta if bound == LOWER else value <= alpha):
                return value

        win, narrow = 0, False
        if depth <= 0:
            # 5. Horizon: return the evaluation, unless the mover wins by threats.
            value = position.evaluate(alpha, beta)
            if value >= beta:
                return value
            win = tactics.forced_win(0, self.deadline)
            if not win:
                return value
        else:
            # 6. Futility pruning and razoring: return the evaluation if it is far outside a null window. The table's
            # bound from a shallower search corrects the evaluation.
            narrow = beta - alpha == 1 and self.selective and -PROVED_WIN < alpha < PROVED_WIN and tactics.quiet()
            if narrow and depth < len(self.futility):
                futility, razoring = self.futility[depth], self.razoring[depth]
                value = position.evaluate(alpha - razoring, beta + futility)
                if entry is not None:
                    value = _corrected(value, entry)
                if value - futility >= beta:
                    return value
                if value + razoring <= alpha:
                    win = tactics.forced_win(0, self.deadline)
                    if not win:
                        return value

        # 7. Threat search, unless a table entry shows that it was tried at this depth. The root used winning_line().
        if ply and not win and (entry is None or entry[0] < depth):
            win = tactics.forced_win(depth, self.deadline)
        if win:
            self.table.put(position.key, (PROVED_DEPTH, LOWER, WIN - win, entry[3] if entry is not None else -1))
            return WIN - win - ply

        # 8. ProbCut.
        if narrow and depth < len(tactics.probcut_depths):
            cut = self._probcut(depth, alpha, ply)
            if cut is not None:
                return cut

        # 9. Internal iterative reduction: a deep node without a hash move is searched a ply less deep.
        if depth >= self.parameters.iir_depth and ply and self.selective and (entry is None or entry[3] < 0):
            depth -= 1
        return self._search_moves(depth, alpha, beta, ply, entry)

    def _probcut(self, depth: int, alpha: int, ply: int) -> Optional[int]:
        """Bound for the null window (alpha, alpha + 1) if a shallow search is outside it by a margin; else None.

        If the evaluation is above alpha, the shallow search tries to exceed beta by the margin; else, to stay below
        alpha by the margin. M. Buro, ProbCut: an effective selective extension of the alpha-beta algorithm, 1995.
        """
        plies = self.tactics.probcut_depths[depth]
        if not plies:
            return None
        margin = self.tactics.probcut_margin()
        if self.position.evaluate(alpha, alpha + 1) > alpha:
            above = alpha + 1 + margin
            return alpha + 1 if self._search(plies, above - 1, above, ply) >= above else None
        below = alpha - margin
        return alpha if self._search(plies, below, below + 1, ply) <= below else None

    def _search_moves(self, depth: int, alpha: int, beta: int, ply: int, entry: Optional[TableEntry]) -> int:
        """Value of the best move, as `_search`; `entry`: the position's entry in the transposition table, if any."""
        position, tactics, use = self.position, self.tactics, self.parameters
        moves: List[int] = position.moves(depth) if ply else self.root_moves[:]

        # 10. Extension: forced replies cost no depth.
        child_depth = depth - 1
        if len(moves) <= use.forced_replies:
            child_depth += ply + depth < self.last_ply

        # 11. Improving: reduce more if the mover's quick value has fallen since two plies before.
        reductions = self.reductions
        if depth >= use.improving_depth and use.improving_plies:
            self.quick_values[ply] = tactics.quick_value()
            if ply > 1 and self.quick_values[ply] < self.quick_values[ply - 2]:
                reductions = self.reductions_not_improving

        # 12. A single reply needs no move order and gets no table entry.
        if len(moves) == 1 and ply:
            position.play(moves[0])
            try:
                return -self._search(child_depth, -beta, -alpha, ply + 1)
            finally:
                position.undo()

        # 13. Move order: hash move, killers, then the order of position.moves().
        killers = self.killers[ply]
        for move in (killers[1], killers[0], entry[3] if entry is not None else -1):
            if move in moves:
                moves.remove(move)
                moves.insert(0, move)

        # 14. and 15. Search the moves.
        by_number = reductions[min(max(depth, 0), REDUCTION_SIZE - 1) if self.selective else 0]
        best, best_move, bound = self._best_of(moves, child_depth, by_number, alpha, beta, ply)

        # 16. Store the result, unless root moves were left out; a bound does not replace an entry of a deeper search.
        if (ply or not self.excluded) and (entry is None or depth >= entry[0] or bound == EXACT):
            self.table.put(position.key, (depth, bound, _from_root(best, -ply), best_move))
        return best

    def _best_of(
        self, moves: List[int], child_depth: int, by_number: Sequence[int], alpha: int, beta: int, ply: int
    ) -> Tuple[int, int, int]:
        """Search the ordered moves: the best value (see `_search`), its move, and EXACT, LOWER or UPPER for the value.

        `by_number`: reductions by move number.
        """
        position, use = self.position, self.parameters
        killers = self.killers[ply]

        # 14. Principal variation search with late move reductions.
        best, best_move, bound = -INFINITE, moves[0], UPPER
        for number, move in enumerate(moves):
            position.play(move)
            try:
                if number == 0:
                    value = -self._search(child_depth, -beta, -alpha, ply + 1)
                else:
                    reduction = by_number[min(number, REDUCTION_SIZE - 1)]
                    child_alpha = -alpha - 1 if use.null_window else -beta
                    value = -self._search(child_depth - reduction, child_alpha, -alpha, ply + 1)
                    if value > alpha and reduction:
                        value = -self._search(child_depth, child_alpha, -alpha, ply + 1)
                    if alpha < value < beta:
                        value = -self._search(child_depth, -beta, -alpha, ply + 1)
            finally:
                position.undo()
            if value > best:
                best, best_move = value, move
                if value > alpha:
                    alpha, bound = value, EXACT
                    if ply == 0:
                        self.best, self.best_value = move, value
                    if value >= beta:
                        bound = LOWER
                        if use.killers and killers[0] != move:
                            killers[:] = move, killers[0]
                        break
            # 15. All candidates lose: add the defences that were not among them.
            if best <= -PROVED_WIN and number + 1 == len(moves):
                moves += self._defences(moves, ply)
        return best, best_move, bound

    def _defences(self, moves: List[int], ply: int) -> Sequence[int]:
        more = self.tactics.defences(moves, self.deadline)
        return [move for move in more if ply or move not in self.excluded]
