"""The benchmarks: what a won position is, how figures are counted, and every Python searches the same nodes.

Whether the figures are good is not tested.
"""

from __future__ import annotations

import io
from types import ModuleType

import pytest
from rich.console import Console

from local_runner.bench.positions import BenchPosition
from local_runner.processes.interpreters import pythons
from workshop.lab.bench import gobang, reversi
from workshop.lab.bench.engine import Effort, show, signature
from workshop.lab.bench.gobang import SIZE, is_won
from workshop.lab.bench.reversi import EMPTIES, endgame_rows

WON = BenchPosition([(7, 3), (0, 0), (7, 4), (0, 2), (7, 5), (0, 4), (7, 6), (0, 6)])


@pytest.mark.parametrize(
    "line, won",
    [([7 * SIZE + 7], True), ([7 * SIZE + 8], False), ([7 * SIZE + 3], False), ([7 * SIZE + 7, 99, 98], False)],
)
def test_the_referee_says_what_is_won(line: list[int], won: bool) -> None:
    assert is_won(WON, line) == won


def test_an_unsolved_endgame_counts_with_its_limit() -> None:
    found = [
        {"decided": True, "exact": True, "seconds": 0.1},
        {"decided": True, "exact": False, "seconds": 0.75},
        {"decided": False, "exact": False, "seconds": 0.75},
    ]
    solved, times = endgame_rows([found] * len(EMPTIES), 0.8)
    assert (solved["  10 free cells"], times["  10 free cells"]) == ("67%, 33%", "0.800 s, 0.800 s")


def test_the_signature_is_of_nodes_and_values() -> None:
    thoughts = [{"nodes": 5, "value": -3, "seconds": 0.5}, {"nodes": 7, "value": 0, "seconds": 0.5}]
    assert signature(thoughts) == signature([{**each, "seconds": 1.0} for each in thoughts])
    assert len({signature(thoughts), signature(thoughts[::-1]), signature([thoughts[0]])}) == 3


@pytest.mark.slow
@pytest.mark.parametrize("module, titles, labels", [
    (gobang, 1, ("stones/s", "wins by fours", "  3 fours")),
    (reversi, 2, ("endgame nodes/s", "  20 free cells")),
], ids=["gobang", "reversi"])  # fmt: skip
def test_every_python_is_measured_and_searches_the_same_nodes(
    module: ModuleType, titles: int, labels: tuple[str, ...]
) -> None:
    figures = module.bench(Effort(50, 2, 0.02))
    assert len({each.title for each in figures}) == len({each.signature for each in figures}) == titles
    assert [each.python for each in figures] == titles * [python.title for python in pythons()]
    shown = [each for each in figures if each.title == figures[0].title]
    console = Console(width=80, record=True, file=io.StringIO())
    show(shown, console)
    text = console.export_text()
    for said in (*labels, shown[0].signature, *shown[0].python.split(", ")):
        assert said in text
    assert "…" not in text and max(map(len, text.splitlines())) <= 80
