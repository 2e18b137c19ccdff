"""The fixture of tests that run in each kind of sandbox that works here."""

import pytest

from local_runner.processes import sandbox

CONFINED = [sandbox.BUBBLEWRAP, sandbox.LANDLOCK]


@pytest.fixture(params=CONFINED, ids=lambda kind: type(kind).__name__)
def kind(request, monkeypatch):
    """A kind that works here, as the one that is taken."""
    if why := request.param.why_not():
        pytest.skip(f"NOT TESTED: {why}")
    monkeypatch.setattr(sandbox, "best", lambda: request.param)
    return request.param
