"""Writes the last position of a game as an SVG drawing."""

from html import escape

from local_runner.formats.drawing import Picture
from local_runner.formats.file_format import FileFormat
from local_runner.formats.saved_game import SavedGame
from local_runner.language.languages import Message

CELL = 40  # SVG user units on a side of a cell


def write(game: SavedGame) -> str:
    """The SVG."""
    picture, pen = Picture(game), _SvgPen()
    picture.draw(pen)
    width, height = _number(picture.width), _number(picture.height)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
    font = 'font-family="system-ui, sans-serif" dominant-baseline="central">'
    return "\n".join([head + font, *pen.shapes, "</svg>"]) + "\n"


def _number(cells: float) -> str:
    return f"{cells * CELL:.2f}".rstrip("0").rstrip(".")


class _SvgPen:
    """A `drawing.Pen` that collects the elements of an SVG."""

    def __init__(self) -> None:
        self.shapes: list[str] = []

    def area(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        place = f'x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"'
        self.shapes.append(f'<rect {place} fill="{fill}"/>')

    def stroke(self, x: float, y: float, to_x: float, to_y: float, colour: str) -> None:
        path = f"M{_number(x)} {_number(y)}L{_number(to_x)} {_number(to_y)}"
        self.shapes.append(f'<path d="{path}" stroke="{colour}" stroke-linecap="square"/>')

    def disc(self, x: float, y: float, radius: float, fill: str, edge: str = "", thick: float = 0.0) -> None:
        place = f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius - thick / 2)}"'
        border = f' stroke="{edge}" stroke-width="{_number(thick)}"' if edge else ""
        self.shapes.append(f'<circle {place} fill="{fill or "none"}"{border}/>')

    def cross(self, x: float, y: float, radius: float, colour: str, thick: float) -> None:
        left, right, top, bottom = map(_number, (x - radius, x + radius, y - radius, y + radius))
        path = f"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}"
        style = f'stroke="{colour}" stroke-width="{_number(thick)}" stroke-linecap="round"'
        self.shapes.append(f'<path d="{path}" {style}/>')

    def label(self, x: float, y: float, text: str, size: float, colour: str, anchor: str = "middle") -> None:
        place = f'x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}"'
        self.shapes.append(f'<text {place} fill="{colour}" text-anchor="{anchor}">{escape(text)}</text>')


FORMAT = FileFormat(
    Message("a drawing (SVG)"),
    Message("the last board"),
    ending="svg",
    media="image/svg+xml",
    single=True,
    order=4,
)
