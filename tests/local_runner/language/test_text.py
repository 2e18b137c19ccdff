"""Text of strangers in each medium; test_inert.py tries any text in any field."""

import pytest
from rich.cells import cell_len

from local_runner.language.text import (
    ending,
    in_file_name,
    in_plot,
    printable,
    shortened,
)


@pytest.mark.parametrize(("function", "text", "shown"), [
    (printable, "a\u200fb\u061c\ufeff\U000e0041", r"a\u200fb\u061c\ufeff\U000e0041"),
    (in_plot, "_a", " _a"),
    (in_file_name, "../a b:c=1", "___a_b_c_1"), (in_file_name, "棋" * 99, "棋" * 40),
])  # fmt: skip
def test_a_medium(function, text, shown):
    assert function(text) == shown


@pytest.mark.parametrize("text", ["x" * 10_000, "棋" * 10_000, "e" + "\u0301" * 10_000, "\x1b" * 10_000, "a棋" * 5_000])
@pytest.mark.parametrize("most", [7, 20, 61])
def test_what_is_shown_is_cut(text, most):
    shown = shortened(text, most)
    assert "…" in shown and len(shown) <= most and cell_len(shown) <= most
    assert shown.startswith(printable(text)[: most // 5]) and shown.endswith(printable(text)[-(most // 5) :])
    assert len(ending(text, most)) <= most + 1


def test_the_end_of_a_text_counts_a_tab_as_the_columns_it_takes():
    assert ending("\t" * 10_000 + "x", 50) == "…" + " " * 49 + "x"


@pytest.mark.parametrize("text", ["", "x" * 60, "棋" * 30])
def test_what_fits_is_not_cut(text):
    assert shortened(text, 60) == text
