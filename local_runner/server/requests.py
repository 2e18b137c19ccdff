"""The messages that the page sends to the server. The answers are in answers.py."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from local_runner.server.wire import Name, PagePosition, Room, SeatSpec, Tag, Wire

LONGEST = 1 << 20  # bytes; a longer message from the page closes the connection


class Hello(Wire):
    """The first message. Answer: Welcome."""

    type: Literal["hello"] = "hello"
    version: int
    language: Literal["en", "zh"]


class NewGame(Wire):
    """Begin a game in a new room, and enter the room. Answer: State. `lose_turn`: in Reversi, an illegal move of a
    human loses the turn instead of being refused. `ponder`: our engine searches in the human's time. `opening`: index
    in the game's `openings` of Welcome; that opening replaces the position's moves.
    """

    type: Literal["new_game"] = "new_game"
    tag: Tag
    position: PagePosition
    seats: tuple[SeatSpec, SeatSpec]
    lose_turn: bool = False
    ponder: bool = True
    opening: Annotated[int, Field(ge=0)] | None = None


class Enter(Wire):
    """Follow a room until Leave, for example after a reload of the page. Answers: State now, and after every change
    Moved if there are only new moves, else State.
    """

    type: Literal["enter"] = "enter"
    tag: Tag
    room: Room


class Leave(Wire):
    """Stop following a room."""

    type: Literal["leave"] = "leave"
    room: Room


class Play(Wire):
    """A human's move. Answer: Moved, or State. `ply`: the number of plies before the move; a message with another
    number is ignored, so a move sent twice is made once. `cell`: -1 to pass.
    """

    type: Literal["play"] = "play"
    tag: Tag
    room: Room
    ply: Annotated[int, Field(ge=0)]
    cell: Annotated[int, Field(ge=-1, lt=676)]


class Command(Wire):
    """A command of a human. `undo`: take back the human's last move. `swap`: exchange the players of both sides.
    `restart`: begin the same game again. `move_now`: end our engine's search, so that it plays its best move so far.
    `delete`: delete the room; the Enter of its other pages is then refused. `pace`: in a game without a human, let
    `seconds` pass between two moves, null to pause. `hint` is answered with Hint, the other commands with State.
    `ply`: the number of plies of the game that the human saw. If a human has moved since, or plies were taken back,
    the command is refused.
    """

    type: Literal["command"] = "command"
    tag: Tag
    room: Room
    ply: Annotated[int, Field(ge=0)]
    command: Literal["undo", "resign", "swap", "restart", "hint", "move_now", "delete", "pace"]
    seconds: Annotated[float, Field(ge=0, le=10)] | None = None


class LookAt(Wire):
    """Search a position until Stop or the page's next LookAt. Answers: Looked, repeatedly. The page gives either
    `position` or `room`. With `room`, each new position of the room is searched; while an engine on a seat of that room
    searches, its reports are sent instead. `lines`: number of best moves to report.
    """

    type: Literal["look_at"] = "look_at"
    tag: Tag
    room: Room | None = None
    position: PagePosition | None = None
    lines: Annotated[int, Field(ge=1, le=9)] = 3


class Stop(Wire):
    """Stop the page's request of this type."""

    type: Literal["stop"] = "stop"
    what: Literal["look_at", "analyse", "check", "watch"]


class Show(Wire):
    """Ask for the board and the legal moves of a position, for example while it is set up, or of a stored room. The
    page gives either `position` or `room`. Answer: ShownPosition.
    """

    type: Literal["show"] = "show"
    tag: Tag
    position: PagePosition | None = None
    room: Room | None = None


class DeleteUpload(Wire):
    """Delete an upload. Answer: Uploaded."""

    type: Literal["delete_upload"] = "delete_upload"
    tag: Tag
    upload: Name


class ReadMoves(Wire):
    """Read a game from moves in a text, as from a file of moves. Answer: Opened, whose `damage` says from where on the
    text cannot be read or played. `size`: null for the game's usual board.
    """

    type: Literal["read_moves"] = "read_moves"
    tag: Tag
    env: Name
    size: Annotated[int, Field(ge=3, le=26)] | None = None
    text: Annotated[str, Field(max_length=10_000)]


class Analyse(Wire):
    """Analyse a whole game. Answers: Analysed, after every position. `seconds`: search time for each position. `tree`:
    the tree with which the finished analysis is kept, null to keep it nowhere.
    """

    type: Literal["analyse"] = "analyse"
    tag: Tag
    position: PagePosition
    seconds: Annotated[float, Field(ge=0.02, le=10)] = 0.2
    tree: Name | None = None


class Check(Wire):
    """Check an upload as `tengen check` does. Answers: Checked, repeatedly. `quick`: cut a slow agent's games short."""

    type: Literal["check"] = "check"
    tag: Tag
    upload: Name
    quick: bool = True


class OpenGame(Wire):
    """Ask for one game of an opened file. Answer: Opened. `number`: from 0."""

    type: Literal["open_game"] = "open_game"
    tag: Tag
    file: Name
    number: Annotated[int, Field(ge=0)]


class NewTree(Wire):
    """Make the tree of an analysis board from a game, and keep it. The page gives `position`, or `file` and `number`;
    a room's tree needs no request. `damage`: why the text of the position cannot be read on. Answer: TreeMade, whose
    tree may be an earlier one of the same game.
    """

    type: Literal["new_tree"] = "new_tree"
    tag: Tag
    position: PagePosition | None = None
    names: tuple[Name, Name] | None = None
    damage: Annotated[str, Field(max_length=2000)] = ""
    file: Name = ""
    number: Annotated[int, Field(ge=0)] = 0


class EnterTree(Wire):
    """Follow a tree until LeaveTree. `tree`: its name, or the name of a room. Answers: TreeState, now with all nodes,
    and after every change with the changed ones.
    """

    type: Literal["enter_tree"] = "enter_tree"
    tag: Tag
    tree: Name


class LeaveTree(Wire):
    """Stop following a tree."""

    type: Literal["leave_tree"] = "leave_tree"
    tree: Name


class EditTree(Wire):
    """Change a tree. Answer: TreeState, whose `node` is the node to show. `play`: play `cells` after the node.
    `comment`: replace the comment by `text`. `mark`: put or take a mark at the first of `cells`; `text` is TR, SQ, CR,
    MA, or LB: and a label. `stone`: put or take a stone, `text` B or W, or with E take one. `turn`: let the side
    `text`, B or W, begin. `promote`: make the node's variation the first one at the fork above. `delete`: remove the
    node and all below. `undo`: take back the last change of any page.
    """

    type: Literal["edit_tree"] = "edit_tree"
    tag: Tag
    tree: Name
    node: Annotated[int, Field(ge=0)]
    act: Literal["play", "comment", "mark", "stone", "turn", "promote", "delete", "undo"]
    cells: Annotated[list[Annotated[int, Field(ge=-1, lt=676)]], Field(max_length=100)] = Field(default_factory=list)
    text: Annotated[str, Field(max_length=10_000)] = ""


class ListTrees(Wire):
    """Ask for the kept trees. Answer: Trees. `forget`: a tree to delete first."""

    type: Literal["list_trees"] = "list_trees"
    tag: Tag
    forget: Name = ""


class Watch(Wire):
    """Watch a tournament until Stop. Answers: Watched, after every change. `file`: the name of a file of the
    command line, or the id of an opened file. `games`: number of games that are listed, the newest.
    """

    type: Literal["watch"] = "watch"
    tag: Tag
    file: Name
    games: Annotated[int, Field(ge=1, le=10_000)] = 500


FromPage = Annotated[
    Hello | NewGame | Enter | Leave | Play | Command | LookAt | Stop | Show | DeleteUpload | ReadMoves | Analyse | Check
    | OpenGame | NewTree | EnterTree | LeaveTree | EditTree | ListTrees | Watch,
    Field(discriminator="type"),
]  # fmt: skip
from_page: TypeAdapter[Any] = TypeAdapter(FromPage)
