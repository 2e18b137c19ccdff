"""The tests of the compiled engine are slow: they search much. Without a library they are skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from submission.native.library import available
from tests.conftest import NO_LIBRARY

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in Path(item.path).parents:
            if not item.get_closest_marker("long"):
                item.add_marker(pytest.mark.slow)
            if not available():
                item.add_marker(pytest.mark.skip(reason=NO_LIBRARY))
