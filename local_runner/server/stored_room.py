"""A room as the store keeps it, and as its pages are shown it. Texts are kept untranslated.

The file of a room has a line with the settings, then a line for each change with the fields that have changed:

    {"room":"k2j...","position":{"env":"gobang_1v1",...},"seats":[...],"names":[...],"time":"2026-01-01T12:00:00.000Z"}
    {"cells":[112],"seconds":[1.5],"time":...}     one ply, or several if a side had to pass
    {"undo":0,"result":{...},"time":...}           only the first 0 plies stay; the game ends

The clock of a room is computed from the seconds of its plies, because the sides alternate at every ply.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ConfigDict

from local_runner.game.board_data import BoardData, MovesData
from local_runner.game.records import Result
from local_runner.game.wording import result_text, winner_text
from local_runner.language.languages import Message, _, shown
from local_runner.language.text import SENTENCE, ending, in_line, shortened
from local_runner.processes.engine.levels import LEVELS
from local_runner.server.answers import Moved, RoomHeading, State
from local_runner.server.wire import PagePosition, Player, SeatSpec

HUMAN = Message("human")
TRANSLATED = {  # names to translate; earlier versions stored a level's name without its number
    str(name): name for name in (HUMAN, *(level.name for level in LEVELS), *(level.title for level in LEVELS))
}
MOST_FAULT = 20_000  # characters of a traceback, and of an agent's output, that a page is shown


class StoredRoom(BaseModel):
    """A room in the store. `start`: the number of moves with which the room began; they cannot be taken back.

    `seconds`: time used for each ply. `problem`: why the game cannot go on, if neither a rule nor an agent's fault
    ended it. `printed`: the end of the output of the agent at fault. `result`: None while the game goes on.
    `changed`: UTC time of the last change, "" before the room is stored.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    room: str
    position: PagePosition
    start: int
    seats: tuple[SeatSpec, SeatSpec]
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
        """The room's entry in the list of games, in the current language."""
        return RoomHeading(
            room=self.room, env=self.position.env, seats=self.seats, names=translated(self.names),
            plies=len(self.position.moves), winner=self.result.winner if self.result else 0,
            to_move=0 if self.result or self.problem else self._to_move, changed=self.changed,
        )  # fmt: skip

    @property
    def _to_move(self) -> int:
        """1 Black, 2 White: the sides alternate at every ply, and the page counts no stones that were set up."""
        first, plies = self.position.first, len(self.position.moves)
        return 3 - first if plies % 2 else first


SETTINGS = {"room", "position", "seats", "names", "lose_turn", "ponder"}
CHANGING = ("seats", "names", "problem", "printed", "result")  # fields that a change replaces


def settings_line(room: StoredRoom) -> dict[str, Any]:
    """The first line of a room's file: the room with the moves of its start only."""
    line = room.model_dump(mode="json", include=SETTINGS)
    line["position"]["moves"] = line["position"]["moves"][: room.start]
    return line | {"time": room.changed}


def change_line(before: StoredRoom, room: StoredRoom) -> dict[str, Any]:
    """The line of a change; {} if nothing but the time has changed."""
    old, new = (list(zip(each.position.moves, each.seconds, strict=True)) for each in (before, room))
    same = next((at for at, ply in enumerate(old) if new[at : at + 1] != [ply]), len(old))
    line: dict[str, Any] = {"undo": same} if same < len(old) else {}
    if same < len(new):
        line |= {"cells": room.position.moves[same:], "seconds": list(room.seconds[same:])}
    earlier, now = before.model_dump(mode="json"), room.model_dump(mode="json")
    line |= {name: now[name] for name in CHANGING if now[name] != earlier[name]}
    return line | {"time": room.changed} if line else {}


def room_of(lines: Iterable[dict[str, Any]]) -> StoredRoom:
    """The room of a file. Raises ValueError for lines that are none of a room."""
    try:
        first, *changes = lines
        values, moves, changed = dict(first), list(first["position"]["moves"]), first["time"]
        start, seconds = len(moves), [None] * len(moves)
        for line in changes:
            del moves[line.get("undo", len(moves)) :], seconds[line.get("undo", len(seconds)) :]
            moves += line.get("cells", ())
            seconds += line.get("seconds", ())
            values |= {name: line[name] for name in CHANGING if name in line}
            changed = line["time"]
    except (KeyError, TypeError) as error:
        raise ValueError(f"this is no room: {error}") from error
    del values["time"]
    return StoredRoom.model_validate({
        **values, "position": {**first["position"], "moves": moves}, "start": start, "seconds": seconds,
        "changed": changed,
    })  # fmt: skip


@dataclass(frozen=True)
class RoomView:
    """A room with the data that its pages draw. `thinking`: the player on turn if an agent plays that side.

    `unkept`: why the store does not have the room, "" if it does. `pace`, `version`: as in State.
    """

    room: StoredRoom
    board: BoardData
    moves: MovesData
    thinking: Player | None
    unkept: str = ""
    pace: float | None = None
    version: int = 0

    def after(self, before: "RoomView | None") -> "RoomView":
        """This view with the version that follows the view before."""
        return replace(self, version=before.version + 1) if before else self

    def continues(self, before: "RoomView") -> bool:
        """Whether nothing but new moves has come since the view before."""
        old, new = before.room.position.moves, self.room.position.moves
        same = (before.room.seats, before.pace) == (self.room.seats, self.pace)
        return same and len(new) > len(old) and new[: len(old)] == old

    def moved(self, plies: int, tag: int | None = None) -> Moved:
        """The Moved message with the moves after `plies` plies. `tag`: the request that it answers."""
        whole = self.state(tag).model_dump(include=set(Moved.model_fields) - {"type"})
        whole["moves"] |= {name: whole["moves"][name][plies:] for name in ("moves", "turned")}
        return Moved(**{**whole, "seconds": whole["seconds"][plies:]})

    def state(self, tag: int | None = None) -> State:
        """The State message, in the current language. `tag`: the request that it answers."""
        room, result = self.room, self.room.result
        return State(
            tag=tag, room=room.room, board=dict(self.board), moves=dict(self.moves), seats=room.seats,
            names=translated(room.names), thinking=self.thinking, clock=self._clock(), seconds=list(room.seconds),
            result=outcome_text(result.winner, result_text(result)) if result else room.problem,
            fault=self._fault(), lose_turn=room.lose_turn, ponder=room.ponder, position=room.position,
            unkept=shown(self.unkept), pace=self.pace, version=self.version,
        )  # fmt: skip

    def _clock(self) -> tuple[float, float]:
        used, first = [0.0, 0.0], self.board["first"] - 1
        for ply, seconds in enumerate(self.room.seconds):
            used[(first + ply) % 2] += seconds or 0.0
        return round(used[0], 3), round(used[1], 3)

    def _fault(self) -> str:
        fault = self.room.result.fault if self.room.result else None
        if fault is None and not self.room.problem:
            return ""
        parts = [fault.traceback.rstrip() if fault else "", self.room.printed.rstrip()]
        return "\n\n".join(ending(part, MOST_FAULT) for part in parts if part)


def translated(names: tuple[str, str]) -> tuple[str, str]:
    """The names of both sides in the current language. Names of agents and uploads are not translated."""
    black, white = (shortened(shown(TRANSLATED.get(name) or in_line(name))) for name in names)
    return black, white


def outcome_text(winner: int, why: str) -> str:
    """The winner and the reason in words, "" if neither is known. `winner`: 1 Black, 2 White, 3 a draw, 0 unknown."""
    about, what = shortened(shown(why), SENTENCE), shown(winner_text(winner)) if winner else ""
    return _("{what}: {about}").format(what=what, about=about) if what and about else what or about
