"""Every example in a docstring gives what it shows."""

import doctest
import importlib
from pathlib import Path

import pytest

from tests.conftest import NO_COMPILER
from workshop.native.build import find_compiler

ROOT = Path(__file__).resolve().parents[2]
FACE = "local_runner.python."  # before the name of the package `tengen`
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix(FACE).removesuffix(".__init__")
    for package in ("env_adapter", "local_runner", "workshop")
    for path in (ROOT / package).rglob("*.py")
    if ">>> " in path.read_text("utf-8") and "opponents" not in path.parts  # tests/local_runner/agents tests those
)

# Only this module's example needs the compiled engine.
MARKS = {
    "workshop.native.search": [
        pytest.mark.slow,
        pytest.mark.skipif(find_compiler() is None, reason=NO_COMPILER),
    ]
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=MARKS.get(name, ())) for name in MODULES])
def test_the_examples_of_a_module(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted and not found.failed
