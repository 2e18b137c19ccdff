"""Every example in a docstring gives what it shows."""

import doctest
import importlib
from pathlib import Path

import pytest

from tests.conftest import ROOT

FACE = "local_runner.python."  # the prefix that the name of the package `tengen` has as a path
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix(FACE).removesuffix(".__init__")
    for package in ("env_adapter", "local_runner", "submission", "workshop")
    for path in (ROOT / package).rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)
MARKS = {
    "tengen.engine": pytest.mark.slow,  # examples that start processes
    "tengen.matches": pytest.mark.slow,
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=MARKS.get(name, ())) for name in MODULES])
def test_the_examples_of_a_module(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted and not found.failed
