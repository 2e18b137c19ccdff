"""Symmetric positions: turning or mirroring a square board gives a position of the same value.

A position has eight images, in Reversi too, although turning its start position by 90° swaps the colours of its stones.
Positions with swapped colours are not treated as symmetric.
"""

from collections.abc import Iterator, Sequence

from env_adapter import Game

BoardRows = tuple[tuple[int, ...], ...]


def images(rows: Sequence[Sequence[int]]) -> Iterator[BoardRows]:
    """The eight images of a square board, beginning with the board itself: each quarter turn, and its mirror image.

    >>> [image[0] for image in images([[1, 2], [3, 4]])]
    [(1, 2), (2, 1), (3, 1), (1, 3), (4, 3), (3, 4), (2, 4), (4, 2)]
    """
    image = tuple(map(tuple, rows))
    for _ in range(4):
        yield image
        yield tuple(row[::-1] for row in image)
        image = tuple(zip(*image[::-1], strict=True))


def canonical(env: Game) -> tuple[int, BoardRows]:
    """A key that is equal for all symmetric positions: the side to move and the smallest image of the board."""
    return env.chess_player, min(images(env.stones()))
