"""A board as shapes, for pictures: SVG and raster images draw the same list. The unit is a cell.

Row 0 is at the top. Around the board stand the letters and numbers of the cells, below it the players with their result
and, where discs are turned over, their discs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from env_adapter import BoardStyle
from env_adapter.game import other
from local_runner.formats.saved_game import SavedGame
from local_runner.game import coordinates
from local_runner.game.board_data import BoardData, board_of, moves_of
from local_runner.game.coordinates import PASS, number
from local_runner.game.records import BLACK_WINS, DRAW, WHITE_WINS
from local_runner.language.text import shortened

MARGIN = 1.0  # for the coordinates, in cells
CAPTION = 0.9  # height of a player's line
STAR = 0.08  # radius of a star point
NARROWEST = 8  # a picture, so that names have room
NAME = 28  # columns of a player's name


@dataclass(frozen=True)
class Style:
    """Colours as #rrggbb."""

    board: str
    lines: str


STYLES = {
    BoardStyle.CROSSINGS: Style("#e8c184", "#6a4d22"),
    BoardStyle.SQUARES: Style("#3d8a61", "#1f5d3d"),
    BoardStyle.MARKS: Style("#fbfaf6", "#a59f92"),
}  # as page/board.css
PAPER, INK, FAINT = "#ffffff", "#33312b", "#77746a"
BLACK, WHITE, EDGE, LAST, LINE = "#1b1d21", "#fafafa", "#4a4a4a", "#e5484d", "#e5484d"
CROSS, NOUGHT = "#2a5d9f", "#c2502b"


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
    *_before, last = _positions(game)
    return _drawn(game, *last)


def frames(game: SavedGame) -> Iterator[Drawing]:
    """Every position of a game, from its start."""
    return (_drawn(game, *position) for position in _positions(game))


def _positions(game: SavedGame) -> Iterator[tuple[BoardData, int, list[int]]]:
    """The board with its stones at the start and after every ply, the number of plies, and the winning line."""
    board, moves = board_of(game.setup), moves_of(game.setup, game.cells)
    stones, mover = list(board["stones"]), board["first"]
    yield {**board, "stones": list(stones)}, 0, []
    turns = zip(moves["moves"], moves["turned"] or [[]] * len(game.cells), strict=True)
    for ply, (cell, turned) in enumerate(turns, start=1):
        for at in [cell, *turned] if cell != PASS else []:
            stones[at] = mover
        mover = other(mover)
        yield {**board, "stones": list(stones)}, ply, moves["line"] if ply == len(game.cells) else []


def _drawn(game: SavedGame, board: BoardData, plies: int, line: Sequence[int]) -> Drawing:
    kind, rows, cols = BoardStyle(board["kind"]), board["rows"], board["cols"]
    left = max(MARGIN, (NARROWEST - cols) / 2)

    def middle(at: int) -> tuple[float, float]:
        return left + at % cols + 0.5, MARGIN + at // cols + 0.5

    pieces = [piece for at, stone in enumerate(board["stones"]) if stone for piece in _piece(kind, *middle(at), stone)]
    pieces += [Disc(*middle(at), 0.46, "", LINE, 0.08) for at in line]
    last = next((number(cell, cols) for cell in reversed(game.cells[:plies]) if cell), None)
    if last is not None and not line:
        pieces.append(Disc(*middle(last), 0.13, LAST))
    width, height = cols + 2 * left, rows + 2 * MARGIN + 2 * CAPTION + 0.2
    counted = board["stones"] if board["turns_discs"] else []
    pieces += _captions(game, counted, kind, (width, rows + 2 * MARGIN), ended=plies == len(game.cells))
    ground = (Area(0, 0, width, height, PAPER), *_ground(kind, rows, cols, left))
    return Drawing(width, height, ground, tuple(pieces))


def _ground(kind: BoardStyle, rows: int, cols: int, start: float) -> Iterator[Shape]:
    """The empty board; `start`: where its first column begins."""
    style = STYLES[kind]
    yield Area(start, MARGIN, cols, rows, style.board)
    inset, more = (0.5, 0) if kind is BoardStyle.CROSSINGS else (0.0, 1)
    left, top, right, bottom = start + inset, MARGIN + inset, start + cols - inset, MARGIN + rows - inset
    for row in range(rows + more):
        yield Stroke(left, top + row, right, top + row, style.lines)
    for col in range(cols + more):
        yield Stroke(left + col, top, left + col, bottom, style.lines)
    for down, right_of in _stars(kind, rows, cols):
        yield Disc(start + right_of, MARGIN + down, STAR, style.lines)
    for col in range(cols):
        for y in (MARGIN / 2, MARGIN + rows + MARGIN / 2):
            yield Label(start + col + 0.5, y, coordinates.LETTERS[col], 0.42, FAINT)
    for row in range(rows):
        for x in (start - MARGIN / 2, start + cols + MARGIN / 2):
            yield Label(x, MARGIN + row + 0.5, str(row + 1), 0.42, FAINT)


def _stars(kind: BoardStyle, rows: int, cols: int) -> Iterator[tuple[float, float]]:
    """The star points, from the corner of the board: the cells of geometry.js on the page."""
    if kind is BoardStyle.SQUARES and min(rows, cols) >= 8:
        yield from ((row, col) for row in (2, rows - 2) for col in (2, cols - 2))
    elif kind is BoardStyle.CROSSINGS and min(rows, cols) >= 9:
        far = 2 if min(rows, cols) < 13 else 3
        yield from ((row + 0.5, col + 0.5) for row in (far, rows - 1 - far) for col in (far, cols - 1 - far))
        if rows % 2 and cols % 2:
            yield rows / 2, cols / 2


def _piece(kind: BoardStyle, x: float, y: float, stone: int) -> list[Shape]:
    if kind is BoardStyle.MARKS:
        return [Cross(x, y, 0.3, CROSS, 0.1) if stone == BLACK_WINS else Disc(x, y, 0.32, "", NOUGHT, 0.1)]
    return [Disc(x, y, 0.43, BLACK if stone == BLACK_WINS else WHITE, EDGE, 0.03)]


def _captions(
    game: SavedGame, stones: Sequence[int], kind: BoardStyle, place: tuple[float, float], *, ended: bool
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
            yield Label(end - MARGIN - 0.9, y, str(stones.count(player + 1)), 0.5, INK, "end")
        if ended and points[player]:
            yield Label(end - MARGIN - 0.1, y, points[player], 0.5, INK, "end")
