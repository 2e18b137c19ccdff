"""The messages from the page to the server; answers.py has the answers."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from local_runner.server.parts import Name, PagePosition, Room, SeatSpec, Tag, Wire

LONGEST = 65_536  # bytes of a message from the page


class Hello(Wire):
    """The first message. Answer: Welcome."""

    type: Literal["hello"] = "hello"
    version: int
    language: Literal["en", "zh"]


class NewGame(Wire):
    """Begin a game. Answer: State. `lose_turn`: in Reversi an illegal move of a human loses the turn, as in seed 000.

    `ponder`: our engine thinks ahead in the human's time. `opening`: a book's opening, from 0, instead of moves.
    """

    type: Literal["new_game"] = "new_game"
    tag: Tag
    position: PagePosition
    seats: tuple[SeatSpec, SeatSpec]
    lose_turn: bool = False
    ponder: bool = True
    opening: Annotated[int, Field(ge=0)] | None = None


class Enter(Wire):
    """Look at a room from now on, as after a reload. Answer: State, and again after every change, until Leave."""

    type: Literal["enter"] = "enter"
    tag: Tag
    room: Room


class Leave(Wire):
    """Do not look at a room any more."""

    type: Literal["leave"] = "leave"
    room: Room


class Play(Wire):
    """A human's move, -1 to pass. `ply`: number of plies so far, so that a move that comes twice is made once."""

    type: Literal["play"] = "play"
    tag: Tag
    room: Room
    ply: Annotated[int, Field(ge=0)]
    cell: Annotated[int, Field(ge=-1, lt=676)]


class Command(Wire):
    """Undo the human's last move, resign, swap the seats, begin the same game again, ask for a hint, let our engine
    move at once, or delete the room. `hint` is answered with Hint, the others with State."""

    type: Literal["command"] = "command"
    tag: Tag
    room: Room
    command: Literal["undo", "resign", "swap", "restart", "hint", "move_now", "delete"]


class LookAt(Wire):
    """Let the engine look at a position until StopLooking or the next LookAt of this page. Answers: Looked, repeated.

    Without `position`: at the room's position, after every move anew. While our engine thinks in that room, its own
    looks are shown.
    """

    type: Literal["look_at"] = "look_at"
    tag: Tag
    room: Room | None = None
    position: PagePosition | None = None
    lines: Annotated[int, Field(ge=1, le=9)] = 3


class StopLooking(Wire):
    """End LookAt."""

    type: Literal["stop_looking"] = "stop_looking"


class Show(Wire):
    """Draw a position, also one that is being set up. Answer: ShownPosition."""

    type: Literal["show"] = "show"
    tag: Tag
    position: PagePosition


class Analyse(Wire):
    """Analyse a whole game. Answers: Analysed, after every ply and at the end. `seconds` a position."""

    type: Literal["analyse"] = "analyse"
    tag: Tag
    position: PagePosition
    seconds: Annotated[float, Field(ge=0.02, le=10)] = 0.2


class StopAnalysing(Wire):
    """End Analyse."""

    type: Literal["stop_analysing"] = "stop_analysing"


class Check(Wire):
    """Check an upload as `tengen check` does. Answers: Checked, repeated."""

    type: Literal["check"] = "check"
    tag: Tag
    upload: Name
    quick: bool = True


class OpenGame(Wire):
    """One game of an opened file. Answer: Opened."""

    type: Literal["open_game"] = "open_game"
    tag: Tag
    file: Name
    number: Annotated[int, Field(ge=0)]


class Watch(Wire):
    """Watch a tournament, named at the start or opened, until StopWatching. Answers: Watched, after every change."""

    type: Literal["watch"] = "watch"
    tag: Tag
    file: Name


class StopWatching(Wire):
    """End Watch."""

    type: Literal["stop_watching"] = "stop_watching"


FromPage = Annotated[
    Hello | NewGame | Enter | Leave | Play | Command | LookAt | StopLooking | Show | Analyse | StopAnalysing | Check
    | OpenGame | Watch | StopWatching,
    Field(discriminator="type"),
]  # fmt: skip
from_page: TypeAdapter[Any] = TypeAdapter(FromPage)
