"""Tables with one column for each interpreter."""

from __future__ import annotations

from collections.abc import Sequence

from local_runner.language.languages import shown
from local_runner.language.text import in_line
from local_runner.terminal.tables import WideTable


def by_python(title: str, pythons: Sequence[str]) -> WideTable:
    """A table without rows: a column for the labels, then one for each interpreter."""
    return WideTable(title, ["", *(in_line(shown(python)).replace(", ", "\n", 1) for python in pythons)])
