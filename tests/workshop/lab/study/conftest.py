"""Runs a study in this process, and reads its table."""

import csv
import sys
from ast import literal_eval
from dataclasses import replace

import pytest

from workshop.command import run
from workshop.lab.study import __main__ as studies


@pytest.fixture
def study(monkeypatch, capsys):
    """A function that runs `python -m workshop.lab.study ARGUMENTS`; returns the exit code, stdout and stderr."""

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["study", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            run(*studies.COMMANDS)
        return end.value.code, *capsys.readouterr()

    return call


def _value(text):
    try:
        return literal_eval(text)
    except (SyntaxError, ValueError):
        return text or None


@pytest.fixture
def rows_of():
    """A function that reads the table of a study's folder, and checks that these plots are there and on the page."""

    def read(folder, *plots):
        page = (folder.parent / f"{folder.name}.md").read_text()
        assert {path.stem for path in folder.glob("*.svg")} >= set(plots)
        assert all(f"({folder.name}/{name}.svg)" in page for name in plots)
        assert all((folder / f"{name}.svg").stat().st_size > 10_000 for name in plots)
        with open(folder / "table.csv", newline="") as file:
            return [{key: _value(value) for key, value in row.items()} for row in csv.DictReader(file)]

    return read


@pytest.fixture
def without_plots(monkeypatch):
    """A study draws nothing, which takes a third of a second a plot."""
    write = studies.output.write
    monkeypatch.setattr(studies.output, "write", lambda result, *rest: write(replace(result, plots={}), *rest))
