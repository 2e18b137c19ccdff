"""Every example in a docstring gives what it shows."""

import doctest
import importlib
from pathlib import Path

import pytest

from submission.native.library import available
from tests.conftest import NO_LIBRARY

ROOT = Path(__file__).resolve().parents[2]
FACE = "local_runner.python."  # before the name of the package `tengen`
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix(FACE).removesuffix(".__init__")
    for package in ("env_adapter", "local_runner", "submission", "workshop")
    for path in (ROOT / package).rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)

# Only this module's example needs the compiled engine.
MARKS = {
    "submission.native.search": [
        pytest.mark.slow,
        pytest.mark.skipif(not available(), reason=NO_LIBRARY),
    ]
}


SLOW = "# slow"  # mark at the end of an example that starts processes


def _failed(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *, slow: bool) -> int:
    """The number of examples of a module that fail, run in `folder`. `slow`: also those marked as slow."""
    monkeypatch.chdir(folder)
    module, runner = importlib.import_module(name), doctest.DocTestRunner()
    for found in doctest.DocTestFinder().find(module):
        found.examples = [each for each in found.examples if slow or SLOW not in each.source]
        runner.run(found)
    assert runner.tries or SLOW in Path(str(module.__file__)).read_text("utf-8")
    return runner.failures


@pytest.mark.parametrize("name", [pytest.param(name, marks=MARKS.get(name, ())) for name in MODULES])
def test_the_examples_of_a_module(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not _failed(name, tmp_path, monkeypatch, slow=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tengen.engine", "tengen.matches"])
def test_the_slow_examples_of_a_module(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not _failed(name, tmp_path, monkeypatch, slow=True)
