"""A bounded cache of geometries. A geometry is the data that all boards of one size share: lines, look-up tables, keys.

The platform may use boards of many sizes in one process. If all geometries together take too many bytes, the least
recently used ones are dropped.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Callable, Hashable

MOST_BYTES = 40000000  # bytes: limit for all geometries together, by their size() estimates


class GeometryCache:
    """Geometries by key. A geometry has `size()`, an estimate of its bytes, and `forget()`, which empties it."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self._by_key: OrderedDict[Hashable, Any] = OrderedDict()  # the least recently used first

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The geometry of a key, made on first need. If all geometries exceed `most_bytes`, the oldest are dropped."""
        geometry = self._by_key.pop(key, None) or make()
        free = self.most_bytes - geometry.size()
        if free < 0:
            geometry.forget()
        for other in list(reversed(self._by_key)):
            free -= self._by_key[other].size()
            if free < 0:
                self._by_key.pop(other).forget()  # without reference cycles, the nodes are freed at once
        self._by_key[key] = geometry
        return geometry


geometries = GeometryCache()
