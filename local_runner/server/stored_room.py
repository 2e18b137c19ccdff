"""A room as the store keeps it, and the pages that show it. Texts are kept untranslated.

Pages enter and leave in the event loop. The room's thread sends states to the pages.
The clock of a room is computed from the seconds of its plies, because the sides alternate at every ply.
"""

import threading
import time
from dataclasses import dataclass, replace

import msgspec

from local_runner.errors import RunnerError
from local_runner.game.board_data import BoardData, MovesData
from local_runner.game.records import COLOURS, Result
from local_runner.game.wording import result_text, winner_text
from local_runner.language.languages import Message, _, shown, speaking
from local_runner.language.text import SENTENCE, ending, in_line, shortened
from local_runner.processes.engine.levels import LEVELS
from local_runner.server.wire import Answer, Page, PagePosition, Player, SeatSpec, refusal

GONE = Message("there is no such game any more; begin a new one")
HUMAN = Message("human")
TRANSLATED = {str(name): name for name in (HUMAN, *(level.title for level in LEVELS))}  # names to translate
MOST_FAULT = 20_000  # characters of a traceback, and of an agent's output, that a page is shown

MOVED = ("tag", "room", "version", "thinking", "clock", "result", "fault", "unkept")  # fields of `state` in `moved`


class StoredRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A room in the store. `start`: the number of moves with which the room began; they cannot be taken back.

    `seconds`: time used for each ply. `problem`: why the game cannot go on, if neither a rule nor an agent's fault
    ended it. `printed`: the end of the output of the agent at fault. `result`: None while the game goes on.
    """

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

    def heading(self, changed: str) -> Answer:
        """The room's entry in the list of games, in the current language. `changed`: time of the last change."""
        return {
            "room": self.room, "env": self.position.env, "seats": self.seats,
            "names": translated(self.names), "plies": len(self.position.moves), "changed": changed,
            "winner": self.result.winner if self.result else 0,
            "to_move": 0 if self.result or self.problem else self._to_move,
        }  # fmt: skip

    @property
    def _to_move(self) -> int:
        """1 Black, 2 White: the sides alternate at every ply, and the page counts no stones that were set up."""
        first, plies = self.position.first, len(self.position.moves)
        return 3 - first if plies % 2 else first


@dataclass(frozen=True)
class RoomView:
    """A room with the data that its pages draw. `thinking`: the player on turn if an agent plays that side.

    `unkept`: why the store does not have the room, "" if it does. `pace`, `version`: as in the answer `state`.
    """

    room: StoredRoom
    board: BoardData
    moves: MovesData
    thinking: Player | None
    unkept: str = ""
    pace: float | None = None
    version: int = 0

    def continues(self, before: "RoomView") -> bool:
        """Whether nothing but new moves has come since the view before."""
        old, new = before.room.position.moves, self.room.position.moves
        same = (before.room.seats, before.pace) == (self.room.seats, self.pace)
        return same and len(new) > len(old) and new[: len(old)] == old

    def moved(self, plies: int, tag: int | None = None) -> Answer:
        """The answer `moved` with the moves after `plies` plies. `tag`: the request that it answers."""
        state = self.state(tag)
        moves = self.moves | {"moves": self.moves["moves"][plies:], "turned": self.moves["turned"][plies:]}
        return {name: state[name] for name in MOVED} | {
            "type": "moved", "moves": moves, "seconds": state["seconds"][plies:],
        }  # fmt: skip

    def state(self, tag: int | None = None) -> Answer:
        """The answer `state`, in the current language. `tag`: the request that it answers."""
        room, result = self.room, self.room.result
        return {
            "type": "state", "tag": tag, "room": room.room, "position": room.position, "seats": room.seats,
            "seconds": room.seconds, "lose_turn": room.lose_turn, "ponder": room.ponder, "version": self.version,
            "board": self.board, "moves": self.moves,
            "names": translated(room.names), "thinking": self.thinking, "clock": self._clock(),
            "result": outcome_text(result.winner, result_text(result)) if result else room.problem,
            "fault": self._fault(), "unkept": shown(self.unkept), "pace": self.pace,
        }  # fmt: skip

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
    """The names of both sides in the current language; the colour for a side without a name.

    Names of agents and uploads are not translated.
    """
    black, white = (shortened(shown(Message(colour) if name == colour else TRANSLATED.get(name) or in_line(name)))
                    for name, colour in zip(names, COLOURS, strict=True))  # fmt: skip
    return black, white


def outcome_text(winner: int, why: str) -> str:
    """The winner and the reason in words, "" if neither is known. `winner`: 1 Black, 2 White, 3 a draw, 0 unknown."""
    about, what = shortened(shown(why), SENTENCE), shown(winner_text(winner)) if winner else ""
    return _("{what}: {about}").format(what=what, about=about) if what and about else what or about


class RoomPages:
    """The pages of one room. `view`: sent to them last; None before the first one and after `delete`. `alone_since`:
    time by `time.monotonic` of the first view, then at which the last page left. Any thread may call the methods.
    """

    def __init__(self) -> None:
        self.alone_since = time.monotonic()
        self.view: RoomView | None = None
        self._lock = threading.Lock()
        self._pages: dict[Page, int] = {}  # each with the tag of its request `enter`

    @property
    def alone(self) -> bool:
        """Whether no page shows the room."""
        return not self._pages

    def enter(self, page: Page, tag: int) -> None:
        """Send the room's state to a page now, in answer to the request `tag`, and every change later.

        Raises RunnerError if the room was deleted. The lock keeps the state from coming after a newer one.
        """
        with self._lock:
            if self.view is None:
                raise RunnerError(shown(GONE))
            self._pages[page] = tag
            send_state(self.view, page, tag)

    def leave(self, page: Page) -> None:
        """Send no more states to a page."""
        with self._lock:
            if self._pages.pop(page, None) is not None:
                self.alone_since = time.monotonic()

    def show(self, view: RoomView, asker: Page | None = None, tag: int | None = None) -> None:
        """Send a view to all pages: the new moves if there is nothing else, otherwise the whole state.

        `asker`: the page whose request `tag` this view answers.
        """
        with self._lock:
            before, pages = self.view, set(self._pages)
            self.alone_since = self.alone_since if before else time.monotonic()
            self.view = view = replace(view, version=before.version + 1 if before else 0)
        plies = len(before.room.position.moves) if before and view.continues(before) else None
        for page in pages | ({asker} if asker else set()):
            send_state(view, page, tag if page is asker else None, plies if page in pages else None)

    def delete(self) -> None:
        """Tell all pages, in answer to their request `enter`, that the room is deleted."""
        with self._lock:
            self.view, pages = None, self._pages
            self._pages = {}
        for page, tag in pages.items():
            with speaking(page.language):
                page.send(refusal(tag, shown(GONE)))


def send_state(view: RoomView, page: Page, tag: int | None = None, plies: int | None = None) -> None:
    """Send a state to one page, in its language; if `plies` is given, only the moves after so many plies."""
    with speaking(page.language):
        if plies is not None:
            page.send(view.moved(plies, tag))
        else:
            page.send(view.state(tag), key=f"state {view.room.room}" if tag is None else None)
