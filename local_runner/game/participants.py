"""The parties of a session: contestants give moves, watchers observe. Also finds the fault in a contestant's reply.

Knows the rules only through `env_adapter`, and no processes.
"""

from typing import TYPE_CHECKING, Any, Protocol

from env_adapter import Cell, Game
from local_runner.game.records import COLOURS, AgentReport, Call, Fault, Loaded, Reason, Reply, Result
from local_runner.language.languages import Cells, Message, _

if TYPE_CHECKING:
    from local_runner.game.session import GameSession

SHOWN = 5  # legal cells that the sentence about an illegal move names


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
    return AgentReport(seat, Loaded(), 0.0, 0, 0, (), (), "") if isinstance(seat, str) else seat.report()


def fault_in(reply: Reply, env: Game, *, decoded: bool, strict: bool) -> Fault | None:
    """The fault by which a reply loses the game, if any.

    `decoded`: the platform reads a move from the reply. `strict`: an illegal move or a fault that the agent has caught
    itself loses.
    """
    if reply.fault is not None:
        return reply.fault
    if decoded and reply.bad_code:
        return Fault(Reason.BAD_SHAPE, f"answered in the wrong form: {reply.bad_code}")
    if strict and reply.inner_faults:
        last_line = reply.inner_traceback.strip().rpartition("\n")[2]
        return Fault(Reason.INNER_FAULT, f"caught a fault of its own: {last_line}", reply.inner_traceback)
    if strict and decoded and reply.cell not in env.legal_moves():
        assert reply.cell is not None  # else bad_code would say why
        subject = f"played (row, col) = {reply.cell}, which"
        return Fault(Reason.ILLEGAL_MOVE, why_illegal(env, reply.cell, subject))
    return None


def why_illegal(env: Game, cell: Cell, subject: str) -> Message:
    """Why a cell is illegal, and which cells are legal: a sentence about `subject`."""
    if not isinstance(cell, tuple) or len(cell) != 2 or not all(type(part) is int for part in cell):
        return Message("{subject} is no cell; give (row, col), two whole numbers", subject=subject)
    if not (0 <= cell[0] < env.board_height and 0 <= cell[1] < env.board_width):
        last = (env.board_height - 1, env.board_width - 1)
        sentence = Message("{subject} is off the board, whose cells are from {first} to {last}")
        return Message(sentence, subject=subject, first=Cells((0, 0)), last=Cells(last))
    holders = (Message("{subject} {why}"), Message("{subject} holds a stone of Black's"),
               Message("{subject} holds a stone of White's"))  # fmt: skip
    holder = holders[env.stones()[cell[0]][cell[1]]]
    why = Message(holder, subject=subject, why=Message(env.illegal_free))
    legal = env.legal_moves()
    cells, more = Cells(", ".join(map(str, legal[:SHOWN]))), len(legal) - SHOWN
    if more > 0:
        return Message("{why}; legal: {cells} and {more} more", why=why, cells=cells, more=more)
    return Message("{why}; legal: {cells}", why=why, cells=cells)


def colour(player: int) -> str:
    """Black or White, in the language that is used."""
    return (_("Black"), _("White"))[player]


def named(player: int, name: str) -> str:
    """A player's name; if it is only the colour, as files of moves have it, in the language that is used."""
    return colour(player) if name == COLOURS[player] else name
