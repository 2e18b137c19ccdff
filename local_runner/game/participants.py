"""The contestants of a session, which give the moves. `fault_in` finds faults in their replies.

This module knows the rules only through `env_adapter`, and does not know about processes.
"""

from typing import Any, Protocol

from env_adapter import Game, Quirk
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.records import COLOURS, AgentReport, Loaded, Reply
from local_runner.game.wording import illegal_move
from local_runner.language.languages import _


class Contestant(Protocol):
    """Gives the moves of one side, as `processes.process.AgentProcess` does.

    `is_ours`: whether the contestant comes with the project.
    """

    @property
    def name(self) -> str: ...

    @property
    def is_ours(self) -> bool: ...

    def start(self) -> Loaded:
        """Load the contestant. The returned `Loaded` holds a fault if loading has failed."""

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """Answer an observation, on turn or off turn."""

    def report(self) -> AgentReport:
        """The contestant's name and its load time, memory, output and faults so far."""


Seat = Contestant | str  # str: the name of a side whose moves are given to `GameSession.play`
Seats = tuple[Seat, Seat]  # Black's, White's


def report_of(seat: Seat) -> AgentReport:
    """The report of a seat's contestant. For a seat that is only a name, a report with nothing but the name."""
    return AgentReport(seat) if isinstance(seat, str) else seat.report()


def fault_in(reply: Reply, env: Game, *, decoded: bool, strict: bool) -> Fault | None:
    """The fault in a reply that loses the game; None if there is none.

    `decoded`: whether the platform would read a move from this reply. `strict`: whether an illegal move, or an
    exception that the agent has caught itself, loses the game.
    """
    if reply.fault is not None:
        return reply.fault
    if decoded and reply.bad_form and (reply.cell is None or Quirk.ANSWER_READ_BLINDLY not in env.quirks):
        return reply.bad_form
    if strict and reply.inner_faults:
        last_line = reply.inner_traceback.strip().rpartition("\n")[2]
        return Fault(FaultKind.CAUGHT, {"error": last_line}, reply.inner_traceback)
    if strict and decoded and (why := env.why_illegal(reply.cell)) is not None:
        assert reply.cell is not None  # a reply without a cell has `bad_form`, which is returned above
        row, col = reply.cell
        return Fault(FaultKind.ILLEGAL, {"row": row, "col": col, **illegal_move(env, reply.cell, why)})
    return None


def colour(player: int) -> str:
    """The name of a colour, 0 Black or 1 White, in the current language."""
    return (_("Black"), _("White"))[player]


def named(player: int, name: str) -> str:
    """A player's name. A name that is only the colour, as in files of moves, is translated."""
    return colour(player) if name == COLOURS[player] else name
