"""The fixture of tests that call the upload."""

from __future__ import annotations

import pytest

import submission.submission as upload
from submission.controller import Controller


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test gets the controller as if it had just been loaded, and a shallow search."""
    monkeypatch.setattr(upload, "controller", Controller(upload.SETTINGS))
    upload.configure(depth=2)
