"""Every example in a docstring gives what it shows (in submission/: tests/submission/test_controller.py)."""

import doctest
import importlib
from pathlib import Path

import pytest

from tests.conftest import ROOT

FACE = "local_runner.python."  # the prefix that the name of the package `tengen` has as a path
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix(FACE).removesuffix(".__init__")
    for package in ("env_adapter", "local_runner", "workshop")
    for path in (ROOT / package).rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)
SLOW = {"tengen.engine", "tengen.matches"}  # their examples start processes


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in MODULES])
def test_the_examples_of_a_module(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted and not found.failed
