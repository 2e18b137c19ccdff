"""Every example in a docstring gives what it shows."""

import doctest
import importlib
from pathlib import Path

import pytest

from tests.conftest import NO_COMPILER
from workshop.native.build import find_compiler

ROOT = Path(__file__).resolve().parents[2]
COMPILES = "workshop.native.search"
MODULES = sorted(
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    for package in ("env_adapter", "local_runner", "workshop")
    for path in (ROOT / package).rglob("*.py")
    if ">>> " in path.read_text("utf-8") and "opponents" not in path.parts  # tests/local_runner/agents tests those
)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name == COMPILES else name for name in MODULES]
)
def test_the_examples_of_a_module(name: str) -> None:
    if name == COMPILES and find_compiler() is None:
        pytest.skip(NO_COMPILER)
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted and not found.failed
