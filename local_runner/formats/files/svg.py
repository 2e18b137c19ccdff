"""Draws the last position of a game through a `Pen`, and writes the drawing as SVG; png.py has another pen.

All lengths are in cells. Row 0 is at the top. Column letters and row numbers stand around the board. The players' names
stand below the board, with their points and, in Reversi, their numbers of discs.
"""

from collections.abc import Iterator, Sequence
from html import escape

from env_adapter import BoardStyle
from local_runner.formats.file_format import FileFormat
from local_runner.formats.saved_game import SavedGame
from local_runner.game import coordinates
from local_runner.game.board_data import board_of, moves_of
from local_runner.game.coordinates import number
from local_runner.game.records import BLACK_WINS, DRAW, WHITE_WINS
from local_runner.game.session import GameSession
from local_runner.language.languages import Message
from local_runner.language.text import shortened

CELL = 40  # SVG user units on a side of a cell
MARGIN = 1.0  # cells on each side of the board, for the coordinates
CAPTION = 0.9  # cells: height of a player's line below the board
STAR = 0.08  # cells: radius of a star point
NARROWEST = 8  # cells: a narrower board gets wider margins, so that names have room
NAME = 28  # most characters of a player's name; a Chinese character counts as two


STYLES = {  # the colours of the board and of its lines, as in server/page/board/board.css
    BoardStyle.CROSSINGS: ("#e8c184", "#6a4d22"),
    BoardStyle.SQUARES: ("#3d8a61", "#1f5d3d"),
    BoardStyle.MARKS: ("#fbfaf6", "#a59f92"),
}
PAPER, INK, FAINT = "#ffffff", "#33312b", "#77746a"
BLACK, WHITE, EDGE, LAST, LINE = "#1b1d21", "#fafafa", "#4a4a4a", "#e5484d", "#e5484d"
CROSS, NOUGHT = "#2a5d9f", "#c2502b"


class Pen:
    """Draws shapes as the elements of an SVG; png.py has a pen that draws pixels.

    Lengths are in cells, (0, 0) is the picture's top left corner, colours are #rrggbb or "" for none. `stroke`: a
    line, with `thick` 0 a thin one. `disc`: a circle around (x, y), `thick` is the width of its edge. `label`: a text
    at height y; `anchor` says whether the text's "start", "middle" or "end" is at x.
    """

    def __init__(self) -> None:
        self.shapes: list[str] = []

    def area(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        place = f'x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"'
        self.shapes.append(f'<rect {place} fill="{fill}"/>')

    def stroke(self, x: float, y: float, to_x: float, to_y: float, colour: str, thick: float = 0.0) -> None:
        path = f"M{_number(x)} {_number(y)}L{_number(to_x)} {_number(to_y)}"
        width = f' stroke-width="{_number(thick)}"' if thick else ""
        self.shapes.append(f'<path d="{path}" stroke="{colour}"{width} stroke-linecap="round"/>')

    def disc(self, x: float, y: float, radius: float, fill: str, edge: str = "", thick: float = 0.0) -> None:
        place = f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius - thick / 2)}"'
        border = f' stroke="{edge}" stroke-width="{_number(thick)}"' if edge else ""
        self.shapes.append(f'<circle {place} fill="{fill or "none"}"{border}/>')

    def label(self, x: float, y: float, text: str, size: float, colour: str, anchor: str = "middle") -> None:
        place = f'x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}"'
        self.shapes.append(f'<text {place} fill="{colour}" text-anchor="{anchor}">{escape(text)}</text>')


class Picture:
    """Draws the last position of a game into a picture of `width` x `height` cells."""

    def __init__(self, game: SavedGame) -> None:
        self.game, self.board = game, board_of(game.setup)
        self.moves = moves_of(game.setup, game.cells)
        self.kind = BoardStyle(self.board["kind"])
        self.left = max(MARGIN, (NARROWEST - self.board["cols"]) / 2)  # x of the first column's left edge
        self.width = self.board["cols"] + 2 * self.left
        self.bottom = self.board["rows"] + 2 * MARGIN  # y of the top of the players' lines
        self.height = self.bottom + 2 * CAPTION + 0.2

    def draw(self, pen: Pen) -> None:
        """Draw the position after the last move, the players, and a mark on the winning line or else the last move."""
        self._draw_ground(pen)
        cols = self.board["cols"]

        def middle(at: int) -> tuple[float, float]:
            return self.left + at % cols + 0.5, MARGIN + at // cols + 0.5

        stones = [stone for row in GameSession(self.game.setup, cells=self.game.cells).env.stones() for stone in row]
        for at, stone in enumerate(stones):
            if stone:
                self._piece(pen, *middle(at), stone)
        for at in self.moves["line"]:
            pen.disc(*middle(at), 0.46, "", LINE, 0.08)
        last = coordinates.last_played(self.game.cells)
        if last is not None and not self.moves["line"]:
            pen.disc(*middle(number(last, cols)), 0.13, LAST)
        self._captions(pen, stones if self.board["turns_discs"] else [])

    def _draw_ground(self, pen: Pen) -> None:
        """Draw the white background and the empty board, with its coordinates."""
        rows, cols, (board, lines) = self.board["rows"], self.board["cols"], STYLES[self.kind]
        pen.area(0, 0, self.width, self.height, PAPER)
        pen.area(self.left, MARGIN, cols, rows, board)
        inset, more = (0.5, 0) if self.kind is BoardStyle.CROSSINGS else (0.0, 1)
        left, top = self.left + inset, MARGIN + inset
        right, bottom = self.left + cols - inset, MARGIN + rows - inset
        for row in range(rows + more):
            pen.stroke(left, top + row, right, top + row, lines)
        for col in range(cols + more):
            pen.stroke(left + col, top, left + col, bottom, lines)
        for down, right_of in _stars(self.kind, rows, cols):
            pen.disc(self.left + right_of, MARGIN + down, STAR, lines)
        for col in range(cols):
            for y in (MARGIN / 2, MARGIN + rows + MARGIN / 2):
                pen.label(self.left + col + 0.5, y, coordinates.LETTERS[col], 0.42, FAINT)
        for row in range(rows):
            for x in (self.left - MARGIN / 2, self.left + cols + MARGIN / 2):
                pen.label(x, MARGIN + row + 0.5, str(row + 1), 0.42, FAINT)

    def _piece(self, pen: Pen, x: float, y: float, stone: int) -> None:
        if self.kind is not BoardStyle.MARKS:
            pen.disc(x, y, 0.43, BLACK if stone == BLACK_WINS else WHITE, EDGE, 0.03)
        elif stone == BLACK_WINS:
            pen.stroke(x - 0.3, y - 0.3, x + 0.3, y + 0.3, CROSS, 0.1)
            pen.stroke(x + 0.3, y - 0.3, x - 0.3, y + 0.3, CROSS, 0.1)
        else:
            pen.disc(x, y, 0.32, "", NOUGHT, 0.1)

    def _captions(self, pen: Pen, stones: Sequence[int]) -> None:
        """Draw a line for each player: the stone, the name, and the number of discs if `stones` is not empty.

        A finished game with a known result also shows each player's points: 1, 0 or ½.
        """
        points = {BLACK_WINS: ("1", "0"), WHITE_WINS: ("0", "1"), DRAW: ("½", "½")}.get(self.game.winner, ("", ""))
        room = max(8, min(NAME, int(3 * (self.width - 5))))
        for player, name in enumerate(self.game.names):
            y = self.bottom + (player + 0.45) * CAPTION
            self._piece(pen, MARGIN + 0.4, y, player + 1)
            pen.label(MARGIN + 1.1, y, shortened(name, room), 0.46, INK, "start")
            if stones:
                pen.label(self.width - MARGIN - 0.9, y, str(stones.count(player + 1)), 0.5, INK, "end")
            if points[player]:
                pen.label(self.width - MARGIN - 0.1, y, points[player], 0.5, INK, "end")


def _stars(kind: BoardStyle, rows: int, cols: int) -> Iterator[tuple[float, float]]:
    """The star points as (rows, columns) from the board's top left corner, as in server/page/board/geometry.js."""
    if kind is BoardStyle.SQUARES and min(rows, cols) >= 8:
        yield from ((row, col) for row in (2, rows - 2) for col in (2, cols - 2))
    elif kind is BoardStyle.CROSSINGS and min(rows, cols) >= 9:
        far = 2 if min(rows, cols) < 13 else 3
        yield from ((row + 0.5, col + 0.5) for row in (far, rows - 1 - far) for col in (far, cols - 1 - far))
        if rows % 2 and cols % 2:
            yield rows / 2, cols / 2


# ---- SVG


def write(game: SavedGame) -> str:
    """The SVG."""
    picture, pen = Picture(game), Pen()
    picture.draw(pen)
    width, height = _number(picture.width), _number(picture.height)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
    font = 'font-family="system-ui, sans-serif" dominant-baseline="central">'
    return "\n".join([head + font, *pen.shapes, "</svg>"]) + "\n"


def _number(cells: float) -> str:
    return f"{cells * CELL:.2f}".rstrip("0").rstrip(".")


FORMAT = FileFormat(
    Message("a drawing (SVG)"), Message("the last board"), ending="svg", media="image/svg+xml", single=True, order=4,
)  # fmt: skip
