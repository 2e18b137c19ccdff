"""The proof that Black wins gobang, for the page: the lines in which White resists longest.

`python -m workshop.proof lines` makes the lines. server/page/proof/proof_walk.js has the fields of an answer.
"""

import functools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from env_adapter import Cell
from local_runner.agents.catalogue import SUBMISSION
from local_runner.game.board_data import board_of
from local_runner.game.coordinates import number
from local_runner.game.move_text import read_moves
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup

GAME = GameSetup("gobang_1v1")
SIDE = 15  # cells
ENTRY_BYTES = 8  # of an entry in the file of the proof
LINES = Path(__file__).with_name("proof_lines.txt")


class ProofLine(NamedTuple):
    """The line after a second move of White in which White resists longest."""

    second: str
    entries: int  # the number of prepared moves after the second move
    moves: str  # the whole line from Black's first move on
    cells: list[int]  # the same moves as numbers
    five: list[int]  # the cells of Black's five at the end


@functools.cache
def proof_data() -> dict[str, Any]:
    """The proof as `page/proof/proof_walk.js` takes it. `positions`: the number of prepared positions."""
    size = (SUBMISSION.parent / "data" / "gobang_proof.bin").stat().st_size
    shown = [{"entries": line.entries, "cells": line.cells, "five": line.five} for line in proof_lines()]
    return {"board": board_of(GAME), "lines": shown, "positions": size // ENTRY_BYTES}


def proof_lines() -> Sequence[ProofLine]:
    """The line of each second move of White, up to symmetry; those with most prepared moves first."""
    found = list[ProofLine]()
    for row in LINES.read_text("ascii").splitlines():
        second, entries, moves = row.split()
        cells = read_moves(moves).cells
        five = GameSession(GAME, cells=cells).env.winning_line()
        found.append(ProofLine(second, int(entries), moves, numbered(cells), numbered(five)))
    return found


def numbered(cells: Iterable[Cell | None]) -> list[int]:
    """The cells as numbers, row-major."""
    return [number(cell, SIDE) for cell in cells]
