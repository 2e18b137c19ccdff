"""When two positions are the same game: a square board turned or mirrored, which neither a row nor a flip notices.

This holds from any position on, in Reversi too: its start has four symmetries only, but the rules have all eight. It
says nothing of colours: a position with Black and White exchanged is another one.
"""

from collections.abc import Iterator, Sequence

from env_adapter import Game

Rows = tuple[tuple[int, ...], ...]


def images(rows: Sequence[Sequence[int]]) -> Iterator[Rows]:
    """The eight images of a square board, itself first: each quarter turn, and each of them mirrored.

    >>> [image[0] for image in images([[1, 2], [3, 4]])]
    [(1, 2), (2, 1), (3, 1), (1, 3), (4, 3), (3, 4), (2, 4), (4, 2)]
    """
    image = tuple(map(tuple, rows))
    for _ in range(4):
        yield image
        yield tuple(row[::-1] for row in image)
        image = tuple(zip(*image[::-1], strict=True))


def canonical(env: Game) -> tuple[int, Rows]:
    """What all positions that are the same game have in common: the side to move and the least image of the board."""
    return env.chess_player, min(images(env.stones()))
