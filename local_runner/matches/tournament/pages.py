"""Reads rows from the pages of an SQLite file without SQLite, so that damage elsewhere in the file does not matter.

Follows https://www.sqlite.org/fileformat2.html as far as the leaves of tables: a leaf holds the offsets of its cells,
a cell holds the size of a row, its rowid and its beginning; a long row goes on in a chain of overflow pages. The tree
above the leaves is not needed. Whether what is found is a row at all, only a checksum over it can tell.
"""

import struct
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

LEAF = 13  # the first byte of a leaf of a table
HEADER = 8  # bytes in a page before the offsets of its cells
FILE_HEADER = 100  # bytes of the first page before that
USUAL_PAGE = 4096
PAGES = [512 << n for n in range(8)]
SIZES = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0}  # bytes of a value, by its serial type
MOST_HEAD = 64  # bytes of a row's serial types; our widest row has 14 columns

Values = tuple[Any, ...]
Accept = Callable[[int, Values], bool]


class Layout(NamedTuple):
    """Bytes of a page, and those at its end that SQLite leaves to others."""

    page: int
    reserved: int


class Unreadable(Exception):
    """This is no cell."""


def layouts(data: bytes) -> list[Layout]:
    """The layouts that a file may have: what its header says, and the usual ones, for its header may be damaged."""
    said, reserved = int.from_bytes(data[16:18], "big"), data[20] if len(data) > 20 else 0
    sizes = [size for size in dict.fromkeys([65536 if said == 1 else said, USUAL_PAGE]) if size in PAGES]
    return [Layout(*each) for each in product(sizes, dict.fromkeys([reserved, 0])) if each[1] <= 64]


def rows(data: bytes, layout: Layout, accept: Accept) -> Iterator[tuple[int, Values]]:
    """The rows that `accept` takes, with their rowids; a row may come more than once."""
    reader = _Reader(data, layout)
    for start in range(0, len(data), layout.page):
        yield from _rows_of_page(reader, start, accept)


def _rows_of_page(reader: "_Reader", start: int, accept: Accept) -> Iterator[tuple[int, Values]]:
    data, page = reader.data, reader.layout.page
    begin = start + (FILE_HEADER if start == 0 else 0)
    if begin + HEADER > len(data):
        return
    leaf, count, failed, place = data[begin] == LEAF, int.from_bytes(data[begin + 3:begin + 5], "big"), False, 0
    while begin + HEADER + 2 * place + 2 <= min(start + page, len(data)):
        at = begin + HEADER + 2 * place
        offset = int.from_bytes(data[at:at + 2], "big")
        found = reader.accepted(start + offset, accept) if HEADER < offset < page else None
        if found:
            yield found
        elif not leaf or place >= count:  # no leaf of a table; or the end of the offsets, whatever their count says
            break
        failed |= not found
        place += 1
    if leaf and (failed or place < count):  # an offset is damaged, or a row: look for rows everywhere
        for at in range(begin + HEADER, min(start + page, len(data))):
            if found := reader.accepted(at, accept):
                yield found


class _Reader:
    def __init__(self, data: bytes, layout: Layout) -> None:
        self.data, self.layout = data, layout
        self.usable = layout.page - layout.reserved

    def accepted(self, at: int, accept: Accept) -> tuple[int, Values] | None:
        """The row of the cell that begins there, if it is one."""
        try:
            size, at = _varint(self.data, at)
            rowid, at = _varint(self.data, at)
            if not 2 <= size <= len(self.data):
                return None
            values = _values(self._payload(size, at))
        except (Unreadable, IndexError, UnicodeDecodeError):
            return None
        return (rowid, values) if accept(rowid, values) else None

    def _payload(self, size: int, at: int) -> bytes:
        usable, whole = self.usable, self.usable - 35
        if size <= whole:
            return self.data[at:at + size]
        least = (usable - 12) * 32 // 255 - 23
        local = least + (size - least) % (usable - 4)
        local = local if local <= whole else least
        parts, left = [self.data[at:at + local]], size - local
        following = int.from_bytes(self.data[at + local:at + local + 4], "big")
        while left > 0:
            start = (following - 1) * self.layout.page
            if following < 1 or start + 4 > len(self.data):
                raise Unreadable
            following = int.from_bytes(self.data[start:start + 4], "big")
            parts.append(self.data[start + 4:start + 4 + min(left, usable - 4)])
            left -= usable - 4
        return b"".join(parts)


def _values(payload: bytes) -> Values:
    """The values of a row, in the order of its columns."""
    head, at = _varint(payload, 0)
    if not 2 <= head <= MOST_HEAD:
        raise Unreadable
    place, values = head, []
    while at < head:
        kind, at = _varint(payload, at)
        size = SIZES.get(kind, (kind - 12) // 2)
        if size < 0 or place + size > len(payload):
            raise Unreadable
        values.append(_value(kind, payload[place:place + size]))
        place += size
    if (at, place) != (head, len(payload)):
        raise Unreadable
    return tuple(values)


def _value(kind: int, raw: bytes) -> Any:
    """A value by its serial type."""
    if kind >= 12:
        return raw.decode() if kind % 2 else raw
    if kind == 7:
        return struct.unpack(">d", raw)[0]
    return {0: None, 8: 0, 9: 1}.get(kind, int.from_bytes(raw, "big", signed=True))


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and the place after it."""
    value = 0
    for place in range(at, at + 8):
        byte = data[place]
        value = value << 7 | byte & 127
        if byte < 128:
            return value, place + 1
    return value << 8 | data[at + 8], at + 9
