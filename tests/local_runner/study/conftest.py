"""For tests of studies that do not look at the plots."""

import pytest

from local_runner.study import output


@pytest.fixture
def without_plots(monkeypatch):
    """A study draws nothing, which takes a third of a second a plot."""
    monkeypatch.setattr(output, "save", lambda draw, path: None)
