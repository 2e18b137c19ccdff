"""The messages between the page and the server, version 1: JSON objects over one WebSocket, told apart by `type`.

Cells are numbers, row * columns + column. `room` names a game on the server; `tag` is the page's own number of a
request, which answers repeat. Texts for the user are in the language that the page said in `Hello`.
docs/messages.md is made from this module.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

VERSION = 1
LONGEST = 65_536  # bytes of a message from the page
Player = Literal[0, 1]
Tag = Annotated[int, Field(ge=0, lt=2**31)]
Room = Annotated[str, Field(pattern=r"^[a-z0-9]{12}$")]
Name = Annotated[str, Field(max_length=200)]


class Wire(BaseModel):
    """Any message or part of one. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


# ---- parts of messages


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


Seat = Annotated[HumanSeat | LevelSeat | AgentSeat | UploadSeat, Field(discriminator="kind")]


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


# ---- from the page


class Hello(Wire):
    """The first message. Answer: Welcome."""

    type: Literal["hello"] = "hello"
    version: int
    language: Literal["en", "zh"]


class NewGame(Wire):
    """Begin a game. Answer: State. `lose_turn`: in Reversi a wrong answer of a human loses the turn, as in seed 000.

    `ponder`: our engine thinks ahead in the human's time. `opening`: a book's opening, from 0, instead of moves.
    """

    type: Literal["new_game"] = "new_game"
    tag: Tag
    position: PagePosition
    seats: tuple[Seat, Seat]
    lose_turn: bool = False
    ponder: bool = True
    opening: Annotated[int, Field(ge=0)] | None = None


class Enter(Wire):
    """Look at a room from now on, as after a reload. Answer: State, and again after every change, until Leave."""

    type: Literal["enter"] = "enter"
    tag: Tag
    room: Room


class Leave(Wire):
    type: Literal["leave"] = "leave"
    room: Room


class Play(Wire):
    """A human's move, -1 to pass. `ply`: number of plies so far, so that a move that comes twice is made once."""

    type: Literal["play"] = "play"
    tag: Tag
    room: Room
    ply: Annotated[int, Field(ge=0)]
    cell: Annotated[int, Field(ge=-1, lt=676)]


class Do(Wire):
    """Undo the human's last move, resign, swap the seats, begin the same game again, ask for a hint, move at once, or
    delete the room. `hint` is answered with Hint, the others with State."""

    type: Literal["do"] = "do"
    tag: Tag
    room: Room
    what: Literal["undo", "resign", "swap", "restart", "hint", "move_now", "delete"]


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
    type: Literal["stop_looking"] = "stop_looking"


class Show(Wire):
    """How a position looks on the board, also one that is being set up. Answer: Shown."""

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
    """Watch a tournament's file from now on, until StopWatching. Answers: Watched, after every change."""

    type: Literal["watch"] = "watch"
    tag: Tag
    file: Name


class StopWatching(Wire):
    type: Literal["stop_watching"] = "stop_watching"


FromPage = Annotated[
    Hello | NewGame | Enter | Leave | Play | Do | LookAt | StopLooking | Show | Analyse | StopAnalysing | Check
    | OpenGame | Watch | StopWatching,
    Field(discriminator="type"),
]  # fmt: skip
from_page: TypeAdapter[Any] = TypeAdapter(FromPage)


# ---- from the server


class GameKind(Wire):
    """A game that can be played. `agents`: the built-in agents that play it. `openings`: of its books, as moves."""

    env: str
    title: str
    rows: int
    cols: int
    in_a_row: int
    sizes: list[int]
    agents: list[str]
    openings: list[list[int]]


class Level(Wire):
    """One of our engine's levels: its number, name, and what it may use, in words."""

    level: int
    name: str
    about: str


class RoomHeading(Wire):
    room: str
    env: str
    names: tuple[str, str]
    plies: int
    winner: int
    changed: str


class Welcome(Wire):
    """`rooms`: the games on the server, the newest first. `files`: tournaments that can be watched."""

    type: Literal["welcome"] = "welcome"
    version: int = VERSION
    games: list[GameKind]
    levels: list[Level]
    rooms: list[RoomHeading]
    files: list[str]


class State(Wire):
    """A room. `board`, `moves`: as in board_data.py. `seats`, `names`: Black's and White's. `thinking`: the player
    whose agent thinks on turn, None for none. `clock`: seconds of thought of both sides so far; `seconds`: by ply.
    `result`: how the game ended, in words, "" while it goes on; `fault`: the traceback and output of an agent at fault.
    """

    type: Literal["state"] = "state"
    tag: Tag | None = None
    room: str
    board: dict[str, Any]
    moves: dict[str, Any]
    seats: tuple[Seat, Seat]
    names: tuple[str, str]
    thinking: Player | None
    clock: tuple[float, float]
    seconds: list[float | None]
    result: str
    fault: str
    lose_turn: bool
    ponder: bool
    position: PagePosition


class Hint(Wire):
    type: Literal["hint"] = "hint"
    tag: Tag
    room: str
    cell: int
    sentence: str


class Looked(Wire):
    """`look`: analysis/look.py as JSON. `ply`: of the position looked at. `who`: "engine", or the player who thinks."""

    type: Literal["looked"] = "looked"
    tag: Tag
    ply: int
    who: Literal["engine", "black", "white"]
    look: dict[str, Any]


class Shown(Wire):
    """`problem`: why the position cannot be played, "" if it can."""

    type: Literal["shown"] = "shown"
    tag: Tag
    board: dict[str, Any]
    moves: dict[str, Any]
    problem: str


class Analysed(Wire):
    """`analysis`: analysis/game.py as JSON, as far as it is. `done`, `all`: positions."""

    type: Literal["analysed"] = "analysed"
    tag: Tag
    done: int
    all: int
    analysis: dict[str, Any]


class Checked(Wire):
    """`text`: what happens now. `verdict` and `findings` come at the end; `ready`: whether it may be uploaded."""

    type: Literal["checked"] = "checked"
    tag: Tag
    text: str
    finished: bool = False
    ready: bool | None = None
    verdict: str = ""
    findings: list[dict[str, str]] = []


class Opened(Wire):
    """A game of a file. `names`, `result`, `damage` in words; `seconds` and `thoughts` by ply, empty without them."""

    type: Literal["opened"] = "opened"
    tag: Tag
    board: dict[str, Any]
    moves: dict[str, Any]
    position: PagePosition
    names: tuple[str, str]
    result: str
    damage: str
    seconds: list[float | None]
    thoughts: list[dict[str, Any] | None]


class Watched(Wire):
    """A tournament as it is now. `standings`: rows in the order of rank. `test`: of an SPRT: llr, lower, upper, curve,
    decision. `live`: boards of running games. `games`: headings of the games so far, the newest first."""

    type: Literal["watched"] = "watched"
    tag: Tag
    title: str
    running: bool
    played: int
    planned: int | None
    standings: list[dict[str, Any]]
    test: dict[str, Any] | None
    live: list[dict[str, Any]]
    games: list[dict[str, Any]]
    faults: int


class Refusal(Wire):
    """A request that cannot be done; the sentence says why and what to do."""

    type: Literal["refusal"] = "refusal"
    tag: Tag | None
    sentence: str
