"""A running server that the tests of one module share."""

import pytest

from tests.local_runner.web.pages import Visit
from workshop.serving import Serving


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    with Serving(tmp_path_factory.mktemp("serving")) as serving:
        yield serving


@pytest.fixture
def visit(serving):
    return Visit(serving.address)


@pytest.fixture
def page(visit):
    with visit.page() as page:
        yield page
