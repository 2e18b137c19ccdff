"""A game as a picture in pixels: a PNG of the last position, or an animated GIF of all positions.

Stones and crosses are antialiased. Each kind is drawn once at `FINER` times its size, scaled down and cached as a
stamp. Stamps are pasted onto the board. Horizontal and vertical lines need no antialiasing. The font antialiases
letters itself.
"""

import functools
import io
import itertools
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from local_runner.formats.drawing import Picture
from local_runner.formats.saved_game import SavedGame

FINER = 8  # factor by which a stamp is drawn larger than it is pasted
PNG_SIDE, GIF_SIDE = 900, 480  # pixels: width of a picture, unless `CELLS` limits it
CELLS = (12, 56)  # pixels: least and greatest side of a cell
FRAME, START, END = 500, 1000, 4000  # milliseconds that a GIF shows a position, the first position, the last one
COLOURS = 128  # colours in the palette of a GIF
# Files of fonts with Chinese characters on Linux, Windows and macOS. The first font found draws texts with Chinese
# characters.
CHINESE = ("NotoSansCJK-Regular.ttc", "wqy-microhei.ttc", "wqy-zenhei.ttc", "msyh.ttc", "simsun.ttc", "PingFang.ttc",
           "DroidSansFallbackFull.ttf")  # fmt: skip
ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def png(game: SavedGame) -> bytes:
    """The last position as a PNG."""
    file = io.BytesIO()
    pixels(game, PNG_SIDE).save(file, "PNG", optimize=True)
    return file.getvalue()


def pixels(game: SavedGame, side: int = GIF_SIDE) -> Image.Image:
    """The last position as an RGB image, about `side` pixels wide."""
    canvas = _Canvas(Picture(game), side)
    *_before, last = canvas.picture.positions()
    return canvas.frame(last, len(game.cells))


def gif(game: SavedGame) -> bytes:
    """All positions as an animated GIF, which repeats for ever."""
    canvas = _Canvas(Picture(game), GIF_SIDE)
    positions = list(canvas.picture.positions())
    palette = canvas.frame(positions[-1], len(game.cells)).quantize(COLOURS)
    pictures = (
        canvas.frame(stones, plies).quantize(palette=palette, dither=Image.Dither.NONE)
        for plies, stones in enumerate(positions)
    )
    first = next(pictures)
    times = [START, *itertools.repeat(FRAME, len(game.cells))]
    times[-1] = END
    file = io.BytesIO()
    first.save(file, "GIF", save_all=True, append_images=pictures, duration=times, loop=0)
    return file.getvalue()


class _Canvas:
    """Draws the pictures of one game, about `side` pixels wide. The empty board is drawn once and copied."""

    def __init__(self, picture: Picture, side: int) -> None:
        self.picture = picture
        self._cell = max(CELLS[0], min(CELLS[1], int(side / picture.width)))
        self._ground = Image.new("RGB", (round(picture.width * self._cell), round(picture.height * self._cell)))
        picture.draw_ground(_RasterPen(self._ground, self._cell))

    def frame(self, stones: Sequence[int], plies: int) -> Image.Image:
        """The picture of the position after `plies` plies."""
        image = self._ground.copy()
        self.picture.draw_position(_RasterPen(image, self._cell), stones, plies)
        return image


class _RasterPen:
    """A `drawing.Pen` that draws on an image whose cells are `cell` pixels wide."""

    def __init__(self, image: Image.Image, cell: int) -> None:
        self._image, self._cell = image, cell
        self._pen = ImageDraw.Draw(image)

    def _at(self, x: float, y: float) -> tuple[int, int]:
        return round(x * self._cell), round(y * self._cell)

    def area(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        right, bottom = self._at(x + width, y + height)
        self._pen.rectangle((self._at(x, y), (right - 1, bottom - 1)), fill=fill)

    def stroke(self, x: float, y: float, to_x: float, to_y: float, colour: str) -> None:
        self._pen.line((self._at(x, y), self._at(to_x, to_y)), fill=colour, width=max(1, self._cell // 28))

    def disc(self, x: float, y: float, radius: float, fill: str, edge: str = "", thick: float = 0.0) -> None:
        self._put(x, y, _disc_stamp(self._cell, radius, fill, edge, thick))

    def cross(self, x: float, y: float, radius: float, colour: str, thick: float) -> None:
        self._put(x, y, _cross_stamp(self._cell, radius, colour, thick))

    def label(self, x: float, y: float, text: str, size: float, colour: str, anchor: str = "middle") -> None:
        font = _font(round(size * self._cell), _is_chinese(text))
        self._pen.text(self._at(x, y), text, colour, font, ANCHORS[anchor])

    def _put(self, x: float, y: float, stamp: Image.Image) -> None:
        left, top = self._at(x, y)
        self._image.paste(stamp, (left - stamp.width // 2, top - stamp.height // 2), stamp)


@functools.lru_cache(maxsize=256)
def _disc_stamp(cell: int, radius: float, fill: str, edge: str, thick: float) -> Image.Image:
    """An antialiased disc in the middle of a transparent square with an odd side."""
    picture, low, high, width = _blank_stamp(cell, radius, fill or edge, thick)
    ImageDraw.Draw(picture).ellipse((low, low, high, high), fill or None, edge or None, width if edge else 0)
    return picture.resize((picture.width // FINER,) * 2, Image.Resampling.BOX)


@functools.lru_cache(maxsize=8)
def _cross_stamp(cell: int, radius: float, colour: str, thick: float) -> Image.Image:
    """An antialiased cross in the middle of a transparent square with an odd side."""
    picture, low, high, width = _blank_stamp(cell, radius, colour, thick)
    pen = ImageDraw.Draw(picture)
    pen.line((low, low, high, high), colour, width)
    pen.line((low, high, high, low), colour, width)
    return picture.resize((picture.width // FINER,) * 2, Image.Resampling.BOX)


def _blank_stamp(cell: int, radius: float, colour: str, thick: float) -> tuple[Image.Image, float, float, int]:
    """A transparent square image, FINER times larger than the stamp, and the shape's place in that image.

    Returns the image, the least and the greatest coordinate of the shape (the same for x and y), and the line width.
    """
    side = (2 * (int((radius + thick) * cell) + 2) + 1) * FINER
    low, high = side / 2 - radius * cell * FINER, side / 2 + radius * cell * FINER
    return Image.new("RGBA", (side, side), colour + "00"), low, high, max(FINER, round(thick * cell * FINER))


@functools.lru_cache(maxsize=64)
def _font(size: int, chinese: bool) -> Font:
    for name in CHINESE if chinese else ():
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)


def _is_chinese(text: str) -> bool:
    """Whether a text has characters from U+2E81 on, such as Chinese ones, which Pillow's own font lacks."""
    return any(ord(letter) > 0x2E80 for letter in text)
