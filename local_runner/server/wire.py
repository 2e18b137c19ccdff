"""The parts of messages between the page and the server, version 3: seats and positions.

requests.py defines the messages from the page, answers.py those to the page. A message is a JSON object on a WebSocket;
its `type` names its class. A cell is the number row * columns + column. `room` names a game on the server. `tag` is a
number that the page chooses for a request; the answers repeat it. Texts for the user are in the language that the page
names in `Hello`.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from env_adapter.setup import LARGEST_BOARD

VERSION = 3
Player = Literal[0, 1]
Tag = Annotated[int, Field(ge=0, lt=2**31)]
MOST_NAME = 200  # characters
Name = Annotated[str, Field(max_length=MOST_NAME)]
Room = Name


class Wire(BaseModel):
    """Base class of all messages and their parts. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class HumanSeat(Wire):
    """A human at the page."""

    kind: Literal["human"] = "human"


class LevelSeat(Wire):
    """Our engine. `level`: 1, the weakest, to 5."""

    kind: Literal["level"] = "level"
    level: Annotated[int, Field(ge=1, le=5)]


class AgentSeat(Wire):
    """An agent that comes with the project, or one of the server's command line. `name`: such as seed004."""

    kind: Literal["agent"] = "agent"
    name: Name


class UploadSeat(Wire):
    """An uploaded submission.py. `upload`: the id in the answer to the upload."""

    kind: Literal["upload"] = "upload"
    upload: Name


SeatSpec = Annotated[HumanSeat | LevelSeat | AgentSeat | UploadSeat, Field(discriminator="kind")]


class PagePosition(Wire):
    """A start board and the moves from it. `moves`: cells, -1 for a pass or a lost turn. `size`: null for the game's
    usual board. `stones`: the start board row by row (0 free, 1 Black, 2 White), null for the game's own. `first`: the
    side to move on the start board.
    """

    env: Name
    size: Annotated[int, Field(ge=3, le=LARGEST_BOARD)] | None = None
    stones: Annotated[list[Annotated[int, Field(ge=0, le=2)]], Field(max_length=676)] | None = None
    first: Literal[1, 2] = 1
    moves: Annotated[list[Annotated[int, Field(ge=-1, lt=676)]], Field(max_length=2000)] = []
