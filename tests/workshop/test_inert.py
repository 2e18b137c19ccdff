"""Any text in any field is inert in every medium, and what is not inert is noticed."""
from __future__ import annotations

import contextlib
import importlib
import itertools
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from local_runner import display, platform_log, tables, text
from local_runner.report import figures, markdown
from local_runner.study import output
from workshop.torture import inert
from workshop.torture.hostile_text import LONG, PIECES, visible

page = importlib.import_module("local_runner.report.page")     # its package has a function of the same name
TEXTS = st.one_of(
    st.text(),                                                          # any characters, lone surrogates too
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=6).map("".join),
    st.sampled_from(PIECES).map(lambda piece: (piece * LONG)[:LONG]),
).map(visible)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tournament files need not survive a power cut."""
    monkeypatch.setattr("workshop.torture.hostile_text.create", inert_create)


@contextlib.contextmanager
def inert_create(*arguments: Any) -> Iterator[Any]:
    from local_runner.tournament.store import create

    with create(*arguments) as store:
        store._tables.database.execute("PRAGMA synchronous = OFF")
        yield store


# Without shrinking, which would take minutes: a trial takes a second.
@settings(max_examples=15, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.lists(TEXTS, min_size=1, max_size=12))
def test_any_text_in_any_field_is_inert(texts: list[str]) -> None:
    supply = itertools.cycle(texts)
    with tempfile.TemporaryDirectory() as folder:
        assert inert.wrong(lambda: next(supply), Path(folder)) == ""


@pytest.mark.parametrize("number", [10, 20])
def test_a_trial(number: int, tmp_path: Path) -> None:
    """Every tenth trial draws plots too."""
    assert inert.trial(number, tmp_path) == ""


def _unchanged(found: Any, *_: Any, **__: Any) -> Any:
    return found


def _unescaped(environment: Any = page._environment) -> Any:
    made = environment()
    made.autoescape = False
    return made


def _whole(found: str, *_: Any) -> str:
    return text.in_line(found)


TAG, STEERING, LINES = "<b onclick='x'>", "\x1b[2J\u202e", "a\nb"
LONG_TEXT = "long " * (LONG // 5)
BROKEN = {  # what is broken: the module, its function, the broken one, and a text that it lets through
    "HTML": (page, "_environment", _unescaped, TAG),
    "long names in HTML": (page, "shortened", _whole, LONG_TEXT),
    "names in plots": (figures, "escape", _unchanged, TAG),
    "SVG of names": (figures, "_placeholder", lambda place: ' version="', "x"),
    "Markdown of a report": (markdown, "in_markdown", text.in_line, TAG),
    "links in Markdown": (markdown, "in_markdown", text.in_line, "[a](http://x.example)"),
    "tables in Markdown": (markdown, "in_markdown", text.in_line, "|"),
    "code in Markdown": (markdown, "markdown_code", lambda found: f"`{found}`", "`<b>"),
    "Markdown of a study": (output, "in_markdown", text.in_line, TAG),
    "code of a study": (output, "markdown_code", lambda found: f"`{found}`", "`<b>"),
    "a formula": (output, "in_csv", text.in_line, "=1+1"),
    "control characters in CSV": (output, "in_csv", _unchanged, STEERING),
    "control characters": (text, "printable", _unchanged, STEERING),
    "long names": (display, "shortened", _whole, LONG_TEXT),
    "long tracebacks": (display, "ending", lambda found, most: text.printable(found), LONG_TEXT * 5),
    "markup": (display, "Text", _unchanged, "[/bold]"),
    "markup in tables": (tables, "Text", _unchanged, "[/bold]"),
    "JSON": (output, "in_json", lambda found, indent=None: json.dumps(found, ensure_ascii=False), "\ud800"),
    "the log": (platform_log.json, "dumps", lambda found, **_: str(found), "'"),
    "names of files": (inert, "in_file_name", _unchanged, "../x"),
    "formulas in plots": (output, "plain_plots", lambda **_: contextlib.nullcontext(), "$\\frac{$"),
    "characters in plots": (output, "plain_plots", lambda **_: contextlib.nullcontext(), "棋"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_not_inert_is_noticed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, function, broken, found = BROKEN[name]
    assert inert.wrong(lambda: visible(found), tmp_path, plots="plots" in name) == ""
    monkeypatch.setattr(module, function, broken)
    with contextlib.suppress(Exception):            # a warning, or a file that cannot be written
        assert inert.wrong(lambda: visible(found), tmp_path, plots="plots" in name) == ""
        pytest.fail("nothing was noticed")
