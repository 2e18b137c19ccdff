"""Writes the last position of a game as a PNG."""

from __future__ import annotations

import contextlib
import functools
import io
from typing import TYPE_CHECKING, Any

from local_runner.formats.file_format import FileFormat
from local_runner.formats.files.svg import Pen, Picture
from local_runner.formats.saved_game import SavedGame
from local_runner.language.languages import Message

if TYPE_CHECKING:
    from PIL import Image

FINER = 3  # the picture is drawn this many times larger and scaled down, so that round edges are smooth
SIDE = 900  # pixels: width of a picture, unless `CELLS` limits it
CELLS = (12, 56)  # pixels: least and greatest side of a cell
# Files of fonts with Chinese characters on Linux, Windows and macOS. Pillow's own font has none.
CHINESE = ("NotoSansCJK-Regular.ttc", "wqy-microhei.ttc", "wqy-zenhei.ttc", "msyh.ttc", "simsun.ttc", "PingFang.ttc",
           "DroidSansFallbackFull.ttf")  # fmt: skip
ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}


def write(game: SavedGame) -> bytes:
    """The PNG."""
    file = io.BytesIO()
    pixels(game).save(file, "PNG", optimize=True)
    return file.getvalue()


def pixels(game: SavedGame, side: int = SIDE) -> Image.Image:
    """The last position as an RGB image, about `side` pixels wide."""
    from PIL import Image  # here, because the import is slow

    picture = Picture(game)
    cell = max(CELLS[0], min(CELLS[1], int(side / picture.width)))
    width, height = round(picture.width * cell), round(picture.height * cell)
    image = Image.new("RGB", (width * FINER, height * FINER))
    picture.draw(_PngPen(image, cell * FINER))
    return image.reduce(FINER)


class _PngPen(Pen):
    """Draws on an image whose cells are `cell` pixels wide."""

    def __init__(self, image: Image.Image, cell: int) -> None:
        from PIL import ImageDraw

        self._cell, self._draw = cell, ImageDraw.Draw(image)

    def _box(self, x: float, y: float, to_x: float, to_y: float) -> list[int]:
        return [round(each * self._cell) for each in (x, y, to_x, to_y)]

    def area(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        self._draw.rectangle(self._box(x, y, x + width, y + height), fill=fill)

    def stroke(self, x: float, y: float, to_x: float, to_y: float, colour: str, thick: float = 0.0) -> None:
        self._draw.line(self._box(x, y, to_x, to_y), colour, round(thick * self._cell) or self._cell // 28)

    def disc(self, x: float, y: float, radius: float, fill: str, edge: str = "", thick: float = 0.0) -> None:
        box = self._box(x - radius, y - radius, x + radius, y + radius)
        self._draw.ellipse(box, fill or None, edge or None, max(FINER, round(thick * self._cell)) if edge else 0)

    def label(self, x: float, y: float, text: str, size: float, colour: str, anchor: str = "middle") -> None:
        font = _font(round(size * self._cell), any(ord(letter) > 0x2E80 for letter in text))
        self._draw.text((round(x * self._cell), round(y * self._cell)), text, colour, font, ANCHORS[anchor])


@functools.lru_cache(maxsize=8)
def _font(size: int, chinese: bool) -> Any:
    """A font. `chinese`: for characters from U+2E81 on, such as Chinese ones."""
    from PIL import ImageFont

    for name in CHINESE if chinese else ():
        with contextlib.suppress(OSError):
            return ImageFont.truetype(name, size)
    return ImageFont.load_default(size)


FORMAT = FileFormat(
    Message("a picture (PNG)"), Message("the last board"), ending="png", media="image/png", single=True, order=4,
)  # fmt: skip
