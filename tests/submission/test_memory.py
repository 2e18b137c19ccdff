"""The caches are bounded: the transposition table, and the geometries of boards with their line tables."""

from __future__ import annotations

import gc
import weakref

import pytest

from submission.cache import GeometryCache
from submission.k_in_a_row import geometry
from submission.k_in_a_row.board import KInARowBoard
from submission.reversi import board as reversi_board
from submission.reversi.position import ReversiPosition
from submission.search.table import EXACT, Table


@pytest.mark.parametrize("entries", [1, 10, 300])
def test_a_table_is_bounded_keeps_the_young_and_shrinks_when_made_smaller(entries: int) -> None:
    table = Table(entries)
    for key in range(1, 4 * entries):
        table.put(key, (key, EXACT, 0, 0))
        assert len(table.young) <= entries
        assert len(table.old) <= entries
        assert table.get(max(1, key - entries)) == (max(1, key - entries), EXACT, 0, 0)
    assert table.get(key) == (key, EXACT, 0, 0)
    assert table.get(1) is None
    table.entries = 1 + entries // 10
    for key in range(4 * entries, 4 * entries + 2 * table.entries + 1):
        table.put(key, (key, EXACT, 0, 0))
        assert table.get(key) == (key, EXACT, 0, 0)
    assert len(table.young) + len(table.old) <= 2 * table.entries


class _Shape:
    """A geometry named by a letter."""

    def __init__(self, name: str, size: int, log: list[str]) -> None:
        self.name, self.bytes, self.log = name, size, log
        log.append("+" + name)

    def size(self) -> int:
        return self.bytes

    def forget(self) -> None:
        self.log.append("-" + self.name)


# Requests in turn, by name and bytes, of 100 -> geometries that are made (+) and emptied (-).
@pytest.mark.parametrize("asked, log", [
    ("a40 b40 a40 b40", "+a +b"), ("a60 b40 a60", "+a +b"), ("a100 a100", "+a"), ("a101 a101", "+a -a -a"),
    ("a40 b40 c40 b40", "+a +b +c -a"), ("a40 b40 c40 a40", "+a +b +c -a +a -b"),
    ("a40 b40 a40 c40 a40", "+a +b +c -b"), ("a30 b30 c30 d90", "+a +b +c +d -c -b -a"),
    ("a40 b120 a40", "+a +b -b -a +a -b"),
])  # fmt: skip
def test_the_geometries_used_last_are_kept(asked: str, log: str) -> None:
    cache, seen = GeometryCache(100), []
    for each in asked.split():
        assert cache.get(each[0], lambda each=each: _Shape(each[0], int(each[1:]), seen)).name == each[0]
    assert " ".join(seen) == log


def test_line_tables_that_have_grown_too_large_are_emptied(monkeypatch: pytest.MonkeyPatch, no_collector: None) -> None:
    """Boards on the old nodes go on. The old nodes are freed with the last board, without the garbage collector."""
    cache = GeometryCache()
    monkeypatch.setattr(geometry, "geometries", cache)
    before = KInARowBoard(6, 6, 5)
    assert KInARowBoard(6, 6, 5).geometry is before.geometry
    for cell in range(9):
        before.play(cell)
    assert before.geometry.contents() > 30
    cache.most_bytes = before.geometry.size() - 1
    after = KInARowBoard(6, 6, 5)
    assert after.geometry is before.geometry
    assert after.geometry.contents() == len(after.geometry.tables)  # the empty lines
    before.play(9)
    for cell in range(10):
        after.play(cell)
    assert (after.totals, after.value, after.scores()) == (before.totals, before.value, before.scores())
    canary: set[int] = set()  # only an old node refers to it
    old = weakref.ref(canary)
    before.history[0][1].append(canary)
    del before, canary
    assert old() is None


def test_graphs_of_reversi_that_have_grown_too_large_are_emptied(
    monkeypatch: pytest.MonkeyPatch, no_collector: None
) -> None:
    """Boards made before go on. Nodes that they no longer use are freed without the garbage collector."""
    cache = GeometryCache()
    monkeypatch.setattr(reversi_board, "geometries", cache)
    position, values = ReversiPosition.start(8), []
    for _ in range(20):
        values.append(position.evaluate())
        position.play(position.moves()[-1])
    for move in position.moves():
        position.play(move)
        for reply in position.moves():  # makes nodes that are not needed after undo()
            position.play(reply)
            position.undo()
        position.undo()
    cache.most_bytes = 10
    lists = sum(isinstance(each, list) for each in gc.get_objects())
    fresh = ReversiPosition(8)
    assert sum(isinstance(each, list) for each in gc.get_objects()) < lists - 100
    fresh.set_discs(*position.discs, position.side)
    assert (fresh.legal, fresh.evaluate()) == (position.legal, position.evaluate())
    while values:
        position.undo()
        assert position.evaluate() == values.pop()
