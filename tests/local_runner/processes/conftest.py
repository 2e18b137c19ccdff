"""The fixtures of tests that run in each kind of sandbox that works here."""

import pytest

from local_runner.processes import sandbox


def _taken(box, monkeypatch):
    if why := box.why_not():
        pytest.skip(f"NOT TESTED: {why}")
    monkeypatch.setattr(sandbox, "best", lambda: box)
    return box


@pytest.fixture(params=[sandbox.BUBBLEWRAP, sandbox.LANDLOCK], ids=lambda box: type(box).__name__)
def kind(request, monkeypatch):
    """A kind of sandbox that works on this machine; the test's agents run in it."""
    return _taken(request.param, monkeypatch)


@pytest.fixture(params=[pytest.param(box, id=type(box).__name__, marks=pytest.mark.slow if number else ())
                        for number, box in enumerate(sandbox.KINDS)])  # fmt: skip
def mode(request, monkeypatch):
    """The sandbox mode ON with each working sandbox, and the mode OFF."""
    box = _taken(request.param, monkeypatch)
    return sandbox.SandboxMode.ON if box.confined else sandbox.SandboxMode.OFF
