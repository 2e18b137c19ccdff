"""The fixture of tests that run in each kind of sandbox that works here."""

import pytest

from local_runner.processes import sandbox
from local_runner.processes.sandbox import Kind

CONFINED = [Kind.BUBBLEWRAP, Kind.KERNEL]


@pytest.fixture(params=CONFINED, ids=lambda kind: kind.name.lower())
def kind(request, monkeypatch):
    """A kind that works here, as the one that is taken."""
    if why := sandbox.why_not(request.param):
        pytest.skip(f"NOT TESTED: {why}")
    monkeypatch.setattr(sandbox, "best", lambda: request.param)
    return request.param
