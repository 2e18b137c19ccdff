"""Tables: where their lines break."""

import pytest
from rich.console import Console
from rich.text import Text

import local_runner.terminal.tables  # noqa: F401  # sets where rich breaks a line


@pytest.mark.parametrize(("width", "text", "lines"), [
    (14, "合法着法：b1、c1、d1", ["合法着法：b1、", "c1、d1"]),
    (13, "合法着法：b1、c1、d1", ["合法着法：", "b1、c1、d1"]),
    (16, "没有出错（第 12 步）：", ["没有出错", "（第 12 步）："]),
    (8, "应返回两个列表", ["应返回两", "个列表"]),
    (11, "took 1.2 s of 1 s", ["took 1.2 s", "of 1 s"]),
    (4, "abcdefgh", ["abcd", "efgh"]),
])  # fmt: skip
def test_a_line_breaks_before_no_closing_mark_and_in_no_number(width: int, text: str, lines: list[str]) -> None:
    wrapped = Text(text).wrap(Console(width=width), width)
    assert [line.plain.rstrip() for line in wrapped] == lines
