"""A board as shapes, for pictures: SVG and raster images draw the same list. The unit is a cell.

Row 0 is at the top. Around the board stand the letters and numbers of the cells, below it the players with their result
and, at Reversi, their discs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from env_adapter import Game, Reversi
from env_adapter.k_in_a_row import KInARow, find_line
from local_runner import coordinates
from local_runner.formats.saved_game import SavedGame
from local_runner.formats.told import positions
from local_runner.records import BLACK_WINS, DRAW, WHITE_WINS
from local_runner.session import GameSession
from local_runner.text import shortened

MARGIN = 1.0  # for the coordinates, in cells
CAPTION = 0.9  # height of a player's line
NARROWEST = 8  # a picture, so that names have room
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
    env = GameSession(game.setup, game.names, cells=game.cells).env
    return _drawn(game, env, len(game.cells))


def frames(game: SavedGame) -> Iterator[Drawing]:
    """Every position of a game, from its start."""
    for ply, env in enumerate(positions(game)):
        yield _drawn(game, env, ply)


def kind_of(env: str, game: Game) -> Kind:
    """How the board of a game looks."""
    if isinstance(game, Reversi):
        return Kind.SQUARES
    return Kind.MARKS if env == "tictactoe_1v1" else Kind.CROSSINGS


def _drawn(game: SavedGame, env: Game, plies: int) -> Drawing:
    kind = kind_of(game.setup.env, env)
    rows, cols, stones = env.board_height, env.board_width, env.stones()
    left = max(MARGIN, (NARROWEST - cols) / 2)
    pieces: list[Shape] = []
    for row, line in enumerate(stones):
        for col, stone in enumerate(line):
            pieces += _piece(kind, left + col + 0.5, MARGIN + row + 0.5, stone) if stone else []
    last = next((cell for cell in reversed(game.cells[:plies]) if cell), None)
    if isinstance(env, KInARow) and (five := find_line(env.current_state, env.in_a_row)):
        pieces += [Disc(left + col + 0.5, MARGIN + row + 0.5, 0.46, "", LINE, 0.08) for row, col in five]
    elif last:
        pieces.append(Disc(left + last[1] + 0.5, MARGIN + last[0] + 0.5, 0.13, LAST))
    width, height = cols + 2 * left, rows + 2 * MARGIN + 2 * CAPTION + 0.2
    counted = stones if kind is Kind.SQUARES else []
    pieces += _captions(game, counted, kind, (width, rows + 2 * MARGIN), ended=plies == len(game.cells))
    ground = (Area(0, 0, width, height, PAPER), *_ground(kind, rows, cols, left))
    return Drawing(width, height, ground, tuple(pieces))


def _ground(kind: Kind, rows: int, cols: int, start: float) -> Iterator[Shape]:
    """The empty board; `start`: where its first column begins."""
    style = STYLES[kind]
    yield Area(start, MARGIN, cols, rows, style.board)
    inset, more = (0.5, 0) if kind is Kind.CROSSINGS else (0.0, 1)
    left, top, right, bottom = start + inset, MARGIN + inset, start + cols - inset, MARGIN + rows - inset
    for row in range(rows + more):
        yield Stroke(left, top + row, right, top + row, style.lines)
    for col in range(cols + more):
        yield Stroke(left + col, top, left + col, bottom, style.lines)
    for col in range(cols):
        for y in (MARGIN / 2, MARGIN + rows + MARGIN / 2):
            yield Label(start + col + 0.5, y, coordinates.LETTERS[col], 0.42, FAINT)
    for row in range(rows):
        for x in (start - MARGIN / 2, start + cols + MARGIN / 2):
            yield Label(x, MARGIN + row + 0.5, str(row + 1), 0.42, FAINT)


def _piece(kind: Kind, x: float, y: float, stone: int) -> list[Shape]:
    if kind is Kind.MARKS:
        return [Cross(x, y, 0.3, CROSS, 0.1) if stone == BLACK_WINS else Disc(x, y, 0.32, "", NOUGHT, 0.1)]
    return [Disc(x, y, 0.43, BLACK if stone == BLACK_WINS else WHITE, EDGE, 0.03)]


def _captions(
    game: SavedGame, stones: Sequence[Sequence[int]], kind: Kind, place: tuple[float, float], *, ended: bool
) -> Iterator[Shape]:
    """A line for each player: the stone, the name, the discs, and 1, 0 or a half at the end.

    `place`: where they end and begin, from the left and from the top.
    """
    points = {BLACK_WINS: ("1", "0"), WHITE_WINS: ("0", "1"), DRAW: ("½", "½")}.get(game.winner, ("", ""))
    end, top = place
    room = max(8, min(NAME, int(3 * (end - 5))))
    for player, name in enumerate(game.names):
        y = top + (player + 0.45) * CAPTION
        yield from _piece(kind, MARGIN + 0.4, y, player + 1)
        yield Label(MARGIN + 1.1, y, shortened(name, room), 0.46, INK, "start")
        if stones:
            count = sum(line.count(player + 1) for line in stones)
            yield Label(end - MARGIN - 0.9, y, str(count), 0.5, INK, "end")
        if ended and points[player]:
            yield Label(end - MARGIN - 0.1, y, points[player], 0.5, INK, "end")
