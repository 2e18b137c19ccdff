"""The tests of the compiled engine are slow: they compile for half a minute. Without a compiler they are skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import NO_COMPILER
from workshop.native.build import find_compiler

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in Path(item.path).parents:
            if not item.get_closest_marker("long"):
                item.add_marker(pytest.mark.slow)
            if find_compiler() is None:
                item.add_marker(pytest.mark.skip(reason=f"{NO_COMPILER}: the compiled engine cannot be built"))
