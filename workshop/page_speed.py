"""Measures the page: `python -m workshop.page_speed`, or `make webspeed`. Prints the rows of docs/measurements.md.

Each load is a new window with an empty cache. First paint is Chromium's "first-contentful-paint". The page is interactive
when the board and its games are there, so that a click does something. Weight is what comes over the wire, headers
included. A log of 1,000 games is opened from a click to its list of games.
"""
from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import typer
from playwright.sync_api import Browser, Page, sync_playwright

from workshop.serving import FLAGS, Serving, chromium

LOADS = 10
GAMES = 1000
READY = "[data-cell]"  # an element of a board that can be played on
WATCH = """
const watched = new MutationObserver(() => {
  if (document.querySelector(%s)) { window.interactive = performance.now(); watched.disconnect(); }
});
watched.observe(document, {childList: true, subtree: true});
"""


def loads(browser: Browser, address: str) -> Iterator[tuple[float, float, float]]:
    """First paint and interactive in ms, and weight in kB, of each load."""
    for _ in range(LOADS):
        context = browser.new_context()
        page = context.new_page()
        page.add_init_script(WATCH % json.dumps(READY))
        weights: list[float] = []
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", lambda event, weights=weights: weights.append(event["encodedDataLength"]))
        page.goto(address)
        page.wait_for_function("window.interactive")
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        page.wait_for_load_state("networkidle")
        yield paint, page.evaluate("window.interactive"), sum(weights) / 1000
        context.close()


def row(name: str, values: list[float], unit: str) -> str:
    """A row of the table: the median, the least and the most.

    >>> row("first paint", [30.2, 10.0, 20.4], "ms")
    '| first paint | 20 ms | 10 to 30 ms |'
    """
    return f"| {name} | {statistics.median(values):.0f} {unit} | {min(values):.0f} to {max(values):.0f} {unit} |"


if __name__ == "__main__":
    pass
