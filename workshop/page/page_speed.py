"""Measures the page: `python -m workshop.page.page_speed`, or `make webspeed`. Prints rows of measurements.md.

Each load uses a new browser context with an empty cache. First paint is Chromium's "first-contentful-paint". The page
is interactive when the board is drawn and the button that begins a game is enabled. Weight is the number of bytes
received, with headers, until the network is idle. The last row is the time from choosing a file of 1,000 games until
the last row of the list of games is shown.
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from local_runner.game.platform_log import plain
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from workshop.command import run
from workshop.page.serving import FLAGS, Serving, chromium

LOADS, OPENINGS = 10, 5
GAMES, DIFFERENT = 1000, 10  # games in the file; different games, which the file repeats
WATCH = """
const ready = () => document.querySelector("#begin:enabled") && document.querySelector("#main .board svg .ground");
const watched = new MutationObserver(() => {
  if (!ready()) return;
  window.interactive = performance.now();
  watched.disconnect();
});
watched.observe(document, {childList: true, subtree: true, attributes: true});
"""
OPEN = """([text, times, games]) => new Promise((resolve) => {
  const data = new DataTransfer();
  data.items.add(new File(Array(times).fill(text), "games.json"));
  const field = document.querySelector("#file");
  field.files = data.files;
  const begun = performance.now();
  new MutationObserver((_, observer) => {
    if (document.querySelectorAll("#games tbody tr").length < games) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - begun));
  }).observe(document, {childList: true, subtree: true});
  field.dispatchEvent(new Event("change", {bubbles: true}));
})"""


def loads(browser: Browser, address: str) -> Iterator[tuple[float, float, float]]:
    """For each load: the times of first paint and interactive in ms, and the weight in kB."""
    for _ in range(LOADS):
        context = browser.new_context()
        page = context.new_page()
        page.add_init_script(WATCH)
        weights: list[float] = []
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", _adder(weights))
        page.goto(address)
        while not (interactive := page.evaluate("window.interactive || 0")):
            page.wait_for_timeout(20)
        page.wait_for_load_state("networkidle")
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        yield paint, interactive, sum(weights) / 1000
        context.close()


def openings(browser: Browser, address: str) -> Iterator[float]:
    """For each of `OPENINGS` tries: seconds from choosing the file of `GAMES` games until its list is shown."""
    text = different_games()
    for _ in range(OPENINGS):
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{address}#replay")
        page.locator("#file").wait_for(state="attached")
        yield page.evaluate(OPEN, [text, GAMES // DIFFERENT, GAMES]) / 1000
        context.close()


def different_games() -> str:
    """The logs of `DIFFERENT` random games of gobang, joined as the site joins logs in one file."""
    return "".join(json.dumps(_random_game(seed), default=plain) for seed in range(DIFFERENT))


def _random_game(seed: int) -> object:
    rng, session = random.Random(seed), GameSession(GameSetup("gobang_1v1"))
    while session.result is None:
        session.play(rng.choice(session.env.legal_moves()))
    return session.log.finished(session.env)


def _adder(weights: list[float]) -> Callable[[dict[str, float]], None]:
    return lambda event: weights.append(event["encodedDataLength"])


def row(name: str, values: list[float], unit: str, digits: int = 0) -> str:
    """A row of the table: median, minimum and maximum of the values.

    >>> row("first paint", [30.2, 10.0, 20.4], "ms")
    '| first paint | 20 ms | 10 to 30 ms |'
    """
    middle, least, most = (f"{value:.{digits}f}" for value in (statistics.median(values), min(values), max(values)))
    return f"| {name} | {middle} {unit} | {least} to {most} {unit} |"


def main() -> None:
    folder = tempfile.TemporaryDirectory(prefix="tengen-speed-")
    with folder as name, Serving(Path(name)) as serving, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        paints, interactives, weights = (list(values) for values in zip(*loads(browser, serving.address), strict=True))
        print(f"| {LOADS} loads with an empty cache | median | least to most |\n|---|---|---|")
        print(row("first paint", paints, "ms"))
        print(row("interactive", interactives, "ms"))
        print(row("weight", weights, "kB"))
        print(row(f"a file of {GAMES:,} games", list(openings(browser, serving.address)), "s", 2))
        browser.close()


if __name__ == "__main__":
    run(main)
