"""The positions of the benchmarks, read from this folder's files. Python 3.7 and standard library only.

A move is a cell, row * size + column. The moves of Reversi are without passes. The positions come from self-play of an
early engine, and must not change: the signatures depend on them. A line of a file holds the moves from the start, two
letters each: row and column.

    gobang_midgame.txt     50 positions of 8 to 20 stones in which a search gives neither side a large value
    vcf_positions.txt      200 positions won by fours alone (VCF), each with the number of fours of its shortest win
    reversi_games_*.txt    100 games without passes, up to 10 empty cells; cut anywhere, the mover has two moves or more
"""

import os
from typing import List, NamedTuple

GOBANG_SIZE = 15
REVERSI_SIZES = (8, 10)
START_DISCS = 4
MIDGAME_EVERY = 5  # every 5th game of Reversi gives a middle game position
MIDGAME = (0.3, 0.6)  # least and greatest share of occupied cells in these positions

Moves = List[int]


class VcfPosition(NamedTuple):
    """A position of gobang that is won by fours alone, and the number of fours of its shortest win."""

    moves: Moves
    fours: int


def gobang_midgames() -> List[Moves]:
    """The moves to each middle game position of gobang."""
    return [_cells(line, GOBANG_SIZE) for line in _lines("gobang_midgame.txt")]


def vcf_positions() -> List[VcfPosition]:
    """The positions of gobang that are won by fours."""
    pairs = (line.split() for line in _lines("vcf_positions.txt"))
    return [VcfPosition(_cells(moves, GOBANG_SIZE), int(fours)) for moves, fours in pairs]


def reversi_games(size: int) -> List[Moves]:
    """The games of a board size."""
    return [_cells(line, size) for line in _lines(f"reversi_games_{size}x{size}.txt")]


def reversi_midgames(size: int) -> List[Moves]:
    """The moves to the middle game positions: every MIDGAME_EVERY-th game, each cut later than the one before."""
    chosen = reversi_games(size)[::MIDGAME_EVERY]
    first, last = (round(share * size * size) - START_DISCS for share in MIDGAME)
    return [moves[: first + (last - first) * number // (len(chosen) - 1)] for number, moves in enumerate(chosen)]


def reversi_endgames(size: int, empties: int) -> List[Moves]:
    """The moves to the endgames: all games, cut when `empties` cells are free."""
    return [moves[: size * size - START_DISCS - empties] for moves in reversi_games(size)]


def _lines(name: str) -> List[str]:
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="ascii") as file:
        return file.read().splitlines()


def _cells(text: str, size: int) -> Moves:
    return [(ord(row) - ord("a")) * size + ord(col) - ord("a") for row, col in zip(text[::2], text[1::2])]
