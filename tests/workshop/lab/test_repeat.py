"""A property is repeated with every number, and a line names each that fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from workshop.lab import repeat


def odd(number: int, folder: Path) -> None:
    assert folder.is_dir() and not [*folder.iterdir()]
    (folder / "file").touch()
    assert number % 3, "three"


def test_numbers_that_fail_are_named(monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr(repeat, "load", lambda name: odd)
    with pytest.raises(SystemExit) as end:
        repeat.main(repeat.Property.inert, 2, 6)
    out = capsys.readouterr().out.splitlines()
    assert end.value.code == 1 and out[-1] == "inert: 2 of 5 failed"
    assert [line.partition(": ")[0] for line in out[:2]] == ["inert 3", "inert 6"] and "three" in out[0]


def test_a_stopped_run_says_how_it_goes_on(monkeypatch: Any, capsys: Any) -> None:
    def stopped(number: int, folder: Path) -> None:
        if number == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(repeat, "load", lambda name: stopped)
    with pytest.raises(SystemExit, match="--from 4 goes on"):
        repeat.main(repeat.Property.kills, 2, 6)


@pytest.mark.parametrize("name", repeat.PROPERTIES)
def test_every_property_is_there(name: str) -> None:
    assert callable(repeat.load(name))
