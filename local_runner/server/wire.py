"""The parts of messages between the page and the server: seats, positions, and the state of a room.

A message is a JSON object on a WebSocket with a `type`. requests.py has the page's requests and their answers. A cell
is the number row * columns + column. `room` names a game on the server. `tag` is a number that the page chooses for a
request; the answers repeat it. Texts for the user are in the language that the page names in `hello`. A room is stored
with its texts untranslated.

`VERSION` here and in connection.js is raised when a request changes, and when an answer changes so that an older page
cannot show it. A page and a server of different versions then say so, in place of waiting for each other.
"""

import re
import threading
import time
from typing import Annotated, Any, Literal, Protocol

import msgspec
from msgspec import Meta

from env_adapter.grid import LARGEST_BOARD
from local_runner.errors import RunnerError
from local_runner.game.records import Result, winner_text
from local_runner.game.wording import COLOURS
from local_runner.language.languages import Message, _, shown
from local_runner.language.text import SENTENCE, in_line, shortened
from local_runner.processes.engine.levels import LEVELS

VERSION = 4
Count = Annotated[int, Meta(ge=0)]
Tag = Annotated[int, Meta(ge=0, lt=2**31)]
MOST_NAME = 200  # most characters of a name
Name = Annotated[str, Meta(max_length=MOST_NAME)]
Size = Annotated[int, Meta(ge=3, le=LARGEST_BOARD)]
CellNumber = Annotated[int, Meta(ge=-1, lt=LARGEST_BOARD**2)]
Answer = dict[str, Any]  # a message to the page
GONE = Message("there is no such game any more; begin a new one")
HUMAN = Message("human")
TRANSLATED = {str(name): name for name in (HUMAN, *(level.title for level in LEVELS))}  # names to translate
MOST_FAULT = 20_000  # most characters of a traceback, and of an agent's output, that a page gets
MOVED = ("room", "version", "thinking", "clock", "result", "fault", "unkept")  # fields of `state` in `moved`


class Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base class of all requests and their parts. Unknown fields are refused."""


class Seat(Wire, frozen=True, omit_defaults=True):
    """The player of a side.

    `level`: of our engine, from 1, the weakest, to 5. `name`: of an agent that comes with the project, such as seed004,
    or of the server's command line. `upload`: the id in the answer to the upload of a submission.py.
    """

    kind: Literal["human", "level", "agent", "upload"]
    level: int = 0
    name: Name = ""
    upload: Name = ""


Seats = tuple[Seat, Seat]


class PagePosition(Wire, frozen=True):
    """A start board and the moves from it. `moves`: cells, -1 for a pass or a lost turn. `size`: null for the game's
    usual board. `stones`: the start board row by row (0 free, 1 Black, 2 White), null for the game's own. `first`: the
    side to move on the start board.
    """

    env: Name
    size: Size | None = None
    stones: Annotated[list[Annotated[int, Meta(ge=0, le=2)]], Meta(max_length=LARGEST_BOARD**2)] | None = None
    first: Literal[1, 2] = 1
    moves: Annotated[list[CellNumber], Meta(max_length=2000)] = []


class Page(Protocol):
    """A connected page. `send` may be called from any thread."""

    language: str

    def send(self, answer: Answer, key: str | None = None) -> None:
        """Queue a message. A message with a key may replace a queued message that has the same key.

        Parts of the answer that are Messages are shown in the page's language; functions are called in that language.
        """


def refusal(tag: int | None, sentence: str) -> Answer:
    """The answer to a request that cannot be done. `sentence`: the reason, and what the user can do."""
    return {"type": "refusal", "tag": tag, "sentence": lambda: without_options(shown(sentence))}


def without_options(sentence: str) -> str:
    """A sentence without the parts that name options of the command line, which a page has not."""
    return re.sub(r"[;；][^;；]*--[a-z][^;；]*", "", sentence)


class StoredRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A room in the store. `start`: the number of moves with which the room began; they cannot be taken back.

    `seconds`: time used for each ply. `problem`: why the game cannot go on, if neither a rule nor an agent's fault
    ended it. `printed`: the end of the output of the agent at fault. `result`: None while the game goes on.
    """

    room: str
    position: PagePosition
    start: int
    seats: Seats
    names: tuple[str, str]
    lose_turn: bool = False
    ponder: bool = True
    seconds: tuple[float | None, ...] = ()
    problem: str = ""
    printed: str = ""
    result: Result | None = None

    def heading(self, changed: str) -> Answer:
        """The room's entry in the list of games, in the current language. `changed`: time of the last change."""
        first, plies = self.position.first, len(self.position.moves)  # without set-up stones; the sides alternate
        return {
            "room": self.room, "env": self.position.env, "seats": self.seats, "names": translated(self.names),
            "plies": plies, "changed": changed,
            "winner": self.result.winner if self.result else 0,
            "to_move": 0 if self.result or self.problem else 3 - first if plies % 2 else first,
        }  # fmt: skip


def translated(names: tuple[str, str]) -> tuple[str, str]:
    """The names of both sides in the current language; the colour for a side without a name.

    Names of agents and uploads are not translated.
    """
    black, white = (shortened(shown(Message(colour) if name == colour else TRANSLATED.get(name) or in_line(name)))
                    for name, colour in zip(names, COLOURS, strict=True))  # fmt: skip
    return black, white


def for_file(names: tuple[str, str]) -> tuple[str, str]:
    """The names as a file has them: the untranslated colour for a human and for a side without a name."""
    black, white = (colour if name in (colour, HUMAN) else each
                    for name, colour, each in zip(names, COLOURS, translated(names), strict=True))  # fmt: skip
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
        """Seconds for which no page has shown the room."""
        return 0.0 if self._pages else time.monotonic() - self._alone_since

    def enter(self, page: Page, tag: int) -> None:
        """Send the room's state to a page now, in answer to the request `tag`, and every change later.

        Raises RunnerError if the room was deleted. A lock prevents that a newer state is sent before this one.
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
        short: Answer = {}
        if same and len(new) > len(old) and new[: len(old)] == old:
            moves = state["moves"] | {name: state["moves"][name][len(old) :] for name in ("moves", "turned")}
            short = {"type": "moved", "moves": moves, "seconds": state["seconds"][len(old) :]}
            short |= {name: state[name] for name in MOVED}
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
