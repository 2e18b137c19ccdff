"""Fixtures of the tests of the page: one server with an empty store, which a module that ends it replaces."""
from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.fixtures import browser, open_page, watched  # noqa: F401
from workshop.serving import Serving


@pytest.fixture(scope="session")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with an empty store."""
    with Serving(tmp_path_factory.mktemp("serving")) as found:
        yield found
