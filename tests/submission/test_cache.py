"""The cache keeps the geometries used last; it drops and empties the others."""

from __future__ import annotations

import pytest

from submission.cache import GeometryCache


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
