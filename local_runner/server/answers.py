"""The messages from the server to the page; requests.py has those from the page."""

from typing import Any, Literal

from local_runner.server.parts import VERSION, PagePosition, Player, SeatSpec, Tag, Wire


class GameKind(Wire):
    """A game that can be played. `style`: how its board is drawn. `sizes`: of other square boards. `start`: what stands
    on the board. `takes_board`: a game may begin from any stones with either side. `agents`: the built-in agents that
    play it. `openings`: of its books, as moves.
    """

    env: str
    title: str
    style: Literal["crossings", "squares", "marks"]
    rows: int
    cols: int
    sizes: list[int]
    start: Literal["empty", "stones", "discs"]
    has_pass: bool
    takes_board: bool
    agents: list[str]
    openings: list[list[int]]


class Level(Wire):
    """One of our engine's levels: its number, name, and what it may use, in words."""

    level: int
    name: str
    about: str


class RoomHeading(Wire):
    """A game in the list of games. `changed`: when, in UTC."""

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
    seats: tuple[SeatSpec, SeatSpec]
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
    """A hint: the cell to play, and a sentence about it."""

    type: Literal["hint"] = "hint"
    tag: Tag
    room: str
    cell: int
    sentence: str


class Looked(Wire):
    """`look`: an `EngineInfo` as JSON. `ply`: of the position looked at. `who`: "engine", or the player who thinks."""

    type: Literal["looked"] = "looked"
    tag: Tag
    ply: int
    who: Literal["engine", "black", "white"]
    look: dict[str, Any]


class ShownPosition(Wire):
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


class Finding(Wire):
    """A finding of a check. `mend`: the remedy, "" without one. `detail`: a traceback, or ""."""

    severity: Literal["ok", "note", "open", "failed"]
    title: str
    mend: str
    detail: str


class Checked(Wire):
    """The progress of a check. `text`: the current step. `verdict` and `findings` come at the end. `ready`: whether the
    file may be uploaded, null if that could not be judged here.
    """

    type: Literal["checked"] = "checked"
    tag: Tag
    text: str
    finished: bool = False
    ready: bool | None = None
    verdict: str = ""
    findings: tuple[Finding, ...] = ()


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


class StandingsRow(Wire):
    """An agent of a tournament. `elo`, `error` (of 95 %), `score` (0 to 1): null before its first game."""

    rank: int
    name: str
    elo: float | None
    error: float | None
    games: int
    won: int
    drawn: int
    lost: int
    score: float | None
    faults: int


class SprtState(Wire):
    """An SPRT. `decision`: "" while there is none. `curve`: numbers of games with the log-likelihood ratio."""

    elo0: float
    elo1: float
    llr: float
    lower: float
    upper: float
    decision: str
    curve: list[tuple[int, float]]


class LiveGame(Wire):
    """A game that runs now. `board`, `moves`: as in board_data.py."""

    number: int
    names: tuple[str, str]
    board: dict[str, Any]
    moves: dict[str, Any]


class WatchedGame(Wire):
    """A game of a tournament that has ended. `number`: for OpenGame. `fault`: whether a fault ended it."""

    number: int
    names: tuple[str, str]
    winner: int
    plies: int
    ending: str
    fault: bool


class Watched(Wire):
    """A tournament as it is now. `standings`: by rank. `games`: the newest first."""

    type: Literal["watched"] = "watched"
    tag: Tag
    title: str
    running: bool
    played: int
    planned: int | None
    standings: list[StandingsRow]
    test: SprtState | None
    live: list[LiveGame]
    games: list[WatchedGame]
    faults: int


class Refusal(Wire):
    """A request that cannot be done; the sentence says why and what to do."""

    type: Literal["refusal"] = "refusal"
    tag: Tag | None
    sentence: str
