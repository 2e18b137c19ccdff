"""The transposition table: results of positions already searched, by key (a Zobrist key, or the whole position)."""

from __future__ import annotations

from typing import Any, Dict, Generic, Optional, Tuple, TypeVar

EXACT, LOWER, UPPER = 0, 1, 2  # meaning of an entry's value: exact, lower bound, upper bound

TableEntry = Tuple[int, int, int, int]  # an entry of alpha-beta: depth, bound, value, move
Entry = TypeVar("Entry", bound=Tuple[Any, ...])


class Table(Generic[Entry]):
    """A transposition table of two generations, young and old.

    When the young generation is full, it becomes the old generation, and the former old generation is dropped.

    Args: entries: most entries of one generation, about 250 bytes each.
    """

    def __init__(self, entries: int) -> None:
        self.entries = entries
        self.young: Dict[int, Entry] = {}
        self.old: Dict[int, Entry] = {}

    def get(self, key: int) -> Optional[Entry]:
        return self.young.get(key) or self.old.get(key)

    def put(self, key: int, entry: Entry) -> None:
        if len(self.young) >= self.entries:
            self.old, self.young = self.young, {}
        self.young[key] = entry
