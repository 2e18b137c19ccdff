"""The proof that Black wins gobang, for a browser: the upload's prepared moves, and the lines in which White resists.

The page's script has the upload's threat search, so that it needs no server: page/proof/proof_book.js. The lines are
made by workshop/proof/lines.py.
"""

import base64
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TypedDict

from local_runner.errors import RunnerError
from local_runner.formats import self_contained
from local_runner.game.board_data import BoardData, board_of
from local_runner.game.coordinates import number
from local_runner.game.move_text import read_moves
from local_runner.game.setup import GameSetup
from local_runner.language.languages import _

ENTRY = "proof/proof_page"
GAME = GameSetup("gobang_1v1")
BOOK = Path(__file__).resolve().parents[2] / "submission" / "data" / "gobang_proof.bin"
WEIGHTS = BOOK.with_name("gobang_weights.txt")
FEATURES = 11  # the first rows of WEIGHTS: weights of the features of a line
LINES = Path(__file__).parents[1] / "data" / "proof_lines.txt"


class ProofLine(NamedTuple):
    """The line after a second move of White in which White resists longest.

    entries: the number of prepared moves after the second move; moves: all cells as text, from Black's first move on
    """

    second: str
    entries: int
    moves: str


class ProofData(TypedDict):
    """The proof as `page/proof/proof_walk.js` takes it.

    book: the file of prepared moves in base64; weights: two numbers for each feature of a line; lines: (number of
    entries, cells) of each ProofLine.
    """

    board: BoardData
    book: str
    weights: list[list[int]]
    lines: list[tuple[int, list[int]]]


@functools.cache
def proof_data() -> ProofData:
    """The proof for the page. Raises RunnerError if a file of the upload is missing."""
    try:
        book, weights = BOOK.read_bytes(), WEIGHTS.read_text("ascii")
    except OSError as error:
        raise RunnerError(
            _("the proof is not there: {path}; install tengen again").format(path=error.filename)
        ) from None
    rows = [row.split() for row in weights.splitlines() if not row.startswith("#")][:FEATURES]
    board = board_of(GAME)
    return {
        "board": board,
        "book": base64.b64encode(book).decode(),
        "weights": [[int(cell) for cell in row[-2:]] for row in rows],
        "lines": [(line.entries, _cells(line.moves, board["cols"])) for line in proof_lines()],
    }


def proof_lines() -> Sequence[ProofLine]:
    """The line of each second move of White, up to symmetry; those with most prepared moves first."""
    rows = (row.split() for row in LINES.read_text("ascii").splitlines())
    return [ProofLine(second, int(entries), moves) for second, entries, moves in rows]


def proof_page(*, language: str = "") -> str:
    """The page as HTML. `language`: "en", "zh", or "" for the browser's. Raises RunnerError as `proof_data` does."""
    styles = (*self_contained.STYLES, "proof/proof.css")
    return self_contained.page(ENTRY, proof_data(), "tengen", language=language, styles=styles)


def _cells(moves: str, columns: int) -> list[int]:
    return [number(cell, columns) for cell in read_moves(moves).cells]
