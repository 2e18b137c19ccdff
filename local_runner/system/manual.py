"""Finds the pages of the documentation: those that a wheel carries, or those that `make docs` has built in a checkout.

A topic names a page and a part of it, such as "check#time": the page check.html, in the user's language.
"""

from pathlib import Path

from local_runner.language.languages import Message, current
from local_runner.system.checks import CHECKOUT

PREPARE = Message("run `make python37`")  # how to get the site's Python, in the imperative
if not CHECKOUT.joinpath("Makefile").is_file():
    PREPARE = Message("put a python3.7 with numpy 1.19.5 on the PATH, as `tengen docs python37` explains")
PLACES = (Path(__file__).parents[1] / "site", CHECKOUT / "build" / "site")  # in a wheel, in a checkout


def site() -> Path | None:
    """The folder of the site; None if this installation has none."""
    return next((place for place in PLACES if (place / "index.html").is_file()), None)


def explained_by(topic: str) -> str:
    """The command or the file that explains a topic of the reference; "" if this installation has neither."""
    source = CHECKOUT / "docs" / current() / "reference" / f"{topic.partition('#')[0]}.md"
    return f"tengen docs {topic}" if site() else str(source) if source.is_file() else ""
