"""The books of gobang: White's opening book, and Black's proved win.

data/gobang_book.txt    White's best replies in games, by workshop/gobang/book.py. A row is a position, its reply, and
                        the value and depth of the search. A stone is a letter for the column and a number for the row,
                        from 1 at the top. Black's and White's stones alternate, each colour sorted by cell. Of all
                        positions that are equal but for a rotation, a reflection or a shift, the file holds one: the
                        book form.
data/gobang_proof.bin   Black's proved moves, by workshop/proof/; verify.py there tries all moves of White. The
                        file: CRC-32 of the rest, then 8 bytes for each entry, sorted: `key_of`, the cell of the move.

An entry of the proof is a position with Black to move that has no win by threats within VCT_NODES, and Black's move. In
a position after the last entry of a game, Black has a win by threats. The threat search finds it on the canonical image
of the position, where it was proved, and Black plays it to the five.
"""

from __future__ import annotations

import pkgutil
import re
import sys
import zlib
from array import array
from bisect import bisect_left
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Iterable, List, NamedTuple, Optional, Tuple

from ..boards import BLACK, WHITE, rotations
from ..search.clock import Deadline

SIZE, IN_A_ROW = 15, 5  # the books' game
CELLS = SIZE * SIZE
BOOK_FILE = "data/gobang_book.txt"
FREE = 4  # rows or columns: stones at least this far from both edges may be shifted by rows or columns
PROOF_FILE = "data/gobang_proof.bin"
CHECKSUM, RECORD = 4, 8  # bytes
VCT_NODES = 20000  # budget of the threat search, in its nodes; the proof is valid only for this number

Stones = Tuple[Tuple[int, ...], Tuple[int, ...]]  # cells of Black's stones and of White's, sorted


class BookReply(NamedTuple):
    """A move, and the value (in the mover's view) and depth of the search that found it."""

    move: int
    value: int
    depth: int


class Book:
    """Finds the reply to a board in any of its images: rotated, reflected, shifted."""

    def __init__(self) -> None:
        text = pkgutil.get_data(__package__.rpartition(".")[0], BOOK_FILE)
        self.images = images(SIZE)
        self.replies = read((text or b"").decode("ascii"))
        self.most_stones = max((len(black) + len(white) for black, white in self.replies), default=0)

    def look_up(self, board: bytes) -> BookReply | None:
        """The reply to a board (0 empty, 1 black, 2 white, row-major); None if the book has none."""
        if len(board) - board.count(0) > self.most_stones:
            return None
        form, image = book_form(stones_on(board), self.images)
        reply = self.replies.get(form)
        return reply._replace(move=image.index(reply.move)) if reply and reply.move in image else None


@lru_cache(maxsize=None)
def book() -> Book:
    """The book, read on first use."""
    return Book()


def read(text: str) -> dict[Stones, BookReply]:
    """Read the text of a book file: replies by canonical position."""
    replies = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            position, move, value, depth = line.split()
            cells = _cells(position)
            replies[tuple(cells[::2]), tuple(cells[1::2])] = BookReply(_cells(move)[0], int(value), int(depth))
    return replies


def stones_on(board: bytes) -> Stones:
    """The stones of a board (0 empty, 1 black, 2 white, row-major)."""
    black, white = (tuple(cell for cell, stone in enumerate(board) if stone == colour + 1) for colour in (BLACK, WHITE))
    return black, white


def images(size: int) -> list[list[int]]:
    """The eight symmetries of a square board. Item i of an image is the cell to which cell i is mapped."""
    mirrored = [cell + size - 1 - 2 * (cell % size) for cell in range(size * size)]
    return [image for rotation in rotations(size) for image in (rotation, [rotation[cell] for cell in mirrored])]


def canonical(stones: Stones, images: list[list[int]]) -> tuple[Stones, list[int]]:
    """The smallest image of a position, and the symmetry that maps the position to it."""
    return min((_moved(stones, image), image) for image in images)


def book_form(stones: Stones, images: list[list[int]]) -> tuple[Stones, list[int]]:
    """The smallest of the images of a position whose stones are shifted to the middle, where FREE allows it.

    Also returns the map from the cells of the board to those of the book form; -1 for a cell that leaves the board.
    """
    form, image, rows, cols = min(_shifted(stones, image) for image in images)
    places = [divmod(cell, SIZE) for cell in image]
    inside = range(SIZE)
    return form, [
        (row + rows) * SIZE + col + cols if row + rows in inside and col + cols in inside else -1 for row, col in places
    ]


def _shifted(stones: Stones, image: list[int]) -> tuple[Stones, list[int], int, int]:
    """An image of the stones shifted to the middle, the image, and the shift in rows and in columns."""
    moved = [image[cell] for cells in stones for cell in cells]
    rows, cols = _shift(cell // SIZE for cell in moved), _shift(cell % SIZE for cell in moved)
    return _moved(stones, image, rows * SIZE + cols), image, rows, cols


def _moved(stones: Stones, image: list[int], shift: int = 0) -> Stones:
    """An image of the stones; `shift` is added to each cell."""
    black, white = stones
    return tuple(sorted(image[cell] + shift for cell in black)), tuple(sorted(image[cell] + shift for cell in white))


def _shift(numbers: Iterable[int]) -> int:
    """The shift that centres the rows or columns of the stones; 0 if they may not be shifted."""
    used = sorted(numbers)
    if not used or used[0] < FREE or used[-1] >= SIZE - FREE:
        return 0
    return (SIZE - 1 - used[0] - used[-1]) // 2


def _cells(text: str) -> list[int]:
    return [(int(row) - 1) * SIZE + ord(col) - ord("a") for col, row in re.findall(r"([a-z])([0-9]+)", text)]


# ---- the proved win


class ProofBook:
    """The proof's entries: Black's moves by canonical position."""

    def __init__(self, data: bytes) -> None:
        self.entries = array("Q")
        whole = len(data) % RECORD == CHECKSUM and zlib.crc32(data[CHECKSUM:]) == int.from_bytes(data[:CHECKSUM], "big")
        if whole:
            self.entries.frombytes(data[CHECKSUM:])
            if sys.byteorder == "little":
                self.entries.byteswap()

    def look_up(self, form: Stones) -> Optional[int]:
        """Black's move in a canonical position; None if the book has none."""
        first = key_of(form) << 8
        at = bisect_left(self.entries, first)
        if at == len(self.entries) or self.entries[at] >> 8 != first >> 8:
            return None
        return self.entries[at] & 255


@lru_cache(maxsize=None)
def proof_book() -> ProofBook:
    """The book, read on first use; empty if the file is missing or damaged."""
    try:
        return ProofBook(pkgutil.get_data(__package__.rpartition(".")[0], PROOF_FILE) or b"")
    except (OSError, ValueError):  # ValueError: the base64 text in a bundle is damaged
        return ProofBook(b"")


def key_of(form: Stones) -> int:
    """The 56-bit number that stands for a canonical position."""
    black, white = form
    return int.from_bytes(blake2b(bytes(black) + b"\xff" + bytes(white), digest_size=7).digest(), "big")


class ProvedWin:
    """Answers as Black on 15x15, as long as the game stays inside the proof.

    Args: position: of the same size; its board is overwritten; book: by default the book in the file. Outside the book,
    only a board that follows this object's last answer has an answer. The first answer after the proved lines comes
    from a threat search. Later answers follow the win that this search proved.
    """

    def __init__(self, position: Any, book: Optional[ProofBook] = None) -> None:
        self.position = position
        self.book = proof_book() if book is None else book
        self.images = images(SIZE)
        self.asked = self.after = b""  # the board before and after the last answer; empty if there was no answer
        self.win: Optional[ThreatWin] = None  # the win that is being played

    @property
    def plies(self) -> int:
        """The plies of the win from the last answer on, by the line of the threat search; 0 for a move of the book."""
        return self.win.plies if self.win else 0

    def reply(self, stones: bytes, deadline: Optional[Deadline] = None, search: bool = True) -> Optional[int]:
        """Black's move on a board (0 free, 1 black, 2 white, row-major), Black to move; None outside the proof.

        deadline: may end a threat search early; then the result is None; search: False for moves of the book only.
        """
        if stones == self.asked:  # the same board as in the last call
            return next(cell for cell in range(CELLS) if self.after[cell] != stones[cell])
        inside = is_reply(self.after, stones)
        move = self.win.reply(stones, deadline) if inside and self.win and search else None
        if move is None:
            self.win = None
            form, image = canonical(stones_on(stones), self.images)
            prepared = self.book.look_up(form)
            if prepared is not None:
                move = image.index(prepared)
            elif inside and search:
                win = ThreatWin(image, self.position)
                move = win.reply(stones, deadline)
                self.win = win if move is not None else None
        self.asked, self.after = (b"", b"") if move is None else (stones, with_stone(stones, move, BLACK))
        return move


class ThreatWin:
    """A win by threats from one position on, played to the five.

    Args: image: turns the board to the canonical image; position: of gobang; its board is overwritten.
    The first call of `reply` searches. Later calls, each after one more stone of either colour, follow that win.
    """

    def __init__(self, image: List[int], position: Any) -> None:
        self.places = sorted(range(CELLS), key=image.__getitem__)  # for each canonical cell, the cell of the board
        self.position, self.threats = position, position.new_threats()
        self.plies = 0  # length of `line` at the last answer
        self.nodes = 0  # threat nodes used in all replies
        self.line: List[int] = []  # the moves that should come next, Black's first, on the canonical image
        self.expected = b""  # the canonical board on which `line` continues

    def reply(self, stones: bytes, deadline: Optional[Deadline] = None) -> Optional[int]:
        """Black's move; None if there is no win. The first reply uses at most VCT_NODES nodes, later replies few."""
        board = bytes(stones[place] for place in self.places)
        if board != self.expected or not self.line:
            self.position.set_up(board, BLACK)
            result = self.threats.vct(VCT_NODES, deadline)
            self.line = result.line
            self.nodes += result.nodes
            if not self.line:
                return None
        self.plies, move = len(self.line), self.line[0]
        if len(self.line) > 1:
            self.expected = with_stone(with_stone(board, move, BLACK), self.line[1], WHITE)
        self.line = self.line[2:]
        return self.places[move]


def with_stone(stones: bytes, cell: int, colour: int) -> bytes:
    """The board with one more stone."""
    return stones[:cell] + bytes((colour + 1,)) + stones[cell + 1 :]


def is_reply(before: bytes, stones: bytes) -> bool:
    """Whether the board is `before` with one more white stone."""
    if len(before) != len(stones):
        return False
    changed = [cell for cell, (was, now) in enumerate(zip(before, stones)) if was != now]
    return len(changed) == 1 and (before[changed[0]], stones[changed[0]]) == (0, WHITE + 1)
