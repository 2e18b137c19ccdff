"""Searchers for any game of two sides in turn, which count what they look at: for opponents and for experiments.

A `Game` is played on and taken back; values are from the side to move, the larger the better.
    minimax, negamax    the definition, written in its two ways: no cut, no memory; all others must find their value
    Search              alpha-beta, and by switches: better orders of moves, a table, deepening, quiescence
Of moves of equal value the first that was tried is chosen, so a switch that changes the order may change the move,
never the value; only quiescence changes that. Tables grow as they like: they are for searches of seconds.
"""

from abc import ABC, abstractmethod
from typing import Any, Dict, Hashable, List, NamedTuple, Optional, Tuple

from .clock import Clock, deepen

Move = Any  # hashable, not None

INFINITY = float("inf")
EXACT, AT_LEAST, AT_MOST = range(3)  # what a value in the table says of the true one


class Game(ABC):
    """What a searcher asks of a game. A pass is a move like any other, so that the sides always take turns."""

    @abstractmethod
    def moves(self) -> List[Move]:
        """The moves worth trying, in the game's own order; at least one unless the game is over."""

    @abstractmethod
    def play(self, move: Move) -> None:
        """Make a move."""

    @abstractmethod
    def undo(self, move: Move) -> None:
        """Take back the last move."""

    @abstractmethod
    def is_over(self) -> bool:
        """Whether no move is due."""

    @abstractmethod
    def evaluate(self) -> float:
        """What the position is worth to the side to move, also where the game is over."""

    @abstractmethod
    def key(self) -> Hashable:
        """Equal for equal positions with the same side to move."""

    def forcing(self) -> List[Move]:
        """The moves that quiescence goes on with; playing only these must come to an end."""
        return []

    def promise(self, move: Move) -> float:
        """How good a move looks before it is searched; a game may know a cheaper way."""
        self.play(move)
        value = -self.evaluate()
        self.undo(move)
        return value


class Found(NamedTuple):
    """What a search found. `depth` is the last that was finished, in plies; `leaves` are the nodes evaluated."""

    value: float
    move: Move
    depth: int
    nodes: int
    leaves: int


class Count:
    """Nodes visited, the root among them, and how many of these were evaluated."""

    def __init__(self) -> None:
        self.nodes = 0
        self.leaves = 0


def minimax(game: Game, depth: int) -> Found:
    """Max and Min in turn, all values from the root's side; `depth` in plies, at least 1."""
    count = Count()
    value, move = _minimax(game, depth, True, count)
    return Found(value, move, depth, count.nodes, count.leaves)


def _minimax(game: Game, depth: int, is_max: bool, count: Count) -> Tuple[float, Move]:
    count.nodes += 1
    if depth == 0 or game.is_over():
        count.leaves += 1
        value = game.evaluate()
        return (value if is_max else -value), None
    best, best_move = (-INFINITY if is_max else INFINITY), None
    for move in game.moves():
        game.play(move)
        value, _ = _minimax(game, depth - 1, not is_max, count)
        game.undo(move)
        if best_move is None or (value > best if is_max else value < best):
            best, best_move = value, move
    return best, best_move


def negamax(game: Game, depth: int) -> Found:
    """The same value from one function: every node is Max, and what is good for the child is bad for it."""
    count = Count()
    value, move = _negamax(game, depth, count)
    return Found(value, move, depth, count.nodes, count.leaves)


def _negamax(game: Game, depth: int, count: Count) -> Tuple[float, Move]:
    count.nodes += 1
    if depth == 0 or game.is_over():
        count.leaves += 1
        return game.evaluate(), None
    best, best_move = -INFINITY, None
    for move in game.moves():
        game.play(move)
        value = -_negamax(game, depth - 1, count)[0]
        game.undo(move)
        if best_move is None or value > best:
            best, best_move = value, move
    return best, best_move


class Search:
    """Alpha-beta, and what is switched on beside it; one search of one position.

    ordered     moves that look best first, by `promise`
    history     before these, moves that have cut elsewhere
    table       values of positions met before, and their best moves first
    deepening   depth 1, 2, ... in turn, the best moves of the depth before first
    quiescence  beyond the last ply only forcing moves, or none if the side to move would rather stop
    clock       when its time is up the search ends with the best that it has found until then
    """

    def __init__(
        self,
        game: Game,
        ordered: bool = False,
        history: bool = False,
        table: bool = False,
        deepening: bool = False,
        quiescence: bool = False,
        clock: Optional[Clock] = None,
    ) -> None:
        self.game = game
        self.ordered = ordered
        self.history = history
        self.table = table
        self.deepening = deepening
        self.quiescence = quiescence
        self.clock = clock or Clock(None)
        self.count = Count()
        self._cuts: Dict[Tuple[int, Move], int] = {}  # by the side, 0 the root's, and move
        self._values: Dict[Hashable, Tuple[int, float, int]] = {}  # depth, value, and what that says
        self._hints: Dict[Hashable, Move] = {}  # best moves
        self._root: Optional[Tuple[float, Move]] = None  # the best move yet of the depth being searched

    def run(self, depth: int) -> Found:
        """Search to `depth` plies, at least 1, a position that is not over.

        Out of time before anything was found: the first move, with the position's own evaluation. A depth that is
        cut short counts if it began with the best move of the one before, which it then betters or keeps.
        """
        depths = range(1 if self.deepening else depth, depth + 1)
        unsearched = (self.game.evaluate(), self.game.moves()[0])
        finished = deepen(self._to_depth, depths)
        value, best = self._root or [unsearched, *finished][-1]
        return Found(value, best, depths[len(finished) - 1] if finished else 0, self.count.nodes, self.count.leaves)

    def _to_depth(self, depth: int) -> Tuple[float, Move]:
        """The value and the best move; broken off, the best so far stays in `_root`. Raises TimeUp."""
        self._root = None
        value = self._value(depth, -INFINITY, INFINITY, 0)
        return self._root or (value, None)

    def _value(self, depth: int, alpha: float, beta: float, ply: int) -> float:
        """The value, if it lies between alpha and beta; else a bound of it on the same side of the two."""
        game = self.game
        if depth == 0 or game.is_over():
            return self._quiet_value(alpha, beta)
        self._enter()
        key = game.key() if self.table or self.deepening else None
        if self.table and ply:
            known = self._values.get(key)
            if known is not None and known[0] == depth and _settles(known, alpha, beta):
                return known[1]
        best, best_move, lowest = -INFINITY, None, alpha
        for move in self._in_order(depth, ply, key):
            game.play(move)
            try:
                value = -self._value(depth - 1, -beta, -alpha, ply + 1)
            finally:
                game.undo(move)
            if best_move is None or value > best:
                best, best_move = value, move
                if ply == 0:
                    self._root = (best, best_move)
            alpha = max(alpha, best)
            if alpha >= beta:
                self._cuts[ply % 2, move] = self._cuts.get((ply % 2, move), 0) + depth * depth
                break
        if key is not None and best > lowest:
            self._hints[key] = best_move
        if self.table:
            bound = AT_LEAST if best >= beta else AT_MOST if best <= lowest else EXACT
            self._values[key] = (depth, best, bound)
        return best

    def _quiet_value(self, alpha: float, beta: float) -> float:
        """The evaluation, or what forcing moves make of it if that is better for the side to move."""
        self._enter()
        self.count.leaves += 1
        game = self.game
        best = game.evaluate()
        if not self.quiescence or best >= beta or game.is_over():
            return best
        for move in game.forcing():
            game.play(move)
            try:
                best = max(best, -self._quiet_value(-beta, -max(alpha, best)))
            finally:
                game.undo(move)
            if best >= beta:
                break
        return best

    def _enter(self) -> None:
        self.count.nodes += 1
        self.clock.check()

    def _in_order(self, depth: int, ply: int, key: Hashable) -> List[Move]:
        moves = list(self.game.moves())
        if self.ordered and depth > 1:  # to look at all children costs as much as to search the last ply
            promises = {move: self.game.promise(move) for move in moves}
            moves.sort(key=lambda move: -promises[move])
        if self.history:
            moves.sort(key=lambda move: -self._cuts.get((ply % 2, move), 0))
        hint = self._hints.get(key) if key is not None else None
        if hint is not None:
            moves.remove(hint)
            moves.insert(0, hint)
        return moves


def _settles(known: Tuple[int, float, int], alpha: float, beta: float) -> bool:
    """Whether a value from the table does for this window."""
    _, value, bound = known
    return bound == EXACT or (value >= beta if bound == AT_LEAST else value <= alpha)
