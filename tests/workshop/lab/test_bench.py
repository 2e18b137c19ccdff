"""The benchmarks: how figures are counted, and that every Python searches the same nodes.

Whether the figures are good is not tested.
"""

from __future__ import annotations

import re

import pytest

from local_runner.processes.interpreters import pythons
from submission.search.deepening import Thought
from workshop.lab.bench import __main__ as bench
from workshop.lab.bench import host
from workshop.lab.bench.host import Effort, Solved


def test_an_unsolved_endgame_counts_with_its_limit() -> None:
    ended = [Solved(9, 2, 0.1, True, True), Solved(9, 2, 0.75, True, False), Solved(9, 2, 0.75, False, False)]
    assert host.solutions(ended, 0.8) == "67%, 33%; 0.800 s, 0.800 s"


def test_the_signature_is_of_nodes_and_values() -> None:
    thoughts = [Thought(3, -3, 2, 5, [3], 0.5), Thought(4, 0, 2, 7, [4], 0.5)]
    assert host.signature(thoughts) == host.signature([each._replace(seconds=1.0) for each in thoughts])
    assert len({host.signature(thoughts), host.signature(thoughts[::-1]), host.signature([thoughts[0]])}) == 3


@pytest.mark.slow
def test_every_python_searches_the_same_nodes(capfd: pytest.CaptureFixture[str]) -> None:
    bench.gobang(quick=True)
    shown = capfd.readouterr().out
    assert all(python.title in shown for python in pythons()) and "  3 fours, of 4" in shown
    assert len(set(re.findall("signature .* (\\w{12})", shown))) == 1


@pytest.mark.slow
def test_the_figures_of_reversi(capsys: pytest.CaptureFixture[str]) -> None:
    host.reversi(Effort(50, 2, 0.02))
    shown = capsys.readouterr().out
    assert shown.count("endgame nodes/s") == len(set(re.findall("signature .* (\\w{12})", shown))) == 2
    assert len(re.findall("^  20 +\\d+%", shown, re.MULTILINE)) == 2
