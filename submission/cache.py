"""One bound of memory for everything that boards of one size share: the geometries of both game families.

The platform may ask for boards of many sizes in one process. The geometries used last are kept as long as they fit.
"""
from __future__ import annotations

from collections import OrderedDict
from typing import Any, Callable, Hashable

MOST_BYTES = 40000000


class GeometryCache:
    """Geometries by key. Each has `size()`, an estimate of its bytes, and `forget()`, which empties its tables."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()       # the least recently used first

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The geometry of a key, made on first need. If there are too many bytes, other geometries are dropped."""
        found = self._kept.pop(key, None)
        if found is None:
            found = make()
        room = self.most_bytes - found.size()
        if room < 0:
            found.forget()
        for other in list(reversed(self._kept)):
            room -= self._kept[other].size()
            if room < 0:
                self._kept.pop(other).forget()      # its nodes may refer to each other in circles
        self._kept[key] = found
        return found


geometries = GeometryCache()
