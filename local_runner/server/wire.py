"""The parts of messages between the page and the server, version 3: seats and positions.

A message is a JSON object on a WebSocket with a `type`. requests.py has the page's requests and their answers. A cell
is the number row * columns + column. `room` names a game on the server. `tag` is a number that the page chooses for a
request; the answers repeat it. Texts for the user are in the language that the page names in `hello`.
"""

import re
from typing import Annotated, Any, Literal, Protocol

import msgspec
from msgspec import Meta

from env_adapter.setup import LARGEST_BOARD

VERSION = 3
Player = Literal[0, 1]
Count = Annotated[int, Meta(ge=0)]
Tag = Annotated[int, Meta(ge=0, lt=2**31)]
MOST_NAME = 200  # characters
Name = Annotated[str, Meta(max_length=MOST_NAME)]
Size = Annotated[int, Meta(ge=3, le=LARGEST_BOARD)]
CellNumber = Annotated[int, Meta(ge=-1, lt=LARGEST_BOARD**2)]
Answer = dict[str, Any]  # a message to the page


class Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base class of all requests and their parts. Unknown fields are refused."""


class HumanSeat(Wire, tag="human", tag_field="kind", frozen=True):
    """A human at the page."""


class LevelSeat(Wire, tag="level", tag_field="kind", frozen=True):
    """Our engine. `level`: 1, the weakest, to 5."""

    level: Annotated[int, Meta(ge=1, le=5)]


class AgentSeat(Wire, tag="agent", tag_field="kind", frozen=True):
    """An agent that comes with the project, or one of the server's command line. `name`: such as seed004."""

    name: Name


class UploadSeat(Wire, tag="upload", tag_field="kind", frozen=True):
    """An uploaded submission.py. `upload`: the id in the answer to the upload."""

    upload: Name


SeatSpec = HumanSeat | LevelSeat | AgentSeat | UploadSeat
Seats = tuple[SeatSpec, SeatSpec]


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
    return {"type": "refusal", "tag": tag, "sentence": without_options(sentence)}


def without_options(sentence: str) -> str:
    """A sentence without the parts that name options of the command line, which a page has not."""
    return re.sub(r"[;；][^;；]*--[a-z][^;；]*", "", sentence)
