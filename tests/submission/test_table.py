"""The transposition table has at most its number of entries, and never drops the newest."""

from __future__ import annotations

import pytest

from submission.search.table import EXACT, Table


@pytest.mark.parametrize("entries", [1, 10, 300])
def test_table_is_bounded_and_keeps_the_young(entries: int) -> None:
    table = Table(entries)
    for key in range(1, 4 * entries):
        table.put(key, (key, EXACT, 0, 0))
        assert len(table.young) <= entries
        assert len(table.old) <= entries
        assert table.get(max(1, key - entries)) == (max(1, key - entries), EXACT, 0, 0)
    assert table.get(key) == (key, EXACT, 0, 0)
    assert table.get(1) is None


def test_a_table_that_is_made_smaller_shrinks() -> None:
    table = Table(100)
    for key in range(1, 61):
        table.put(key, (key, EXACT, 0, 0))
    table.entries = 10
    for key in range(61, 82):
        table.put(key, (key, EXACT, 0, 0))
        assert table.get(key) == (key, EXACT, 0, 0)
    assert len(table.young) + len(table.old) <= 20
