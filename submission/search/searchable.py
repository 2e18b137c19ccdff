"""The interfaces between the search, a game and its evaluation: `Position` is required, `Tactics` are optional hints.

The default of each hint means "nothing is known". So a game written in ten lines of code can be searched. To add an
evaluator, write a subclass of the game's Evaluator in a new file and enter it in the game's EVALUATORS.

Values are in the view of the side to move. A win in n plies is worth WIN - n, a loss n - WIN, so shorter wins are
preferred.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Tuple

from .clock import Deadline
from .parameters import SearchParameters

if TYPE_CHECKING:
    from typing import Protocol  # novm
else:
    Protocol = object  # Python 3.7 has no typing.Protocol

WIN = 1000000
PROVED_WIN = WIN - 1000  # a value of at least this is a proved win, of at most -PROVED_WIN a proved loss
MOST_PLIES = 10000  # longer than any game
INFINITE = 1000001  # greater than every value, since every value is below WIN


class Position(Protocol):
    """The methods that every game must implement."""

    @property
    def key(self) -> int:
        """Equal for equal positions with the same side to move."""

    def outcome(self) -> Optional[int]:
        """None while the result is open; else WIN - n, n - WIN, or a value between (0: a draw; Reversi: by discs)."""

    def moves(self, depth: int = 0) -> List[int]:
        """Candidate moves, best first; empty only if the game is over.

        `depth`: plies left to search, 0 at the root. A position may give fewer candidates at lower depths.
        """

    def play(self, move: int) -> None: ...

    def undo(self) -> None: ...

    def evaluate(self, alpha: int, beta: int) -> int:
        """Value of an undecided position, less than any win. Outside the window (alpha, beta) a bound is enough."""


class Margins(NamedTuple):
    """Margins of futility pruning (above beta) and razoring (below alpha): one item per depth left, from 1 ply.

    A node whose value is outside the window by at least the margin is not searched. Depths without an item are not
    pruned.
    """

    futility: Tuple[int, ...] = ()
    razoring: Tuple[int, ...] = ()


class Tactics:
    """Optional hints to the search. A position inherits from this class and overrides what it knows."""

    parameters = SearchParameters()
    margins = Margins()
    probcut_depths: Tuple[int, ...] = ()  # depth of ProbCut's shallow search, by the depth left; 0: none

    def forced(self) -> bool:
        """Whether a threat leaves a single move, which is searched first: evaluate() is unreliable under a threat."""
        return False

    def quiet(self) -> bool:
        """Whether the mover may ignore all threats. Futility pruning, razoring and ProbCut need a quiet position."""
        return True

    def plies_left(self) -> int:
        """Most plies that the game can still last. A search of this depth prunes and reduces nothing.

        But the search may use values that earlier iterations, which pruned, have stored in the transposition table.
        """
        return MOST_PLIES

    def forced_win(self, depth: int, deadline: Deadline) -> int:
        """Length in plies of a win by threats, 0 if none is found. A greater `depth` left justifies more effort."""
        return 0

    def winning_line(self, deadline: Deadline) -> List[int]:
        """The moves of a win by threats, empty if none is found. Called once, at the root."""
        return []

    def root_moves(self, moves: List[int], deadline: Deadline) -> List[int]:
        """The candidates at the root, sorted again; may take more time than moves()."""
        return moves

    def defences(self, moves: List[int], deadline: Deadline) -> List[int]:
        """More moves, which are searched if all of `moves` lose."""
        return []

    def quick_value(self) -> int:
        """A cheap value in the mover's view. The mover is "improving" if this value has not fallen in two plies."""
        return 0

    def probcut_margin(self) -> int:
        """ProbCut's margin: the value of its shallow search must be this far outside the window for a cutoff."""
        return 0


NO_TACTICS = Tactics()


class Evaluator:
    """Values of one position in the view of the side to move.

    unit: a reference value, such as the value of one disc; each evaluator documents its unit
    margins: of futility pruning and razoring, in the same unit as the values
    incremental: whether the position must call `play` and `undo`; it always calls `reset`
    """

    unit = 1
    margins = Margins()
    incremental = False

    def __init__(self, position: Any) -> None:
        self.position = position

    def reset(self) -> None:
        """Called after the position was set up: recompute everything from the board."""

    def play(self, move: int) -> None:
        """Called after a move was played; position.side is already the opponent."""

    def undo(self) -> None:
        """Called after a move was taken back."""

    def quick(self) -> int:
        """A cheap value, good enough to compare a position with one two plies earlier."""
        return self.value()

    def value(self, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        """The value; outside the window (alpha, beta) a bound on the same side of it is enough."""
        raise NotImplementedError


class Evaluated(Tactics):
    """A position whose values come from an evaluator. Subclasses also inherit from a board with play() and undo()."""

    play: Any
    undo: Any
    evaluator: Any  # an Evaluator of the game

    def use(self, evaluator: Evaluator) -> None:
        """Take values and margins from `evaluator` and, if it is incremental, tell it of every move."""
        self.evaluator, self.margins = evaluator, evaluator.margins
        if type(self).evaluate is Evaluated.evaluate:  # not overridden: a value costs one call less
            self.evaluate = evaluator.value  # type: ignore[method-assign]
        if evaluator.incremental:
            play, undo = self.play, self.undo

            def play_and_tell(move: int) -> None:
                play(move)
                evaluator.play(move)

            def undo_and_tell() -> None:
                undo()
                evaluator.undo()

            self.play, self.undo = play_and_tell, undo_and_tell

    def evaluate(self, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        """The evaluator's value in the mover's view, or a bound outside (alpha, beta)."""
        value: int = self.evaluator.value(alpha, beta)
        return value

    def quick_value(self) -> int:
        """The evaluator's cheap value in the mover's view."""
        value: int = self.evaluator.quick()
        return value
