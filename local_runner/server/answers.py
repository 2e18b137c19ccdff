"""The messages that the server sends to the page. The messages from the page are in requests.py."""

from typing import Any, Literal

from local_runner.server.wire import VERSION, PagePosition, Player, SeatSpec, Tag, Wire


class GameKind(Wire):
    """A game that can be played. `style`: how its board is drawn. `sizes`: the board sizes that are offered, the usual
    size included. `in_a_row`: stones in a row that win, 0 in Reversi. `start`: the kind of pieces on the start board.
    `takes_board`: a game may begin from any stones, with either side to move. `formats`: the endings of the files in
    which a game can be saved. `agents`: the built-in agents that play the game; `given`: those of the server's command
    line. `openings`: the first openings of the game's book, each a list of cells.
    """

    env: str
    title: str
    style: Literal["crossings", "squares", "marks"]
    rows: int
    cols: int
    sizes: list[int]
    in_a_row: int
    start: Literal["empty", "stones", "discs"]
    has_pass: bool
    takes_board: bool
    formats: list[str]
    agents: list[str]
    given: list[str]
    openings: list[list[int]]


class Level(Wire):
    """One level of our engine. `about`: the limits of its search in words."""

    level: int
    name: str
    about: str


class RoomHeading(Wire):
    """A room in the list of games. `winner`: 1 Black, 2 White, 3 a draw, 0 while the game goes on. `to_move`: the side
    to move, 0 if the game cannot go on. `changed`: time of the last change, in UTC.
    """

    room: str
    env: str
    seats: tuple[SeatSpec, SeatSpec]
    names: tuple[str, str]
    plies: int
    winner: int
    to_move: int
    changed: str


class UploadHeading(Wire):
    """An uploaded submission.py. `name`: its name in the browser. `added`: time of the last upload, in UTC."""

    upload: str
    name: str
    added: str


class Welcome(Wire):
    """The answer to Hello. `rooms`, `uploads`: those on the server, the newest first. `damaged`: the paths of files of
    rooms that cannot be read. `files`: the tournament files
    that the command line names, for Watch. `formats`: the formats of saved games in words, by ending.
    """

    type: Literal["welcome"] = "welcome"
    version: int = VERSION
    games: list[GameKind]
    levels: list[Level]
    formats: dict[str, str]
    rooms: list[RoomHeading]
    damaged: list[str]
    uploads: list[UploadHeading]
    files: list[str]


class Uploaded(Wire):
    """The uploads after one was deleted, the newest first."""

    type: Literal["uploaded"] = "uploaded"
    tag: Tag
    uploads: list[UploadHeading]


class State(Wire):
    """The whole state of a room. `version`: number of changes of the room so far. `board`, `moves`: as in
    board_data.py. `seats`, `names`: Black's first. `thinking`: the player on turn if an agent plays that side, null
    otherwise. `clock`: seconds that each side has used so far, Black's first. `seconds`: seconds used for each ply,
    null where unknown. `result`: how the game ended, in words; "" while the game goes on. `fault`: the traceback and
    the output of the agent that caused the end, "" without one. `unkept`: why the store could not write the game as it
    is now, "" if it could. `pace`: the least seconds between two moves in a game without a human, null while it is
    paused.
    """

    type: Literal["state"] = "state"
    tag: Tag | None = None
    room: str
    version: int
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
    unkept: str = ""
    pace: float | None = None


class Moved(Wire):
    """New moves in a room, for a page that has the state with the version before. `moves`: as in State, but `moves` and
    `turned` have only the new plies. `seconds`: of the new plies. The other fields are as in State.
    """

    type: Literal["moved"] = "moved"
    tag: Tag | None = None
    room: str
    version: int
    moves: dict[str, Any]
    seconds: list[float | None]
    thinking: Player | None
    clock: tuple[float, float]
    result: str
    fault: str
    unkept: str


class Hint(Wire):
    """A hint: the cell that the engine would play, and a sentence with the engine's reason."""

    type: Literal["hint"] = "hint"
    tag: Tag
    room: str
    cell: int
    sentence: str


class Looked(Wire):
    """A report of a search. `ply`: the number of plies before the position. `who`: "engine" for the page's own engine,
    otherwise the side whose engine searches in the room. `look`: an `EngineInfo` as JSON.
    """

    type: Literal["looked"] = "looked"
    tag: Tag
    ply: int
    who: Literal["engine", "black", "white"]
    look: dict[str, Any]


class ShownPosition(Wire):
    """A position as the page draws it. `problem`: why the position cannot be played, "" if it can."""

    type: Literal["shown"] = "shown"
    tag: Tag
    board: dict[str, Any]
    moves: dict[str, Any]
    problem: str


class Analysed(Wire):
    """The analysis of a game so far. `done`: number of analysed positions. `all`: number of all positions. `analysis`:
    a `GameAnalysis` of analysis/game.py as JSON, with `lead`, the number of its plies that are set-up stones.
    """

    type: Literal["analysed"] = "analysed"
    tag: Tag
    done: int
    all: int
    analysis: dict[str, Any]


class Finding(Wire):
    """One result of a check. `mend`: how to correct the fault, "" if nothing is to be done. `detail`: a traceback, ""
    without one.
    """

    severity: Literal["ok", "note", "open", "failed"]
    title: str
    mend: str
    detail: str


class Checked(Wire):
    """The progress of a check. `text`: the current step. `done`, `all`: numbers of games. `verdict` and `findings` are
    filled in the last message, where `finished` is true. `ready`: whether the file may be uploaded, null if that could
    not be decided on this machine. `few_moves`: whether games of a slow agent were cut short.
    """

    type: Literal["checked"] = "checked"
    tag: Tag
    text: str
    done: int = 0
    all: int = 0
    finished: bool = False
    ready: bool | None = None
    few_moves: bool = False
    verdict: str = ""
    findings: tuple[Finding, ...] = ()


class Opened(Wire):
    """A game of an opened file. `result`: how the game ended, in words. `damage`: what is wrong with the record of the
    game, in words; "" if nothing is. `seconds`, `thoughts`: time and search figures by ply; [] if the file has none.
    `variations`: whether the file has variations of the game, which an analysis board shows.
    """

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
    variations: bool = False


class TreeMade(Wire):
    """The answer to NewTree: the name of the tree."""

    type: Literal["tree_made"] = "tree_made"
    tag: Tag
    tree: str


class TreeState(Wire):
    """The state of a tree. `whole`: `nodes` are all nodes; otherwise those that have changed, and nodes that no other
    names any more are gone. `node`: the node to show after the page's own change, else null. `can_undo`: whether a
    change can be taken back. `board`: as in board_data.py at the game's own start. `report`: the kept analysis as in
    Analysed, of the main line as it was then; null without one, and in a state that is not whole. `damage`: where the
    file of the game cannot be read. `unkept`: why the store could not write the tree, "" if it could.

    A node of `nodes` has its `id`, its `parent` (-1 for the start), `children`, `seconds`, the texts `name` and
    `comment`, and `marks`: SGF property, cell and label. `plies` are its moves: none, one, or a forced pass and a move.
    `turned`, as in board_data.py, is for `plies`. `stones`, `first`: the board that the node sets up, else null, and
    the side to move there. `line`, `legal`, `must_pass`, `to_move`, `winner`: as in board_data.py, after the node.
    `problem`: why the node cannot be played, or "".
    """

    type: Literal["tree"] = "tree"
    tag: Tag | None = None
    tree: str
    whole: bool
    node: int | None
    nodes: list[dict[str, Any]]
    can_undo: bool
    board: dict[str, Any]
    names: tuple[str, str]
    report: dict[str, Any] | None
    damage: str
    unkept: str


class TreeHeading(Wire):
    """A tree in the list of kept trees. `moves`: number of its moves. `changed`: time of the last change, in UTC."""

    tree: str
    env: str
    names: tuple[str, str]
    moves: int
    changed: str


class Trees(Wire):
    """The kept trees, the newest first. `damaged`: the paths of files of trees that cannot be read."""

    type: Literal["trees"] = "trees"
    tag: Tag
    trees: list[TreeHeading]
    damaged: list[str]


class StandingsRow(Wire):
    """An agent of a tournament. The 95 % interval of its rating is `elo` ± `error`. `score`: points per game, 0 to 1.
    `elo`, `error` and `score` are null before the agent's first game. `faults`: number of games that the agent lost by
    a fault.
    """

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
    """A sequential probability ratio test (SPRT). `llr`: the log-likelihood ratio (LLR) now. `lower`, `upper`: the
    bounds of the test. `decision`: "H0" or "H1", "" while undecided. `curve`: pairs of a number of games and the LLR
    after them.
    """

    elo0: float
    elo1: float
    llr: float
    lower: float
    upper: float
    decision: str
    curve: list[tuple[int, float]]


class LiveGame(Wire):
    """A game that is being played now. `board`, `moves`: as in board_data.py."""

    number: int
    names: tuple[str, str]
    board: dict[str, Any]
    moves: dict[str, Any]


class WatchedGame(Wire):
    """A finished game of a tournament. `number`: the game's number in OpenGame. `ending`: why the game ended, in words.
    `fault`: whether an agent's fault ended the game.
    """

    number: int
    names: tuple[str, str]
    winner: int
    plies: int
    ending: str
    fault: bool


class Watched(Wire):
    """The state of a tournament of one game, `env`. `planned`: number of games, null for an SPRT. `left`: the time
    until all are played, in words, "" without an estimate. `standings`: by rank. `against`: the cross-table: for each
    pair of agents in `standings` the first agent's games won, drawn and lost. `test`: the state of the SPRT, null for
    other tournaments.
    `games`: the newest first. `faults`: number of games that ended by a fault. `running`: whether games are being
    played now. `finished`: whether all games are played, or the SPRT is decided.
    """

    type: Literal["watched"] = "watched"
    tag: Tag
    env: str
    title: str
    running: bool
    finished: bool
    played: int
    planned: int | None
    left: str
    standings: list[StandingsRow]
    against: list[list[tuple[int, int, int]]]
    test: SprtState | None
    live: list[LiveGame]
    games: list[WatchedGame]
    faults: int


class Refusal(Wire):
    """The answer to a request that cannot be done. `sentence`: the reason, and what the user can do."""

    type: Literal["refusal"] = "refusal"
    tag: Tag | None
    sentence: str
