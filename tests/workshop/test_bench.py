"""The benchmarks: how figures are counted, and that every Python searches the same nodes."""

from __future__ import annotations

import re
import subprocess

import pytest

from local_runner.processes.interpreters import pythons
from submission.reversi.endgame import Solution
from tests.conftest import ROOT
from workshop.lab import bench


def test_an_unsolved_endgame_counts_with_its_limit() -> None:
    ended = [Solution(0, 2, 2, 9, 0.1), Solution(0, 2, 3, 9, 0.75), Solution(0, -2, 2, 9, 0.75)]
    assert bench.solutions(ended, 0.8) == "67%, 33%; 0.800 s, 0.800 s"


def test_the_signature_is_of_nodes_and_values() -> None:
    answers = [(5, -3), (7, 0)]
    assert len({bench.signature(each) for each in (answers, answers[::-1], answers[:1], [(5, -3), (7, 1)])}) == 4


@pytest.mark.slow
def test_every_python_searches_the_same_nodes() -> None:
    signatures = set()
    for python in pythons():
        command = [str(python.path), "-m", "workshop.lab.bench", "gobang", "--quick"]
        shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        assert re.search("^wins by fours found in 50 ms +\\d+ of 20$", shown, re.MULTILINE)
        signatures.update(re.findall("signature .* (\\w{12})", shown))
    assert len(signatures) == 1


@pytest.mark.slow
def test_the_figures_of_reversi(capsys: pytest.CaptureFixture[str]) -> None:
    bench.reversi(bench.Effort(50, 2, 0.02))
    shown = capsys.readouterr().out
    assert shown.count("endgame nodes/s") == len(set(re.findall("signature .* (\\w{12})", shown))) == 2
    assert len(re.findall("^  20 +\\d+%", shown, re.MULTILINE)) == 2
