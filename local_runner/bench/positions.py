"""The fixed positions of games that benchmarks think about; workshop/ makes the files.

A line is the moves from the start, a letter for the row and one for the column of each; a number may follow, which the
maker of the file explains.
"""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from env_adapter import Cell

DATA = Path(__file__).parents[1] / "data"
ENV = "gobang_1v1"


@dataclass(frozen=True)
class Position:
    """The moves that lead to it, and the number of its line, 0 where there is none."""

    moves: list[Cell]
    number: int = 0


def read(name: str) -> list[Position]:
    """The positions of a file that comes with this package."""
    lines = (line.split() for line in (DATA / name).read_text(encoding="ascii").splitlines())
    return [Position(_cells(moves), *map(int, number)) for moves, *number in lines]


def _cells(text: str) -> list[Cell]:
    return [(ord(row) - ord("a"), ord(col) - ord("a")) for row, col in zip(text[::2], text[1::2], strict=True)]
