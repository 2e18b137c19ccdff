"""Checks of a page's looks: all findings of axe-core, its width, and screenshots compared with stored pictures."""

from __future__ import annotations

import io
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from PIL import Image, ImageChops
from playwright.sync_api import Locator, Page

PICTURES = Path(__file__).parent / "pictures"
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"]}
SQUARE = 8  # pixels
UNLIKE = 0.25  # least `difference` of a failure: another font differs by less, a missing stone by more


def findings(page: Page) -> list[str]:
    """The findings of axe-core, one line each."""
    violations = Axe().run(page, options=RULES).response["violations"]
    return [f"{one['id']}: {one['help']}: {node['html'][:150]}" for one in violations for node in one["nodes"]]


def too_wide(page: Page) -> float:
    """By how many pixels the page is wider than its window."""
    return float(page.evaluate("document.scrollingElement.scrollWidth - innerWidth"))


def difference(one: Image.Image, other: Image.Image) -> float:
    """The largest difference of two pictures of one size in a square and a colour channel, 0 to 1.

    The means of squares are compared, so that the smoothing of lines and letters does not matter.
    """
    parts = ImageChops.difference(one.convert("RGB").reduce(SQUARE), other.convert("RGB").reduce(SQUARE))
    return max(high for _, high in parts.getextrema()) / 255  # type: ignore[misc,union-attr]


def assert_looks_as_kept(part: Locator, name: str, taken: Path) -> None:
    """Compare a screenshot of `part` with the stored picture. The screenshot stays in the folder `taken`."""
    data = part.screenshot(animations="disabled", scale="css")
    seen = Image.open(io.BytesIO(data))
    (taken / f"{name}.png").write_bytes(data)
    kept = PICTURES / f"{name}.png"
    assert kept.exists(), f"there is no picture {kept.name}; look at {taken / kept.name} and keep it"
    with Image.open(kept) as expected:
        assert abs(seen.width - expected.width) <= 2 and abs(seen.height - expected.height) <= 2, seen.size
        assert difference(seen.resize(expected.size), expected) < UNLIKE, f"see {taken / kept.name}"
