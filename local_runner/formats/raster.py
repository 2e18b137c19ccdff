"""A game as a picture in pixels: PNG of the last position, or an animated GIF of all of them.

Stones and crosses are drawn large and made smaller, which smooths their edges, once for each look; then they are put on
the board. Level lines need no smoothing, and letters are smoothed by the font.
"""

import functools
import io
import itertools

from PIL import Image, ImageDraw, ImageFont

from local_runner.formats.drawing import Area, Cross, Disc, Drawing, Label, Shape, Stroke, drawing, frames
from local_runner.formats.saved_game import SavedGame

FINER = 8  # times larger
PNG_SIDE, GIF_SIDE = 900, 480  # pixels of a usual picture's width, about
CELLS = (12, 56)  # least and most pixels of a cell
FRAME, START, END = 500, 1000, 4000  # milliseconds
COLOURS = 128  # of a GIF
# Fonts with Chinese letters, by the names of their files on Linux, Windows and macOS; used for names that need them.
CHINESE = ("NotoSansCJK-Regular.ttc", "wqy-microhei.ttc", "wqy-zenhei.ttc", "msyh.ttc", "simsun.ttc", "PingFang.ttc",
           "DroidSansFallbackFull.ttf")  # fmt: skip
ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def png(game: SavedGame) -> bytes:
    """The last position."""
    drawn = drawing(game)
    file = io.BytesIO()
    _Canvas(drawn, PNG_SIDE).frame(drawn).save(file, "PNG", optimize=True)
    return file.getvalue()


def gif(game: SavedGame) -> bytes:
    """All positions, one after another; the last one stays longer."""
    last = drawing(game)
    canvas = _Canvas(last, GIF_SIDE)
    palette = canvas.frame(last).quantize(COLOURS)
    pictures = (canvas.frame(drawn).quantize(palette=palette, dither=Image.Dither.NONE) for drawn in frames(game))
    first = next(pictures)
    times = [START, *itertools.repeat(FRAME, len(game.cells))]
    times[-1] = END
    file = io.BytesIO()
    first.save(file, "GIF", save_all=True, append_images=pictures, duration=times, loop=0)
    return file.getvalue()


class _Canvas:
    """Draws pictures of one board; what never changes is drawn once."""

    def __init__(self, drawn: Drawing, side: int) -> None:
        self._cell = max(CELLS[0], min(CELLS[1], int(side / drawn.width)))
        size = round(drawn.width * self._cell), round(drawn.height * self._cell)
        self._ground = Image.new("RGB", size)
        self._put(self._ground, drawn.ground)

    def frame(self, drawn: Drawing) -> Image.Image:
        """One picture."""
        picture = self._ground.copy()
        self._put(picture, drawn.pieces)
        return picture

    def _put(self, picture: Image.Image, shapes: tuple[Shape, ...]) -> None:
        pen = ImageDraw.Draw(picture)
        for shape in shapes:
            x, y = round(shape.x * self._cell), round(shape.y * self._cell)
            if isinstance(shape, Area):
                end = round((shape.x + shape.width) * self._cell) - 1, round((shape.y + shape.height) * self._cell) - 1
                pen.rectangle(((x, y), end), fill=shape.fill)
            elif isinstance(shape, Stroke):
                end = round(shape.to_x * self._cell), round(shape.to_y * self._cell)
                pen.line(((x, y), end), fill=shape.colour, width=max(1, self._cell // 28))
            elif isinstance(shape, Label):
                font = _font(round(shape.size * self._cell), _is_chinese(shape.text))
                pen.text((x, y), shape.text, shape.colour, font, ANCHORS[shape.anchor])
            else:
                stamp = _stamp(_at_origin(shape), self._cell)
                picture.paste(stamp, (x - stamp.width // 2, y - stamp.height // 2), stamp)


def _at_origin(shape: Disc | Cross) -> Disc | Cross:
    if isinstance(shape, Disc):
        return Disc(0, 0, shape.radius, shape.fill, shape.edge, shape.thick)
    return Cross(0, 0, shape.radius, shape.colour, shape.thick)


@functools.lru_cache(maxsize=256)
def _stamp(shape: Disc | Cross, cell: int) -> Image.Image:
    """A stone or a cross with smooth edges, in the middle of a transparent square with an odd side."""
    side = 2 * (int((shape.radius + shape.thick) * cell) + 2) + 1
    colour = shape.fill or shape.edge if isinstance(shape, Disc) else shape.colour
    picture = Image.new("RGBA", (side * FINER, side * FINER), colour + "00")
    pen, middle = ImageDraw.Draw(picture), side * FINER / 2
    radius, thick = shape.radius * cell * FINER, max(FINER, round(shape.thick * cell * FINER))
    low, high = middle - radius, middle + radius
    if isinstance(shape, Disc):
        pen.ellipse((low, low, high, high), shape.fill or None, shape.edge or None, thick if shape.edge else 0)
    else:
        pen.line((low, low, high, high), shape.colour, thick)
        pen.line((low, high, high, low), shape.colour, thick)
    return picture.resize((side, side), Image.Resampling.BOX)


@functools.lru_cache(maxsize=64)
def _font(size: int, chinese: bool) -> Font:
    for name in CHINESE if chinese else ():
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)


def _is_chinese(text: str) -> bool:
    """Whether a text has letters that the usual font lacks."""
    return any(ord(letter) > 0x2E80 for letter in text)
