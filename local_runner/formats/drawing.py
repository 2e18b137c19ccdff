"""A board as shapes, for pictures: SVG and raster images draw the same list. The unit is a cell.

Row 0 is at the top. Around the board stand the letters and numbers of the cells, below it the players with their result
and, at Reversi, their discs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from env_adapter import Cell, Game, Reversi
from env_adapter.k_in_a_row import KInARow, find_line
from local_runner import coordinates
from local_runner.formats.saved_game import SavedGame
from local_runner.formats.told import play
from local_runner.records import BLACK_WINS, DRAW, WHITE_WINS
from local_runner.session import GameSession
from local_runner.text import shortened

MARGIN = 1.0  # for the coordinates, in cells
CAPTION = 0.9  # height of a player's line
NAME = 28  # columns of a player's name


class Kind(Enum):
    """How a board looks: stones on crossings, discs in squares, or crosses and noughts."""

    CROSSINGS = "crossings"
    SQUARES = "squares"
    MARKS = "marks"


@dataclass(frozen=True)
class Style:
    """Colours as #rrggbb."""

    board: str
    lines: str


STYLES = {
    Kind.CROSSINGS: Style("#e6c088", "#6f5330"),
    Kind.SQUARES: Style("#2f7d51", "#1b5535"),
    Kind.MARKS: Style("#f7f5ef", "#8d8a80"),
}
PAPER, INK, FAINT = "#fbfaf6", "#33312b", "#77746a"
BLACK, WHITE, EDGE, LAST, LINE = "#1c1c1c", "#fafafa", "#4a4a4a", "#e0483e", "#2f6fd0"
CROSS, NOUGHT = "#2b5fab", "#c04f30"


@dataclass(frozen=True)
class Area:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True)
class Stroke:
    """A level or upright line."""

    x: float
    y: float
    to_x: float
    to_y: float
    colour: str


@dataclass(frozen=True)
class Disc:
    """A circle. `fill`, `edge`: "" for none; `thick`: the width of the edge."""

    x: float
    y: float
    radius: float
    fill: str
    edge: str = ""
    thick: float = 0.0


@dataclass(frozen=True)
class Cross:
    """Two strokes from corner to corner of a square."""

    x: float
    y: float
    radius: float
    colour: str
    thick: float


@dataclass(frozen=True)
class Label:
    """A text around a point: its middle, or "start" or "end" at the point."""

    x: float
    y: float
    text: str
    size: float
    colour: str
    anchor: str = "middle"


Shape = Area | Stroke | Disc | Cross | Label


@dataclass(frozen=True)
class Drawing:
    """A picture: its size in cells, what never changes during a game, and what stands on the board now."""

    width: float
    height: float
    ground: tuple[Shape, ...]
    pieces: tuple[Shape, ...]


def drawing(game: SavedGame) -> Drawing:
    """The last position of a game."""
    return _drawn(game, GameSession(game.setup, game.names, cells=game.cells), ended=True)


def frames(game: SavedGame) -> Iterator[Drawing]:
    """Every position of a game, from its start."""
    session = GameSession(game.setup, game.names, cells=())
    yield _drawn(game, session, ended=not game.cells)
    for ply, cell in enumerate(game.cells, start=1):
        play(session, cell)
        yield _drawn(game, session, ended=ply == len(game.cells))


def kind_of(env: str, game: Game) -> Kind:
    """How the board of a game looks."""
    if isinstance(game, Reversi):
        return Kind.SQUARES
    return Kind.MARKS if env == "tictactoe_1v1" else Kind.CROSSINGS


def _drawn(game: SavedGame, session: GameSession, *, ended: bool) -> Drawing:
    env = session.env
    kind = kind_of(game.setup.env, env)
    rows, cols = env.board_height, env.board_width
    stones = env.stones()
    pieces: list[Shape] = []
    for row, line in enumerate(stones):
        for col, stone in enumerate(line):
            pieces += _piece(kind, (row, col), stone) if stone else []
    if isinstance(env, KInARow) and (five := find_line(env.current_state, env.in_a_row)):
        pieces += [Disc(*_middle(cell), 0.46, "", LINE, 0.08) for cell in five]
    elif last := next((cell for cell in reversed(session.cells) if cell), None):
        pieces.append(Disc(*_middle(last), 0.13, LAST))
    pieces += _captions(game, stones if kind is Kind.SQUARES else [], kind, rows, cols, ended=ended)
    height = rows + 2 * MARGIN + 2 * CAPTION + 0.2
    return Drawing(cols + 2 * MARGIN, height, tuple(_ground(kind, rows, cols)), tuple(pieces))


def _middle(cell: Cell) -> tuple[float, float]:
    return MARGIN + cell[1] + 0.5, MARGIN + cell[0] + 0.5


def _ground(kind: Kind, rows: int, cols: int) -> Iterator[Shape]:
    style = STYLES[kind]
    yield Area(0, 0, cols + 2 * MARGIN, rows + 2 * MARGIN + 2 * CAPTION + 0.2, PAPER)
    yield Area(MARGIN, MARGIN, cols, rows, style.board)
    inset, more = (0.5, 0) if kind is Kind.CROSSINGS else (0.0, 1)
    left, top, right, bottom = MARGIN + inset, MARGIN + inset, MARGIN + cols - inset, MARGIN + rows - inset
    for row in range(rows + more):
        yield Stroke(left, top + row, right, top + row, style.lines)
    for col in range(cols + more):
        yield Stroke(left + col, top, left + col, bottom, style.lines)
    for col in range(cols):
        for y in (MARGIN / 2, MARGIN + rows + MARGIN / 2):
            yield Label(MARGIN + col + 0.5, y, coordinates.LETTERS[col], 0.42, FAINT)
    for row in range(rows):
        for x in (MARGIN / 2, MARGIN + cols + MARGIN / 2):
            yield Label(x, MARGIN + row + 0.5, str(row + 1), 0.42, FAINT)


def _piece(kind: Kind, cell: Cell, stone: int) -> list[Shape]:
    x, y = _middle(cell)
    if kind is Kind.MARKS:
        return [Cross(x, y, 0.3, CROSS, 0.1) if stone == BLACK_WINS else Disc(x, y, 0.32, "", NOUGHT, 0.1)]
    return [Disc(x, y, 0.43, BLACK if stone == BLACK_WINS else WHITE, EDGE, 0.03)]


def _captions(
    game: SavedGame, stones: Sequence[Sequence[int]], kind: Kind, rows: int, cols: int, *, ended: bool
) -> Iterator[Shape]:
    """A line for each player: the stone, the name, the discs, and 1, 0 or a half at the end."""
    points = {BLACK_WINS: ("1", "0"), WHITE_WINS: ("0", "1"), DRAW: ("½", "½")}.get(game.winner, ("", ""))
    room = max(8, min(NAME, 2 * (cols - 3)))
    for player, name in enumerate(game.names):
        y = rows + 2 * MARGIN + (player + 0.45) * CAPTION
        [stone] = _piece(kind, (0, 0), player + 1)
        if isinstance(stone, Disc):
            yield Disc(MARGIN + 0.4, y, 0.8 * stone.radius, stone.fill, stone.edge, stone.thick)
        else:
            assert isinstance(stone, Cross)
            yield Cross(MARGIN + 0.4, y, 0.8 * stone.radius, stone.colour, stone.thick)
        yield Label(MARGIN + 1.0, y, shortened(name, room), 0.46, INK, "start")
        if stones:
            count = sum(line.count(player + 1) for line in stones)
            yield Label(MARGIN + cols - 0.9, y, str(count), 0.5, INK, "end")
        if ended and points[player]:
            yield Label(MARGIN + cols - 0.1, y, points[player], 0.5, INK, "end")
