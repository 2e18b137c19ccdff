"""The record of a finished game, as frozen dataclasses, which `codec.py` turns into JSON.

Players are numbered 0 (Black) and 1 (White); a result's `winner` is the platform's code: 1 Black, 2 White, 3 a draw,
0 nobody. Times are in seconds, memory in MB (10**6 bytes), cells are (row, col).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from env_adapter.endings import Ending
from local_runner.game.faults import Fault, Reason

Cell = tuple[int, int]

BLACK_WINS, WHITE_WINS, DRAW = 1, 2, 3
COLOURS = ("Black", "White")


def player_of(winner: int) -> int | None:
    """The player, 0 Black or 1 White, who has won by a result's code; None if nobody has."""
    return winner - 1 if winner in (BLACK_WINS, WHITE_WINS) else None


@dataclass(frozen=True)
class Loaded:
    """How an agent's process started, or the fault that kept it from starting."""

    seconds: float = 0.0
    cpu: float = 0.0
    rss_mb: float = 0.0  # after the import
    import_mb: float = 0.0  # what the import added
    python: str = ""
    fault: Fault | None = None


@dataclass(frozen=True)
class Reply:
    """The answer to one call. `cell` is None if the answer names no single cell; `bad_form` then says why."""

    cell: Cell | None = None
    seconds: float = 0.0
    cpu: float = 0.0
    bad_form: Fault | None = None
    inner_faults: int = 0
    inner_traceback: str = ""
    thought: Mapping[str, Any] | None = None
    fault: Fault | None = None


@dataclass(frozen=True)
class Call:
    """One call of a controller: the cell that it answered, and the time that it took."""

    step: int
    player: int
    row: int | None
    col: int | None
    seconds: float
    cpu: float
    turn: bool
    replaced: bool = False  # illegal; the referee played a random move instead (lenient games only)
    thought: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class AgentReport:
    """The report on one agent's process in a game, apart from its calls."""

    name: str
    loaded: Loaded = Loaded()
    peak_mb: float = 0.0
    printed_bytes: int = 0
    inner_faults: int = 0
    siblings: tuple[str, ...] = ()  # modules from the agent's folder; these imports fail on the platform
    shadowed: tuple[str, ...] = ()  # modules whose names the platform uses for its own
    output: str = ""  # path of the file with everything that it printed
    cpu_between: float = 0.0  # CPU seconds between its calls
    busy_between: int = 0  # calls after which it went on computing


@dataclass(frozen=True)
class Result:
    """The winner (1 Black, 2 White, 3 a draw, 0 nobody), and the ending or the loser's fault; neither for resigning."""

    winner: int
    ending: Ending | None = None
    fault: Fault | None = None

    @property
    def reason(self) -> Reason:
        """Why the game ended."""
        if self.fault is not None:
            return self.fault.reason
        return Reason.RESIGNATION if self.ending is None else Reason.RULES

    @property
    def loser(self) -> int | None:
        """The player, 0 Black or 1 White, who lost by a fault, if one did."""
        return None if self.fault is None else 2 - self.winner


@dataclass(frozen=True)
class GameRecord:
    """One finished game.

    `cells`: the cell played at every step, the opening included; None for a pass. `log`: the platform's log of it.
    """

    env: str
    rules: str
    seed: int
    opening: tuple[Cell, ...]
    cells: tuple[Cell | None, ...]
    calls: tuple[Call, ...]
    result: Result
    agents: tuple[AgentReport, AgentReport]
    log: Mapping[str, Any]

    def details(self, printed: Mapping[str, str] | None = None, log: str | None = None) -> "GameDetails":
        """The part that a store keeps beside the moves and the result."""
        return GameDetails(self.calls, self.agents, len(self.opening), printed or {}, log)


@dataclass(frozen=True)
class GameDetails:
    """The details of a finished game, which a store keeps beside its moves and its result.

    `opening`: the number of plies before the first call. `printed`: by colour, the end of the agents' output, if one
    lost by a fault. `log`: the path of the platform's log, if it was written.
    """

    calls: tuple[Call, ...]
    agents: tuple[AgentReport, ...]  # Black's and White's
    opening: int = 0
    printed: Mapping[str, str] = field(default_factory=dict)
    log: str | None = None


NO_DETAILS = GameDetails((), ())  # of a game that was read without them
