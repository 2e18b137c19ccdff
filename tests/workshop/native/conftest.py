"""The tests of the compiled engine need a C++ compiler. Without one they are skipped; the end of the run says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import NO_COMPILER
from workshop.native.build import NoCompiler, build, find_compiler

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if find_compiler() is None:
        for item in items:
            if HERE in Path(item.path).parents:
                item.add_marker(pytest.mark.skip(reason=f"{NO_COMPILER}: the compiled engine cannot be built"))


@pytest.fixture(scope="session", autouse=True)
def _built() -> None:
    """Build once, so that no test is charged for it."""
    if find_compiler() is not None:
        try:
            build()
        except NoCompiler as problem:
            pytest.fail(str(problem))
