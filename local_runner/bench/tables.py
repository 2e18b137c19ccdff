"""Tables with one column for each interpreter."""
from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table


def by_python(title: str, pythons: Sequence[str]) -> Table:
    """A table without rows: a column for the labels, then one for each interpreter."""
    table = Table(title=escape(title), title_justify="left")
    table.add_column("", no_wrap=True)
    for python in pythons:
        table.add_column(python, justify="right")
    return table
