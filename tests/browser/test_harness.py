"""The harness itself: what counts as a fault of a page, and which pictures count as alike."""
from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from tests.browser.fixtures import PHONE, OpenPage, Watched
from tests.browser.sights import UNLIKE, difference, grave_findings, too_wide


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<script>console.log('so')</script>", "console, log: so"),
        ("<script>nothing()</script>", "error: nothing is not defined"),
        ("<script>Promise.reject(new Error('no'))</script>", "error: no"),
        ("<img alt='' src='http://elsewhere.invalid/a.png'>", "request to http://elsewhere.invalid/a.png"),
    ],
)
def test_a_fault_of_a_page_is_noted(html: str, said: str, open_page: OpenPage, watched: Watched) -> None:
    page = open_page("about:blank")
    page.set_content(html)
    page.wait_for_timeout(50)
    assert said in watched.problems
    assert said in watched.wrong()
    watched.allowed = [said, "ERR_NAME_NOT_RESOLVED"]


def test_a_page_without_names_and_too_wide(open_page: OpenPage) -> None:
    page = open_page("about:blank", size=PHONE)
    page.set_content("<!doctype html><body style='margin: 0'><div style='width: 500px'><button></button></div>")
    assert any(finding.startswith("button-name") for finding in grave_findings(page))
    assert too_wide(page) == 140
    page.set_content("<!doctype html><html lang=en><title>a</title><main><h1>a</h1></main>")
    assert (grave_findings(page), too_wide(page)) == ([], 0)


def test_a_moved_stone_is_a_difference_and_a_smooth_edge_is_none() -> None:
    def board(x: float, y: float, stone: str = "black") -> Image.Image:
        made = Image.new("RGB", (320, 320), "#e0b060")
        ImageDraw.Draw(made).ellipse((x, y, x + 18, y + 18), fill=stone)
        return made

    assert difference(board(100, 100), board(100.6, 100.4)) < UNLIKE
    for stone in ("black", "white"):
        assert difference(board(100, 100, stone), board(119, 100, stone)) > UNLIKE
    assert difference(board(100, 100), board(100, 100, "white")) > UNLIKE
