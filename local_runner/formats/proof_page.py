"""The proof that Black wins gobang, for a browser: the lines in which White resists longest.

On the page of `tengen serve`, our engine answers every move of White. A saved page has no engine and holds the lines
only. `python -m workshop.proof lines` makes them. server/page/proof/proof_walk.js has the fields of an answer.
"""

import functools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from env_adapter import Cell
from local_runner.agents.catalogue import SUBMISSION
from local_runner.formats import self_contained
from local_runner.game.board_data import board_of
from local_runner.game.coordinates import number
from local_runner.game.move_text import read_moves
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup

ENTRY = "proof/proof_page.js"
GAME = GameSetup("gobang_1v1")
SIDE = 15  # cells
ENTRY_BYTES = 8  # bytes of an entry in the proof's file
LINES = Path(__file__).with_name("proof_lines.txt")


class ProofLine(NamedTuple):
    """The line after a second move of White in which White resists longest."""

    second: str
    entries: int  # the number of the book's entries (positions with Black's move) after the second move
    moves: str  # the whole line from Black's first move on
    cells: list[int]  # the same moves as numbers
    five: list[int]  # the cells of Black's five at the end


@functools.cache
def proof_data() -> dict[str, Any]:
    """The proof as `page/proof/proof_walk.js` takes it. `whole`: whether every move of White has an answer.
    `positions`: the number of the book's entries.
    """
    size = (SUBMISSION.parent / "data" / "gobang_proof.bin").stat().st_size
    shown = [{"entries": line.entries, "cells": line.cells, "five": line.five} for line in proof_lines()]
    return {"board": board_of(GAME), "lines": shown, "whole": True, "positions": size // ENTRY_BYTES}


def proof_lines() -> Sequence[ProofLine]:
    """The line of each second move of White, up to symmetry; those with most entries of the book first."""
    found = list[ProofLine]()
    for row in LINES.read_text("ascii").splitlines():
        second, entries, moves = row.split()
        cells = read_moves(moves).cells
        five = GameSession(GAME, cells=cells).env.winning_line()
        found.append(ProofLine(second, int(entries), moves, numbered(cells), numbered(five)))
    return found


def proof_page(*, language: str = "") -> str:
    """The page as HTML. `language`: "en", "zh", or "" for the browser's."""
    styles = (*self_contained.STYLES, "proof/proof.css")
    data = proof_data()
    images = [image for line in data["lines"] for image in _images(line["cells"])]
    content = {**data, "whole": False, "images": images}
    return self_contained.page(ENTRY, content, "tengen", language=language, styles=styles)


def numbered(cells: Iterable[Cell | None]) -> list[int]:
    """The cells as numbers, row-major."""
    return [number(cell, SIDE) for cell in cells]


def _images(cells: list[int]) -> Iterator[list[int]]:
    """The cells of a line, turned and mirrored in all eight ways."""
    points = [divmod(cell, SIDE) for cell in cells]
    for _turn in range(4):
        points = [(col, SIDE - 1 - row) for row, col in points]
        yield [SIDE * row + col for row, col in points]
        yield [SIDE * col + row for row, col in points]
