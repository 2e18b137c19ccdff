"""The transposition table keeps so many entries and no more."""
from __future__ import annotations

from submission.table import Table


def test_table_is_bounded_and_keeps_the_young() -> None:
    table = Table(10)
    for key in range(1, 36):
        table.put(key, (key, 0, 0, 0))
        assert len(table.young) <= 10
        assert len(table.old) <= 10
    assert table.get(35) == (35, 0, 0, 0)
    assert table.get(1) is None
