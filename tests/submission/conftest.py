"""The fixtures of tests that call the upload, and of tests of the garbage collector."""

from __future__ import annotations

import gc

import pytest

import submission.submission as upload
from submission.controller import Controller


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test gets the controller as if it had just been loaded, and a shallow search."""
    monkeypatch.setattr(upload, "controller", Controller(upload.SETTINGS))
    upload.configure(depth=2)


@pytest.fixture
def collector():
    """Restores the garbage collector after the test."""
    was = gc.isenabled()
    yield
    (gc.enable if was else gc.disable)()


@pytest.fixture
def no_collector(collector):
    """The test runs without the garbage collector."""
    gc.disable()
