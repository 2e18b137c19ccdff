"""k in a row on small boards as questions for the proof-number search; the answers are published ones.

A position is a pair of masks: the attacker's stones and the defender's, one bit per cell, the smallest of its images.
The first player wins or it is a draw, since an additional stone does no harm.
"""

from __future__ import annotations

from submission.lines import board_lines
from workshop.proof.search import UNKNOWN, Attempt, Numbers, ProofSearch

Masks = tuple[int, int]


class SmallBoard:
    """A ProofQuestion: does the attacker make k in a row before the defender does and before the board is full?"""

    efforts = 1

    def __init__(self, rows: int, cols: int, k: int) -> None:
        self.cells = rows * cols
        self.wins = [
            sum(1 << cell for cell in line.cells[start : start + k])
            for line in board_lines(rows, cols, k)
            for start in range(len(line.cells) - k + 1)
        ]
        self.through = [[win for win in self.wins if win >> cell & 1] for cell in range(self.cells)]
        self.images = _images(rows, cols)

    def estimate(self, _position: Masks) -> Numbers:
        return UNKNOWN

    def attempts(self, position: Masks, effort: int = 0) -> list[Attempt[Masks]]:
        own, other = position
        free = [cell for cell in range(self.cells) if not (own | other) >> cell & 1]
        found: dict[tuple[Masks, ...], Attempt[Masks]] = {}
        for cell in free:
            after = own | 1 << cell
            if self._completes(after, cell):
                return [Attempt(cell, ())]
            replies = [reply for reply in free if reply != cell]
            if not replies or any(self._completes(other | 1 << reply, reply) for reply in replies):
                continue  # a draw, or the defender has k in a row
            opened = tuple(sorted({self.canonical((after, other | 1 << reply)) for reply in replies}))
            found[opened] = Attempt(cell, opened)
        return list(found.values())

    def canonical(self, position: Masks) -> Masks:
        own, other = position
        return min((_turned(own, image), _turned(other, image)) for image in self.images)

    def _completes(self, stones: int, cell: int) -> bool:
        return any(win & stones == win for win in self.through[cell])


def first_player_wins(rows: int, cols: int, k: int, most: int = 10**6) -> bool | None:
    """Whether the first player wins on the empty board; None if `most` positions do not settle it."""
    return ProofSearch(SmallBoard(rows, cols, k)).prove((0, 0), most)


def _images(rows: int, cols: int) -> list[list[int]]:
    """The symmetries of the board: index a cell, item the cell it is mapped to."""
    flips = [
        [
            (rows - 1 - row if down else row) * cols + (cols - 1 - col if across else col)
            for row in range(rows)
            for col in range(cols)
        ]
        for down in (0, 1)
        for across in (0, 1)
    ]
    if rows != cols:
        return flips
    across = [col * cols + row for row in range(rows) for col in range(cols)]
    return flips + [[across[cell] for cell in flip] for flip in flips]


def _turned(mask: int, image: list[int]) -> int:
    turned = 0
    while mask:
        low = mask & -mask
        mask ^= low
        turned |= 1 << image[low.bit_length() - 1]
    return turned
