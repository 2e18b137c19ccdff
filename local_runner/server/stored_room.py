"""What is kept of a room in the store, and what pages are shown of it: plain values, in no language.

A room's clock follows from the seconds of its plies: the sides alternate at every ply.
"""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from local_runner.analysis.levels import LEVELS
from local_runner.game.board_data import BoardData, MovesData
from local_runner.game.records import Result
from local_runner.game.wording import result_text
from local_runner.language.languages import Message, shown
from local_runner.language.text import ending, in_line, shortened
from local_runner.server.messages import PagePosition, Player, RoomHeading, Seat, State
from local_runner.server.seats import HUMAN
from local_runner.server.words import ended

MOST_FAULT = 20_000  # characters of a fault's traceback and output that a page is shown


class StoredRoom(BaseModel):
    """A room, as a row of the store. `start`: how many of the moves belong to its beginning.

    `seconds`: of thought, by ply. `problem`: why the game cannot go on, if no rule and no agent's fault ended it.
    `printed`: the end of the output of the agent at fault. `result`: None if the game goes on.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    room: str
    position: PagePosition
    start: int
    seats: tuple[Seat, Seat]
    names: tuple[str, str]
    lose_turn: bool = False
    ponder: bool = True
    seconds: tuple[float | None, ...] = ()
    problem: str = ""
    printed: str = ""
    result: Result | None = None
    changed: str = ""

    @property
    def heading(self) -> RoomHeading:
        """What the list of games shows, in the language that is used."""
        return RoomHeading(
            room=self.room, env=self.position.env, names=in_words(self.names), plies=len(self.position.moves),
            winner=self.result.winner if self.result else 0, changed=self.changed,
        )  # fmt: skip


@dataclass(frozen=True)
class RoomView:
    """What pages see of a room now."""

    kept: StoredRoom
    board: BoardData
    moves: MovesData
    thinking: Player | None
    result: Result | None

    @property
    def ply(self) -> int:
        """How many plies were made, those of the beginning included."""
        return len(self.moves["moves"])

    def state(self, tag: int | None = None) -> State:
        """The message, in the language that is used."""
        room = self.kept
        return State(
            tag=tag, room=room.room, board=dict(self.board), moves=dict(self.moves), seats=room.seats,
            names=in_words(room.names), thinking=self.thinking, clock=self._clock(), seconds=list(room.seconds),
            result=self._result(), fault=self._fault(), lose_turn=room.lose_turn, ponder=room.ponder,
            position=room.position,
        )  # fmt: skip

    def _clock(self) -> tuple[float, float]:
        used, first = [0.0, 0.0], self.board["first"] - 1
        for ply, seconds in enumerate(self.kept.seconds):
            used[(first + ply) % 2] += seconds or 0.0
        return round(used[0], 3), round(used[1], 3)

    def _result(self) -> str:
        if self.result is None:
            return self.kept.problem
        return ended(self.result.winner, result_text(self.result))

    def _fault(self) -> str:
        fault = self.result.fault if self.result else None
        if fault is None and not self.kept.problem:
            return ""
        parts = [fault.traceback.rstrip() if fault else "", self.kept.printed.rstrip()]
        return "\n\n".join(ending(part, MOST_FAULT) for part in parts if part)


def in_words(names: tuple[str, str]) -> tuple[str, str]:
    """The names of both sides in the language that is used; those that are no messages stay."""
    black, white = (shortened(shown(Message(name) if name in KNOWN else in_line(name))) for name in names)
    return black, white


KNOWN = {HUMAN, *(level.name for level in LEVELS)}  # names that are messages
