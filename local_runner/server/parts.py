"""The parts of messages between the page and the server, version 1: seats and positions. docs/messages.md has them all.

A message is a JSON object over one WebSocket, told apart by `type`. Cells are numbers, row * columns + column. `room`
names a game on the server; `tag` is the page's own number of a request, which the answers repeat. Texts for the user
are in the language that the page named in `Hello`. requests.py has the messages from the page, answers.py those to it.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

VERSION = 1
Player = Literal[0, 1]
Tag = Annotated[int, Field(ge=0, lt=2**31)]
Room = Annotated[str, Field(pattern=r"^[a-z0-9]{12}$")]
Name = Annotated[str, Field(max_length=200)]


class Wire(BaseModel):
    """Any message or part of one. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class HumanSeat(Wire):
    """Somebody at the page."""

    kind: Literal["human"] = "human"


class LevelSeat(Wire):
    """Our engine at one of its levels, 1 the weakest to 5."""

    kind: Literal["level"] = "level"
    level: Annotated[int, Field(ge=1, le=5)]


class AgentSeat(Wire):
    """An agent that comes with the project, by its name, such as seed004."""

    kind: Literal["agent"] = "agent"
    name: Name


class UploadSeat(Wire):
    """An uploaded submission.py, by the id that the upload answered."""

    kind: Literal["upload"] = "upload"
    upload: Name


SeatSpec = Annotated[HumanSeat | LevelSeat | AgentSeat | UploadSeat, Field(discriminator="kind")]


class PagePosition(Wire):
    """A game with its moves so far: what a room, a file or the page's own board shows.

    `moves`: cells, -1 for a pass or a lost turn. `stones`: the start board instead of the game's own, row by row,
    0 free, 1 Black, 2 White; `first`: who is to move then.
    """

    env: Name
    size: Annotated[int, Field(ge=3, le=26)] | None = None
    stones: Annotated[list[Annotated[int, Field(ge=0, le=2)]], Field(max_length=676)] | None = None
    first: Literal[1, 2] = 1
    moves: Annotated[list[Annotated[int, Field(ge=-1, lt=676)]], Field(max_length=2000)] = []
