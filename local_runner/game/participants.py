"""The parties of a session: contestants give moves, watchers observe. Also finds the fault in a contestant's reply.

Knows the rules only through `env_adapter`, and no processes.
"""

from typing import TYPE_CHECKING, Any, Protocol

from env_adapter import Cell, Game
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.records import COLOURS, AgentReport, Call, Loaded, Reply, Result
from local_runner.game.wording import illegal_move
from local_runner.language.languages import _

if TYPE_CHECKING:
    from local_runner.game.session import GameSession


class Contestant(Protocol):
    """Gives the moves of one side; `processes.process.AgentProcess` is one. `is_ours`: it comes with the project."""

    @property
    def name(self) -> str: ...

    @property
    def is_ours(self) -> bool: ...

    def start(self) -> Loaded:
        """Get ready."""

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """Answer, on turn or off turn."""

    def report(self) -> AgentReport:
        """The contestant's name, load time, memory, output and faults so far."""


Seat = Contestant | str
Seats = tuple[Seat, Seat]  # Black's, White's


class Watcher:
    """Receives a session's events, in the thread that drives it. Subclass it; these methods do nothing."""

    def began(self, session: "GameSession") -> None:
        """The opening is on the board; contestants are not loaded yet."""

    def asked(self, player: int, turn: bool) -> None:
        """A contestant, 0 Black or 1 White, starts to think, on turn or off turn."""

    def answered(self, call: Call) -> None:
        """A contestant has answered, or a move was given to `play`."""

    def moved(self, cell: Cell | None) -> None:
        """A ply was made; None is a pass or a lost turn."""

    def undone(self, plies: int) -> None:
        """The last plies were taken back."""

    def ended(self, result: Result) -> None:
        """The game is over."""


def report_of(seat: Seat) -> AgentReport:
    """The report of a seat's contestant; a seat that is only a name has an empty report with that name."""
    return AgentReport(seat) if isinstance(seat, str) else seat.report()


def fault_in(reply: Reply, env: Game, *, decoded: bool, strict: bool) -> Fault | None:
    """The fault by which a reply loses the game, if any.

    `decoded`: the platform reads a move from the reply. `strict`: an illegal move or a fault that the agent has caught
    itself loses.
    """
    if reply.fault is not None:
        return reply.fault
    if decoded and reply.bad_form:
        return reply.bad_form
    if strict and reply.inner_faults:
        last_line = reply.inner_traceback.strip().rpartition("\n")[2]
        return Fault(FaultKind.CAUGHT, {"error": last_line}, reply.inner_traceback)
    if strict and decoded and (why := env.why_illegal(reply.cell)) is not None:
        assert reply.cell is not None  # else bad_form would say why
        row, col = reply.cell
        return Fault(FaultKind.ILLEGAL, {"row": row, "col": col, **illegal_move(env, reply.cell, why)})
    return None


def colour(player: int) -> str:
    """Black or White, in the current language."""
    return (_("Black"), _("White"))[player]


def named(player: int, name: str) -> str:
    """A player's name; a name that is only the colour, as in files of moves, is translated."""
    return colour(player) if name == COLOURS[player] else name
