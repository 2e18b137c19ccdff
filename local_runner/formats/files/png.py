"""Writes the last position of a game as a PNG."""

from __future__ import annotations

import contextlib
import functools
import io
from typing import TYPE_CHECKING, Any

from local_runner.formats.file_format import FileFormat
from local_runner.formats.files.svg import Picture
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
    from PIL import Image, ImageDraw  # here, because the import is slow

    picture = Picture(game)
    cell = max(CELLS[0], min(CELLS[1], int(side / picture.width)))
    width, height = round(picture.width * cell), round(picture.height * cell)
    image = Image.new("RGB", (width * FINER, height * FINER))
    draw = ImageDraw.Draw(image)
    for tag, lengths, words, text in picture.shapes:
        at = {name: round(length * cell * FINER) for name, length in lengths.items()}
        fill, edge = (None if words.get(name) == "none" else words.get(name) for name in ("fill", "stroke"))
        if tag == "rect":
            draw.rectangle([at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"]], fill)
        elif tag == "line":
            draw.line([at["x1"], at["y1"], at["x2"], at["y2"]], edge, at["stroke-width"])
        elif tag == "circle":
            x, y, radius = at["cx"], at["cy"], at["r"] + at["stroke-width"] // 2
            thick = max(FINER, at["stroke-width"]) if edge else 0
            draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill, edge, thick)
        else:
            font = _font(at["font-size"], any(ord(letter) > 0x2E80 for letter in text))
            draw.text((at["x"], at["y"]), text, fill, font, ANCHORS[words["text-anchor"]])
    return image.reduce(FINER)


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
