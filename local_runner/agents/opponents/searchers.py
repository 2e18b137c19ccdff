"""For agents that search: options, the time limit of a move, iterative deepening, and alpha-beta with switches.

Values are from the view of the side to move; larger is better. Of equal moves, the first tried is taken. So a switch
that changes the move order may change the move, but not the value. Only quiescence changes the value.
"""

import random
from time import perf_counter
from types import MappingProxyType, SimpleNamespace
from typing import Any, Callable, Dict, Hashable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypeVar

T = TypeVar("T")


class MoveTimeUp(Exception):
    """The time limit is reached. The caller discards the search in progress."""


class MoveClock:
    """A clock that starts when the object is created and runs for `seconds`; None means no limit."""

    def __init__(self, seconds: Optional[float]) -> None:
        self.started = perf_counter()
        self.deadline = None if seconds is None else self.started + seconds

    def check(self) -> None:
        """Raise MoveTimeUp if the time limit has passed."""
        if self.is_over():
            raise MoveTimeUp

    def is_over(self) -> bool:
        """Whether the time limit has passed."""
        return self.deadline is not None and perf_counter() >= self.deadline

    def depths(self, most: int) -> Sequence[int]:
        """The depths to search: 1 to `most` with a time limit, so that a result exists early; else only `most`."""
        return range(most if self.deadline is None else 1, most + 1)

    def spent(self) -> float:
        """Seconds since the clock was created."""
        return perf_counter() - self.started


def deepen(search: Callable[[int], T], depths: Sequence[int]) -> List[T]:
    """Iterative deepening: the results of `search(depth)` for each depth that finished before MoveTimeUp."""
    results: List[T] = []
    try:
        for depth in depths:
            results.append(search(depth))
    except MoveTimeUp:
        pass
    return results


def options_of(
    agent: Any, least: Mapping[str, float], words: Mapping[str, Sequence[Any]] = MappingProxyType({}),
    then: Callable[[], object] = lambda: None,
) -> Tuple[Any, Callable[..., None]]:  # fmt: skip
    """An agent's options as attributes, at first the defaults of its entry in AGENTS, and its function `configure`.

    The attribute `rng` is made from the option `seed`, which may be missing.

    `least`: option -> its least value; if that is an int, the option is a whole number. None is allowed where it is the
    default. `words`: option -> all its values. `then`: called after each change. `configure` raises TypeError for an
    unknown option, and ValueError for a wrong value.
    """
    defaults = agent["options"]
    options = SimpleNamespace()

    def set_to(values: Mapping[str, Any]) -> None:
        vars(options).update(values)
        seed = values.get("seed")
        options.rng = random.Random(random.random() if seed is None else seed)
        then()

    def configure(**given: Any) -> None:
        """Set the agent's options; those that are not given get their defaults."""
        for name, value in given.items():
            if name not in defaults:
                raise TypeError(f"configure() got an unexpected keyword argument '{name}'")
            if value not in words.get(name, (value,)):
                raise ValueError("{} must be one of {}".format(name, ", ".join(map(str, words[name]))))
            limit = least.get(name)
            if limit is None or (value is None and defaults[name] is None):
                continue
            if value is None or value < limit or (isinstance(limit, int) and value != int(value)):
                what = "whole number" if isinstance(limit, int) else "number"
                raise ValueError(f"{name} must be a {what} of at least {limit}, not {value}")
        set_to({**defaults, **given})

    set_to(defaults)
    return options, configure


# ---- alpha-beta

Move = Any  # hashable, not None

INFINITY = float("inf")


class SearchGame:
    """A game for the searches. A pass is a move, so the sides always alternate. A subclass defines

    moves()      the moves to search, in the game's own order; at least one unless the game is over
    play(move)   makes a move; undo(move) takes back the last one
    is_over()    whether the game has ended
    evaluate()   the value for the side to move, also of a game that has ended
    key()        equal for equal positions with the same side to move; the best moves of a depth are stored by this key
    """

    moves: Callable[[], List[Move]]
    play: Callable[[Move], None]
    undo: Callable[[Move], None]
    is_over: Callable[[], bool]
    evaluate: Callable[[], float]
    key: Callable[[], Hashable]

    def forcing(self) -> List[Move]:
        """The moves of the quiescence search. Every sequence of such moves must be finite."""
        return []

    def promise(self, move: Move) -> float:
        """An estimate of a move's value, for move ordering. A game may override this method with a cheaper estimate."""
        self.play(move)
        value = -self.evaluate()
        self.undo(move)
        return value


class SearchResult(NamedTuple):
    """The result of a search. `depth`: last finished depth in plies; `leaves`: number of evaluated nodes."""

    value: float
    move: Move
    depth: int
    nodes: int
    leaves: int


class AlphaBetaSearch:
    """One alpha-beta search of one position, written as negamax.

    pruning      alpha-beta; without it (minimax) every move is searched
    ordered      sort moves by `promise`
    deepening    iterative deepening, with the best move of the last depth first
    quiescence   quiescence search at depth 0, over `forcing` moves, with the evaluation as stand-pat value
    clock        ends the search when its time is up; the result is the best move so far
    """

    def __init__(
        self, game: SearchGame, pruning: bool = True, ordered: bool = False, deepening: bool = False,
        quiescence: bool = False, clock: Optional[MoveClock] = None,
    ) -> None:  # fmt: skip
        self.game = game
        self.pruning, self.ordered, self.deepening, self.quiescence = pruning, ordered, deepening, quiescence
        self.clock = clock or MoveClock(None)
        self.nodes = self.leaves = 0  # visited nodes with the root, and evaluated nodes
        self._hints: Dict[Hashable, Move] = {}  # best moves by position
        self._root: Optional[Tuple[float, Move]] = None  # value and best move so far at the current depth

    def run(self, depth: int) -> SearchResult:
        """Search to `depth` plies, at least 1. The game must not be over.

        If time is up before any result, the result is the first move with the static evaluation. An unfinished depth
        counts as soon as its first move has been searched; with deepening, that is the best move of the depth before.
        """
        depths = range(1 if self.deepening else depth, depth + 1)
        unsearched = (self.game.evaluate(), self.game.moves()[0])
        finished = deepen(self._to_depth, depths)
        value, best = self._root or [unsearched, *finished][-1]
        reached = depths[len(finished) - 1] if finished else 0
        return SearchResult(value, best, reached, self.nodes, self.leaves)

    def _to_depth(self, depth: int) -> Tuple[float, Move]:
        """The value and the best move. Raises MoveTimeUp if time is up; `_root` then holds the best move so far."""
        self._root = None
        value = self._value(depth, -INFINITY, INFINITY, 0)
        return self._root or (value, None)

    def _value(self, depth: int, alpha: float, beta: float, ply: int) -> float:
        """The value if it lies between alpha and beta, else a bound on the value (fail-soft alpha-beta)."""
        game = self.game
        if depth == 0 or game.is_over():
            return self._quiet_value(alpha, beta)
        self._enter()
        key = game.key() if self.deepening else None
        best, best_move, lowest = -INFINITY, None, alpha
        for move in self._in_order(depth, key):
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
            if alpha >= beta and self.pruning:
                break
        if key is not None and best > lowest:
            self._hints[key] = best_move
        return best

    def _quiet_value(self, alpha: float, beta: float) -> float:
        """Quiescence search: the larger of the static evaluation and the value after the best forcing move."""
        self._enter()
        self.leaves += 1
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
        self.nodes += 1
        self.clock.check()

    def _in_order(self, depth: int, key: Hashable) -> List[Move]:
        moves = list(self.game.moves())
        if self.ordered and depth > 1:  # at depth 1 evaluating all children costs as much as the search
            promises = {move: self.game.promise(move) for move in moves}
            moves.sort(key=lambda move: -promises[move])
        hint = self._hints.get(key) if key is not None else None
        if hint is not None:
            moves.remove(hint)
            moves.insert(0, hint)
        return moves
