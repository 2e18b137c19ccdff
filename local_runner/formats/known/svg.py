"""The last position of a game as SVG, a text that browsers and office programs show at any size."""

from collections.abc import Callable
from html import escape
from typing import Any

from local_runner.formats.drawing import Area, Cross, Disc, Label, Shape, Stroke, drawing
from local_runner.formats.file_format import FileFormat
from local_runner.formats.saved_game import SavedGame
from local_runner.language.languages import Message

CELL = 40  # units of a cell


def write(game: SavedGame) -> str:
    """The picture."""
    drawn = drawing(game)
    width, height = _number(drawn.width), _number(drawn.height)
    shapes = [_DRAWN[type(shape)](shape) for shape in drawn.ground + drawn.pieces]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
    font = 'font-family="system-ui, sans-serif" dominant-baseline="central">'
    return "\n".join([head + font, *shapes, "</svg>"]) + "\n"


def _number(cells: float) -> str:
    return f"{cells * CELL:.2f}".rstrip("0").rstrip(".")


def _area(it: Area) -> str:
    x, y, width, height = map(_number, (it.x, it.y, it.width, it.height))
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{it.fill}"/>'


def _stroke(it: Stroke) -> str:
    x, y, to_x, to_y = map(_number, (it.x, it.y, it.to_x, it.to_y))
    return f'<path d="M{x} {y}L{to_x} {to_y}" stroke="{it.colour}" stroke-linecap="square"/>'


def _disc(it: Disc) -> str:
    x, y, radius = map(_number, (it.x, it.y, it.radius - it.thick / 2))
    edge = f' stroke="{it.edge}" stroke-width="{_number(it.thick)}"' if it.edge else ""
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{it.fill or "none"}"{edge}/>'


def _cross(it: Cross) -> str:
    left, right, top, bottom = map(_number, (it.x - it.radius, it.x + it.radius, it.y - it.radius, it.y + it.radius))
    path = f"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}"
    return f'<path d="{path}" stroke="{it.colour}" stroke-width="{_number(it.thick)}" stroke-linecap="round"/>'


def _label(it: Label) -> str:
    x, y, size = map(_number, (it.x, it.y, it.size))
    place = f'x="{x}" y="{y}" font-size="{size}" fill="{it.colour}" text-anchor="{it.anchor}"'
    return f"<text {place}>{escape(it.text)}</text>"


_DRAWN: dict[type[Shape], Callable[[Any], str]] = {
    Area: _area, Stroke: _stroke, Disc: _disc, Cross: _cross, Label: _label
}  # fmt: skip

FORMAT = FileFormat(
    "svg",
    Message("a drawing (SVG)"),
    "the last board",
    ending="svg",
    media="image/svg+xml",
    write=write,
    order=4,
)
