"""A game as the page draws it: JSON for `page/board.js`, whose cells are numbers, row * columns + column.

The start board and the discs turned over come from the referee's rules. The sides alternate at every ply.
"""

from typing import TypedDict


class BoardData(TypedDict):
    """The board before the first ply.

    `kind`: "crossings" (gobang, stones on crossings), "squares" (Reversi, discs in squares) or "marks" (tic-tac-toe).
    `stones`: row by row, 0 free, 1 Black, 2 White; the stones that belong to the game's start included. `first`: who
    moves first, 1 or 2. `in_a_row`: k, 0 in Reversi.
    """

    env: str
    kind: str
    rows: int
    cols: int
    stones: list[int]
    first: int
    in_a_row: int


class MovesData(TypedDict):
    """The moves of a game, from the first of the opening.

    `opening`: how many plies belong to it. `moves`: cells, -1 for a pass or a lost turn. `turned`: the discs that each
    move turns over, [] in k in a row. `line`: the winning line, [] without one. `legal`: the legal cells after the last
    move, [] after the end and on a pass. `must_pass`: whether the side to move can only pass. `to_move`: 1 or 2.
    `winner`: 1, 2, 3 a draw, 0 while the game goes on. `count`: stones of Black and of White after the last move.
    """

    opening: int
    moves: list[int]
    turned: list[list[int]]
    line: list[int]
    legal: list[int]
    must_pass: bool
    to_move: int
    winner: int
    count: tuple[int, int]
