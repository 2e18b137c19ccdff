"""Draws the last position of a game as shapes, and writes them as SVG; png.py draws the same shapes.

All lengths are in cells. Row 0 is at the top. Column letters and row numbers stand around the board. The players' names
stand below the board, with their points and, in Reversi, their numbers of discs.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from env_adapter import BoardStyle
from local_runner.formats.file_format import FileFormat
from local_runner.formats.saved_game import SavedGame, at_end
from local_runner.game import coordinates
from local_runner.game.board_data import board_of, moves_of
from local_runner.game.coordinates import number
from local_runner.game.records import BLACK_WINS, DRAW, WHITE_WINS
from local_runner.language.languages import Message
from local_runner.language.text import shortened

CELL = 40  # SVG user units on a side of a cell
MARGIN = 1.0  # cells on each side of the board, for the coordinates
CAPTION = 0.9  # cells: height of a player's line below the board
STAR = 0.08  # cells: radius of a star point
THIN = 0.03  # cells: width of the board's lines
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


class Shape(NamedTuple):
    """An element of an SVG: its tag, its attributes (`lengths` in cells, `words` such as colours), and its text."""

    tag: str
    lengths: dict[str, float]
    words: dict[str, str]
    text: str = ""


class Picture:
    """The shapes of a picture of `width` x `height` cells: the position after the last move, and the players.

    The cells of the winning line are marked or, if there is none, the last move.
    """

    def __init__(self, game: SavedGame) -> None:
        self.game, self.board = game, board_of(game.setup)
        self.kind = BoardStyle(self.board["kind"])
        self.left = max(MARGIN, (NARROWEST - self.board["cols"]) / 2)  # x of the first column's left edge
        self.width = self.board["cols"] + 2 * self.left
        self.bottom = self.board["rows"] + 2 * MARGIN  # y of the top of the players' lines
        self.height = self.bottom + 2 * CAPTION + 0.2
        self.shapes: list[Shape] = []
        cols, line = self.board["cols"], moves_of(game.setup, game.cells)["line"]

        def middle(at: int) -> tuple[float, float]:
            return self.left + at % cols + 0.5, MARGIN + at // cols + 0.5

        self._draw_ground()
        stones = [stone for row in at_end(game).stones() for stone in row]
        for at, stone in enumerate(stones):
            if stone:
                self._piece(*middle(at), stone)
        for at in line:
            self._disc(*middle(at), 0.46, "", LINE, 0.08)
        last = coordinates.last_played(game.cells)
        if last is not None and not line:
            self._disc(*middle(number(last, cols)), 0.13, LAST)
        self._captions(stones if self.board["turns_discs"] else [])

    def _area(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        self.shapes.append(Shape("rect", {"x": x, "y": y, "width": width, "height": height}, {"fill": fill}))

    def _line(self, x: float, y: float, to_x: float, to_y: float, colour: str, thick: float = THIN) -> None:
        lengths = {"x1": x, "y1": y, "x2": to_x, "y2": to_y, "stroke-width": thick}
        self.shapes.append(Shape("line", lengths, {"stroke": colour, "stroke-linecap": "round"}))

    def _disc(self, x: float, y: float, radius: float, fill: str, edge: str = "", thick: float = 0.0) -> None:
        lengths = {"cx": x, "cy": y, "r": radius - thick / 2, "stroke-width": thick}
        self.shapes.append(Shape("circle", lengths, {"fill": fill or "none", "stroke": edge or "none"}))

    def _label(self, x: float, y: float, text: str, size: float, colour: str, anchor: str = "middle") -> None:
        words = {"fill": colour, "text-anchor": anchor}
        self.shapes.append(Shape("text", {"x": x, "y": y, "font-size": size}, words, text))

    def _draw_ground(self) -> None:
        """Draw the white background and the empty board, with its coordinates."""
        rows, cols, (board, lines) = self.board["rows"], self.board["cols"], STYLES[self.kind]
        self._area(0, 0, self.width, self.height, PAPER)
        self._area(self.left, MARGIN, cols, rows, board)
        inset, more = (0.5, 0) if self.kind is BoardStyle.CROSSINGS else (0.0, 1)
        left, top = self.left + inset, MARGIN + inset
        right, bottom = self.left + cols - inset, MARGIN + rows - inset
        for row in range(rows + more):
            self._line(left, top + row, right, top + row, lines)
        for col in range(cols + more):
            self._line(left + col, top, left + col, bottom, lines)
        for down, right_of in _stars(self.kind, rows, cols):
            self._disc(self.left + right_of, MARGIN + down, STAR, lines)
        for col in range(cols):
            for y in (MARGIN / 2, MARGIN + rows + MARGIN / 2):
                self._label(self.left + col + 0.5, y, coordinates.LETTERS[col], 0.42, FAINT)
        for row in range(rows):
            for x in (self.left - MARGIN / 2, self.left + cols + MARGIN / 2):
                self._label(x, MARGIN + row + 0.5, str(row + 1), 0.42, FAINT)

    def _piece(self, x: float, y: float, stone: int) -> None:
        if self.kind is not BoardStyle.MARKS:
            self._disc(x, y, 0.43, BLACK if stone == BLACK_WINS else WHITE, EDGE, 0.03)
        elif stone == BLACK_WINS:
            self._line(x - 0.3, y - 0.3, x + 0.3, y + 0.3, CROSS, 0.1)
            self._line(x + 0.3, y - 0.3, x - 0.3, y + 0.3, CROSS, 0.1)
        else:
            self._disc(x, y, 0.32, "", NOUGHT, 0.1)

    def _captions(self, stones: Sequence[int]) -> None:
        """Write a line for each player: the stone, the name, and the number of discs if `stones` is not empty.

        A finished game with a known result also shows each player's points: 1, 0 or ½.
        """
        points = {BLACK_WINS: ("1", "0"), WHITE_WINS: ("0", "1"), DRAW: ("½", "½")}.get(self.game.winner, ("", ""))
        room = max(8, min(NAME, int(3 * (self.width - 5))))
        for player, name in enumerate(self.game.names):
            y = self.bottom + (player + 0.45) * CAPTION
            self._piece(MARGIN + 0.4, y, player + 1)
            self._label(MARGIN + 1.1, y, shortened(name, room), 0.46, INK, "start")
            if stones:
                self._label(self.width - MARGIN - 0.9, y, str(stones.count(player + 1)), 0.5, INK, "end")
            if points[player]:
                self._label(self.width - MARGIN - 0.1, y, points[player], 0.5, INK, "end")


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
    picture = Picture(game)
    width, height = _number(picture.width), _number(picture.height)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
    lines = [head + 'font-family="system-ui, sans-serif" dominant-baseline="central">']
    for tag, lengths, words, text in picture.shapes:
        values = {**{name: _number(length) for name, length in lengths.items()}, **words}
        attributes = " ".join(f'{name}="{value}"' for name, value in values.items())
        lines.append(f"<{tag} {attributes}>{escape(text)}</{tag}>")
    return "\n".join([*lines, "</svg>"]) + "\n"


def _number(cells: float) -> str:
    return f"{cells * CELL:.2f}".rstrip("0").rstrip(".")


FORMAT = FileFormat(
    Message("a drawing (SVG)"), Message("the last board"), ending="svg", media="image/svg+xml", single=True, order=4,
)  # fmt: skip
