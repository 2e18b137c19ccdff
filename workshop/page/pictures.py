"""Makes the moving pictures at the top of the READMEs: `python -m workshop.page.pictures`, or `make pictures`.

In a browser, our engine plays gobang with the panel "look inside" open; then the page analyses that game. Each frame is
a screenshot of the page. The files are animated WebP; each takes about a minute to make. The Chinese one needs a
Chinese font (Debian and Ubuntu: fonts-noto-cjk).
"""

from __future__ import annotations

import io
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer
from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

from workshop.command import run
from workshop.page.serving import FLAGS, Serving, chromium

OUT = Path(__file__).parents[2] / "docs" / "pictures"
LOCALES = {"game.webp": "en-US", "game.zh.webp": "zh-CN"}  # file -> locale of the browser
WINDOW, SHOWN = (1160, 860), (870, 645)  # pixels of the page and of the picture
BLACK, WHITE = "agent-seed004", "level-4"
QUALITY = 55  # WebP quality, 0 to 100
STEP, HOLD, LAST = 450, 1600, 3000  # ms that a frame is shown: after a move, at a mistake, at the end of a part
MOST_LOOKS = 24  # frames of the game, at most
PATIENCE = 180.0  # seconds for the whole game


class Film:
    """Frames with their durations."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._frames: list[Image.Image] = []
        self._shown: list[int] = []

    def take(self, duration: int) -> None:
        picture = Image.open(io.BytesIO(self._page.screenshot(animations="disabled")))
        self._frames.append(picture.convert("RGB").resize(SHOWN, Image.Resampling.LANCZOS))
        self._shown.append(duration)

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        first, *others = self._frames
        first.save(path, save_all=True, append_images=others, duration=self._shown, loop=0, quality=QUALITY, method=6)


def play(page: Page, film: Film) -> None:
    """Play a game of two agents in the page; take a frame after each move, with the panel "look inside" open."""
    page.check("#game-gobang_1v1", force=True)
    page.select_option("#seat-black", BLACK)
    page.select_option("#seat-white", WHITE)
    page.click("#begin")
    page.click("#act-look")
    deadline, plies, frames = time.monotonic() + PATIENCE, 0, 0
    while page.locator("#result").is_hidden():
        if time.monotonic() > deadline:
            raise SystemExit("the game did not end in time")
        moves = page.locator("#moves [data-ply]").count()
        if moves > plies and frames < MOST_LOOKS and page.locator("#look-lines li").count():
            plies, frames = moves, frames + 1
            film.take(STEP)
        page.wait_for_timeout(50)
    film.take(LAST)


def analyse(page: Page, film: Film) -> None:
    """Analyse the same game in the page; take frames of its mistakes and of the better moves."""
    page.click("#act-look")
    page.click("#act-analyse")
    page.locator("#seconds").wait_for()
    page.locator("#progress").wait_for(state="hidden", timeout=PATIENCE * 1000)
    page.keyboard.press("Home")
    film.take(STEP)
    seen: set[str] = set()
    while True:
        page.click("#mistake-next")
        here = page.locator("#moves [aria-current]").get_attribute("data-ply") or ""
        if here in seen or len(seen) > 4:
            break
        seen.add(here)
        film.take(HOLD)
        if page.locator("#better").count():
            page.click("#better")
            film.take(HOLD)
    page.keyboard.press("End")
    film.take(LAST)


def main(folder: Annotated[Path, typer.Argument(metavar="[FOLDER]", help="Where to write.")] = OUT) -> None:
    home = tempfile.TemporaryDirectory(prefix="tengen-pictures-")
    with home as name, Serving(Path(name)) as serving, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        for file, locale in LOCALES.items():
            size = ViewportSize(width=WINDOW[0], height=WINDOW[1])
            page = browser.new_page(viewport=size, color_scheme="light", locale=locale)
            page.goto(serving.address)
            film = Film(page)
            play(page, film)
            analyse(page, film)
            film.write(folder / file)
            print(f"{folder / file}: {(folder / file).stat().st_size / 1000:.0f} kB")
        browser.close()


if __name__ == "__main__":
    run(main)
