"""The record of a finished game, as frozen dataclasses, which `codec.py` turns into JSON.

Players are numbered 0 (Black) and 1 (White). A result's `winner` is the platform's code: 1 Black, 2 White, 3 a draw,
0 nobody. Times are in seconds, memory in MB (10**6 bytes). Cells are (row, col).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from env_adapter import Cell
from env_adapter.endings import Ending, Worded
from local_runner.game.faults import Fault, Reason
from local_runner.game.wording import ending_text, fault_text, player_text
from local_runner.language.languages import COLON, Message, _, shown

Colour = Literal["black", "white"]

NOBODY, BLACK_WINS, WHITE_WINS, DRAW = 0, 1, 2, 3


def player_of(winner: int) -> int | None:
    """The player, 0 Black or 1 White, that a result's code names as the winner; None for a draw or no winner."""
    return winner - 1 if winner in (BLACK_WINS, WHITE_WINS) else None


def winner_text(winner: int) -> Message:
    """The text that names the winner. `winner`: the code of a result."""
    words = {BLACK_WINS: Message("Black wins"), WHITE_WINS: Message("White wins"), DRAW: Message("a draw")}
    return words.get(winner, Message("no winner"))


def winner_and_how(winner: int, how: str) -> str:
    """The winner and how the game ended, in the current language. `winner`: 0 if unknown; `how`: "" if unknown."""
    words = [shown(winner_text(winner))] if winner else []
    return shown(COLON).join([*words, *filter(None, [shown(how)])]) or _("unfinished")


@dataclass(frozen=True)
class Loaded:
    """The measurements of an agent's start, or the fault that kept the agent from starting."""

    seconds: float = 0.0
    cpu: float = 0.0
    rss_mb: float = 0.0  # resident memory after the agent was imported
    import_mb: float = 0.0  # resident memory that importing the agent added
    python: str = ""
    fault: Fault | None = None


@dataclass(frozen=True)
class Reply:
    """The answer to one call. If the answer names no single cell, `cell` is None and `bad_form` says why."""

    cell: Cell | None = None
    seconds: float = 0.0
    cpu: float = 0.0
    bad_form: Fault | None = None
    inner_faults: int = 0  # number of exceptions that the agent has caught itself
    inner_traceback: str = ""
    thought: Mapping[str, Any] | None = None  # the value of the agent's last_thought()
    changed: bool = False  # during this call, the agent has changed the list that it returned in the call before
    fault: Fault | None = None


@dataclass(frozen=True)
class Call:
    """One call of a controller: the cell of its answer, and the time that the call took."""

    step: int
    player: int
    row: int | None
    col: int | None
    seconds: float
    cpu: float
    turn: bool  # the controller's side was to move
    replaced: bool = False  # the answer was illegal, and the referee played a random move (only if not strict)
    thought: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class AgentReport:
    """The facts about one agent's process in a game, apart from its calls."""

    name: str
    loaded: Loaded = Loaded()
    peak_mb: float = 0.0
    printed_bytes: int = 0
    inner_faults: int = 0
    siblings: tuple[str, ...] = ()  # modules imported from the agent's folder; these imports fail on the platform
    shadowed: tuple[str, ...] = ()  # modules from the agent's folder that have the name of a module of the platform
    output: str = ""  # path of the file with everything that the agent printed
    cpu_between: float = 0.0  # CPU seconds that the agent used between its calls
    busy_between: int = 0  # number of calls after which the agent still computed
    core_share: float = 1.0  # share of a core that the agent got in its calls: CPU time / (CPU time + waiting)


class Verdict(Worded):
    """Why the runner has adjudicated a game, by the options --draw-after, --draw and --resign."""

    DRAW_AFTER = "draw after", "adjudicated: the game had reached the largest number of plies"
    DRAW = "draw", "adjudicated: both sides' scores stayed near 0"
    RESIGN = "resign", "adjudicated: the loser's scores stayed low"


@dataclass(frozen=True)
class Result:
    """The result of a game. If `ending`, `fault` and `verdict` are None, the loser has resigned.

    Attributes:
        winner: 1 Black, 2 White, 3 a draw, 0 nobody, as the platform counts.
        ending: The ending, if the game ended by the rules.
        fault: The loser's fault, or the reason why nobody wins.
        verdict: The option, such as --draw, by which the runner ended the game.
    """

    winner: int
    ending: Ending | None = None
    fault: Fault | None = None
    verdict: Verdict | None = None

    @property
    def colour(self) -> Colour | None:
        """The winner, `"black"` or `"white"`; None for a draw and if nobody has won."""
        return "black" if self.winner == BLACK_WINS else "white" if self.winner == WHITE_WINS else None

    @property
    def points(self) -> tuple[float, float]:
        """Black's and White's points: 1 for a win, 0.5 for a draw, 0 otherwise."""
        black, white = ({winner: 1.0, DRAW: 0.5}.get(self.winner, 0.0) for winner in (BLACK_WINS, WHITE_WINS))
        return black, white

    @property
    def reason(self) -> Reason:
        """The reason why the game ended, a text: `"by the rules"`, `"resignation"`, `"time"`, `"crash"` and others."""
        if self.fault is not None:
            return self.fault.reason
        if self.verdict is not None:
            return Reason.ADJUDICATION
        return Reason.RESIGNATION if self.ending is None else Reason.RULES

    @property
    def text(self) -> str:
        """How the game ended, as text: the rule, the runner's verdict, the fault or resignation, or why nobody wins."""
        if self.ending is not None:
            return ending_text(self.ending)
        if self.verdict is not None:
            return Message(self.verdict.template)
        if self.fault is not None and self.loser is None:
            return fault_text(self.fault)
        return player_text(2 - self.winner, Message("resigns") if self.fault is None else fault_text(self.fault))

    @property
    def unmeasured(self) -> bool:
        """Whether the machine was too busy to measure the game. Such a game counts in no score."""
        return self.fault is not None and self.fault.reason is Reason.MACHINE

    @property
    def loser(self) -> int | None:
        """The player, 0 Black or 1 White, who lost by a fault; None if no player did."""
        return None if self.fault is None or self.unmeasured else 2 - self.winner

    def __str__(self) -> str:
        return winner_and_how(self.winner, self.text)


@dataclass(frozen=True)
class WordedResult(Result):
    """The result of a game of a file that says neither by which rule nor by which fault the game ended."""

    words: str = ""  # how the game ended, as the file says; "" if it does not say

    @property
    def reason(self) -> Reason:
        """`"unknown"`."""
        return Reason.UNKNOWN

    @property
    def text(self) -> str:
        """`words`."""
        return self.words


@dataclass(frozen=True)
class GameRecord:
    """One finished game."""

    opening: tuple[Cell, ...]
    cells: tuple[Cell | None, ...]  # the cell of each ply, the opening included; None for a pass or lost turn
    calls: tuple[Call, ...]
    result: Result
    agents: tuple[AgentReport, AgentReport]
    log: Mapping[str, Any]  # the log in the platform's format

    def details(self, printed: Mapping[str, str] | None = None, log: str | None = None) -> "GameDetails":
        """The details that a file of games holds beside the moves and the result."""
        return GameDetails(self.calls, self.agents, len(self.opening), printed or {}, log)


@dataclass(frozen=True)
class GameDetails:
    """The details of a finished game, which a file of games holds beside its moves and its result."""

    calls: tuple[Call, ...]
    agents: tuple[AgentReport, ...]  # Black's and White's
    opening: int = 0  # number of plies before the first call
    printed: Mapping[str, str] = field(default_factory=dict)  # colour -> end of the agent's output, after a fault
    log: str | None = None  # path of the log in the platform's format, if it was written


NO_DETAILS = GameDetails((), ())  # of a game whose file has no details
