"""What is known of a game once it is over: values only, all frozen, all JSON-able through `as_json`.

Players are 0 (Black) and 1 (White) as indices; a result's `winner` keeps the platform's code: 1, 2, 3 a draw.
Times are in seconds, memory in MB (of 10**6 bytes), cells are (row, col).
"""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

Cell = tuple[int, int]

BLACK_WINS, WHITE_WINS, DRAW = 1, 2, 3
COLOURS = ("Black", "White")


class Reason(Enum):
    """Why a game ended. All but the first are faults, with which the agent at fault has lost."""

    RULES = "by the rules"  # which rule is in the result's detail
    ILLEGAL_MOVE = "illegal move"
    BAD_SHAPE = "bad shape"  # an answer that the platform refuses or cannot decode
    CRASH = "crash"  # raised, exited, or the process died
    TIME = "time"
    MEMORY = "memory"
    WROTE = "wrote to the observation"  # on the platform that is the board itself
    PROTOCOL = "garbage in the runner's pipe"
    INNER_FAULT = "fault inside"  # caught by the agent, reported by its last_fault()


@dataclass(frozen=True)
class Fault:
    """What an agent did wrong, in a sentence; `traceback` is "" where there is none."""

    reason: Reason
    sentence: str
    traceback: str = ""


@dataclass(frozen=True)
class Loaded:
    """How an agent's process started; `fault` is why it could not."""

    seconds: float = 0.0
    cpu: float = 0.0
    rss_mb: float = 0.0  # after the import
    import_mb: float = 0.0  # what the import added
    python: str = ""
    fault: Fault | None = None


@dataclass(frozen=True)
class Reply:
    """One answered (or failed) call. `cell` is None where the answer names no single cell; see `bad_code`."""

    cell: Cell | None = None
    seconds: float = 0.0
    cpu: float = 0.0
    bad_code: str = ""
    inner_faults: int = 0
    inner_traceback: str = ""
    thought: Mapping[str, Any] | None = None
    fault: Fault | None = None


@dataclass(frozen=True)
class Call:
    """One call of a controller: the answer's cell, its price, and what became of it."""

    step: int
    player: int
    row: int | None
    col: int | None
    seconds: float
    cpu: float
    turn: bool
    replaced: bool = False  # illegal, and exchanged for a random move as on the platform (lenient games only)
    thought: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class AgentReport:
    """What one agent's process did over a game, beside its calls."""

    name: str
    loaded: Loaded
    peak_mb: float
    printed_bytes: int
    inner_faults: int
    siblings: tuple[str, ...]  # imported from the agent's folder: would fail on the platform
    shadowed: tuple[str, ...]  # among them or on its own sys.path: names that are taken on the platform
    output: str  # the file with all it printed


@dataclass(frozen=True)
class Result:
    """Who won (1, 2, 3 a draw) and why; `fault` is the loser's, None where the rules decided."""

    winner: int
    reason: Reason
    detail: str
    fault: Fault | None = None


@dataclass(frozen=True)
class GameRecord:
    """One finished game.

    `cells`: what was played at every step, the opening's first, None for a pass. `log`: the platform's log of it, as
    `platform_log` writes it.
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

    @property
    def moves(self) -> tuple[Call, ...]:
        """The calls on turn, in order, passes among them."""
        return tuple(call for call in self.calls if call.turn)

    @property
    def loser(self) -> int | None:
        """The player who lost by a fault, None where the rules decided."""
        return None if self.result.fault is None else 2 - self.result.winner


def as_json(value: Any) -> Any:
    """A record as plain dicts, lists, numbers and strings."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): as_json(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):  # e.g. no limit; JSON has no number for it
        return str(value)
    return value
