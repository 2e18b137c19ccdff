"""Reads files of fixed positions for benchmarks.

A line of a file holds the moves from the start of the game, two letters each: row and column. A number may follow,
whose meaning depends on the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from env_adapter import Cell

GOBANG = Path(__file__).parents[1] / "data" / "gobang_positions.txt"
ENV = "gobang_1v1"


@dataclass(frozen=True)
class BenchPosition:
    """The moves that lead to a position, and the number after them in the file (0 if there is none)."""

    moves: list[Cell]
    number: int = 0


def read(path: Path) -> list[BenchPosition]:
    """The positions of a file."""
    lines = (line.split() for line in path.read_text(encoding="ascii").splitlines())
    return [BenchPosition(_cells(moves), *map(int, number)) for moves, *number in lines]


def _cells(text: str) -> list[Cell]:
    return [(ord(row) - ord("a"), ord(col) - ord("a")) for row, col in zip(text[::2], text[1::2], strict=True)]
