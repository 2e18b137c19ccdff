"""A room as the store keeps it, and the pages that show it. Texts are kept untranslated.

Pages enter and leave in the event loop. The room's thread sends states to the pages.
The clock of a room is computed from the seconds of its plies, because the sides alternate at every ply.
"""

import threading
import time

import msgspec

from local_runner.errors import RunnerError
from local_runner.game.board_data import BoardData, MovesData
from local_runner.game.records import COLOURS, Result
from local_runner.game.wording import result_text, winner_text
from local_runner.language.languages import Message, _, shown
from local_runner.language.text import SENTENCE, ending, in_line, shortened
from local_runner.processes.engine.levels import LEVELS
from local_runner.server.wire import Answer, Page, PagePosition, Player, SeatSpec, refusal

GONE = Message("there is no such game any more; begin a new one")
HUMAN = Message("human")
TRANSLATED = {str(name): name for name in (HUMAN, *(level.title for level in LEVELS))}  # names to translate
MOST_FAULT = 20_000  # characters of a traceback, and of an agent's output, that a page is shown

MOVED = ("room", "version", "thinking", "clock", "result", "fault", "unkept")  # fields of `state` in `moved`


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


def state_of(
    room: StoredRoom, board: BoardData, moves: MovesData, thinking: Player | None, pace: float | None
) -> Answer:
    """The answer `state`. `thinking`: the player on turn if an agent plays that side. `pace`: as in the answer."""
    result, used = room.result, [0.0, 0.0]
    for ply, seconds in enumerate(room.seconds):
        used[(board["first"] - 1 + ply) % 2] += seconds or 0.0
    fault = result.fault if result else None
    parts = [fault.traceback if fault else "", room.printed] if fault or room.problem else []
    return {
        "type": "state", "tag": None, "room": room.room, "version": 0, "board": board, "moves": moves,
        "position": room.position, "seats": room.seats, "seconds": room.seconds, "lose_turn": room.lose_turn,
        "ponder": room.ponder, "names": lambda: translated(room.names), "thinking": thinking,
        "clock": [round(each, 3) for each in used],
        "result": lambda: outcome_text(result.winner, result_text(result)) if result else room.problem,
        "fault": "\n\n".join(ending(part, MOST_FAULT) for part in parts if part.strip()), "unkept": "", "pace": pace,
    }  # fmt: skip


def moved(state: Answer, plies: int) -> Answer:
    """The answer `moved` in place of a `state`, with the moves after `plies` plies."""
    moves = state["moves"] | {name: state["moves"][name][plies:] for name in ("moves", "turned")}
    return {name: state[name] for name in MOVED} | {
        "type": "moved", "moves": moves, "seconds": state["seconds"][plies:],
    }  # fmt: skip


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
    """The pages of one room. `state`: sent to them last; None before the first one and after `delete`.

    Any thread may call the methods.
    """

    def __init__(self) -> None:
        self._alone_since = time.monotonic()
        self.state: Answer | None = None
        self._lock = threading.Lock()
        self._pages: dict[Page, int] = {}  # each with the tag of its request `enter`

    @property
    def alone_seconds(self) -> float:
        """For how long no page has shown the room."""
        return 0.0 if self._pages else time.monotonic() - self._alone_since

    def enter(self, page: Page, tag: int) -> None:
        """Send the room's state to a page now, in answer to the request `tag`, and every change later.

        Raises RunnerError if the room was deleted. The lock keeps the state from coming after a newer one.
        """
        with self._lock:
            if self.state is None:
                raise RunnerError(shown(GONE))
            self._pages[page] = tag
            page.send({**self.state, "tag": tag})

    def leave(self, page: Page) -> None:
        """Send no more states to a page."""
        with self._lock:
            if self._pages.pop(page, None) is not None:
                self._alone_since = time.monotonic()

    def show(self, state: Answer, asker: Page | None = None, tag: int | None = None) -> None:
        """Send a state to all pages: the new moves if there is nothing else, otherwise the whole state.

        `asker`: the page whose request `tag` this state answers.
        """
        with self._lock:
            before, pages = self.state, set(self._pages)
            self._alone_since = self._alone_since if before else time.monotonic()
            self.state = state = {**state, "version": before["version"] + 1 if before else 0}
        old, new = before["position"].moves if before else [], state["position"].moves
        same = before and (before["seats"], before["pace"]) == (state["seats"], state["pace"])
        short = moved(state, len(old)) if same and len(new) > len(old) and new[: len(old)] == old else None
        for page in pages | ({asker} if asker else set()):
            answered = tag if page is asker else None
            if short and page in pages:
                page.send({**short, "tag": answered})
            else:
                page.send({**state, "tag": answered}, key=f"state {state['room']}" if answered is None else None)

    def delete(self) -> None:
        """Tell all pages, in answer to their request `enter`, that the room is deleted."""
        with self._lock:
            self.state, pages = None, self._pages
            self._pages = {}
        for page, tag in pages.items():
            page.send(refusal(tag, GONE))
