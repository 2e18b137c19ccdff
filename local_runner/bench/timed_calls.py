"""The timed calls of one agent, as the latency benchmark collects them and its plot shows them."""

from collections.abc import Sequence
from dataclasses import dataclass

from local_runner.game.records import AgentReport, Result
from local_runner.processes.load import Load

LIMIT = 1.0  # seconds; the platform's time limit of a call


@dataclass(frozen=True)
class TimedCall:
    """One call of the agent.

    number: the call's index in its game, from 1
    turn: whether it was the agent's turn
    seconds: wall time
    cpu: CPU seconds that the call used
    """

    number: int
    turn: bool
    seconds: float
    cpu: float


@dataclass(frozen=True)
class Condition:
    """All calls of the agent under one Python and load.

    loading: seconds of the import in each game
    peak_mb: peak memory of the agent's largest process
    lost: number, Black's and White's report, and result of each game that the agent lost by a fault
    """

    python: str
    load: Load
    calls: Sequence[TimedCall]
    loading: Sequence[float]
    peak_mb: float
    lost: Sequence[tuple[int, Sequence[AgentReport], Result]] = ()
