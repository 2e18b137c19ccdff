"""What a page looks like to tests: findings of axe-core, its width, and pictures compared with kept ones."""
from __future__ import annotations

import io
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Locator, Page

PICTURES = Path(__file__).parent / "pictures"
GRAVE = {"serious", "critical"}
UNLIKE = 0.02  # of the brightness, mean over the picture; the edges of lines and letters differ between machines


def grave_findings(page: Page) -> list[str]:
    """The serious and critical findings of axe-core, one line each."""
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['help']}: {node['html'][:150]}" for one in found if one["impact"] in GRAVE
            for node in one["nodes"]]  # fmt: skip


def too_wide(page: Page) -> float:
    """By how many pixels the page is wider than its window."""
    return float(page.evaluate("document.scrollingElement.scrollWidth - innerWidth"))


def difference(one: Image.Image, other: Image.Image) -> float:
    """The mean difference of two pictures of one size, 0 to 1, after a blur that hides how edges are smoothed."""
    parts = ImageChops.difference(one.convert("RGB").reduce(4), other.convert("RGB").reduce(4))
    return sum(ImageStat.Stat(parts).mean) / 3 / 255


def assert_looks_as_kept(part: Locator, name: str, taken: Path) -> None:
    """Compare a part of the page with the kept picture. What was seen stays in the folder `taken`."""
    data = part.screenshot(animations="disabled", scale="css")
    seen = Image.open(io.BytesIO(data))
    (taken / f"{name}.png").write_bytes(data)
    kept = PICTURES / f"{name}.png"
    assert kept.exists(), f"there is no picture {kept.name}; look at {taken / kept.name} and keep it"
    with Image.open(kept) as expected:
        assert abs(seen.width - expected.width) <= 2 and abs(seen.height - expected.height) <= 2, seen.size
        assert difference(seen.resize(expected.size), expected) < UNLIKE, f"see {taken / kept.name}"
