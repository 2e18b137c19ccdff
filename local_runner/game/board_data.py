"""A game as the page draws it: JSON for `page/board.js`, whose cells are numbers, row * columns + column.

The moves are played by `Game.replay`, not by steps, which look for the end after each: a report has 150,000 of them.
"""

from collections.abc import Iterable, Sequence
from typing import TypedDict

from env_adapter import Cell, Game, kind_of
from env_adapter.game import BLACK, WHITE
from local_runner.game.coordinates import number
from local_runner.game.setup import GameSetup


class BoardData(TypedDict):
    """The board before the first ply.

    `kind`: a BoardStyle, such as "crossings". `stones`: row by row, 0 free, 1 Black, 2 White; the stones that belong to
    the game's start included. `first`: who moves first, 1 or 2. `in_a_row`: how many stones in a line win, 0 if lines
    do not count. `turns_discs`: moves turn discs over. `all_free_legal`: every free cell may be played.
    """

    env: str
    kind: str
    rows: int
    cols: int
    stones: list[int]
    first: int
    in_a_row: int
    turns_discs: bool
    all_free_legal: bool


class MovesData(TypedDict):
    """The moves of a game, from the first of the opening.

    `opening`: how many plies belong to it. `moves`: cells, -1 for a pass or a lost turn. `turned`: the discs that each
    move turns over, [] if none ever does. `line`: the winning line, [] without one. `legal`: the legal cells after the
    last move, [] after the end and on a pass. `must_pass`: whether the side to move can only pass. `to_move`: 1 or 2.
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


def board_of(setup: GameSetup) -> BoardData:
    """The board of a setup before its opening. Raises EnvError for a game that does not exist."""
    return board_now(setup.env, setup.make())


def board_now(env: str, game: Game) -> BoardData:
    """The board of an environment as it is now, as the start of what follows; `env`: the game's name."""
    return {
        "env": env,
        "kind": kind_of(env).style.value,
        "rows": game.board_height,
        "cols": game.board_width,
        "stones": [stone for row in game.stones() for stone in row],
        "first": game.chess_player,
        "in_a_row": game.setup.in_a_row,
        "turns_discs": game.turns_discs,
        "all_free_legal": not game.illegal_free,
    }


def moves_of(setup: GameSetup, cells: Sequence[Cell | None]) -> MovesData:
    """The moves of a game; `cells` has one for each ply, the opening first, None for a pass or a lost turn.

    Raises ValueError for a move that is impossible on its board. Moves after the end of the game are not refused.
    """
    game = setup.make()
    board = board_now(setup.env, game)
    turned = game.replay(cells)
    legal, stones = game.legal_moves(), [stone for row in game.stones() for stone in row]
    return {
        "opening": min(len(setup.opening), len(cells)),
        "moves": _numbers(board, cells),
        "turned": [_numbers(board, discs) for discs in turned] if game.turns_discs else [],
        "line": _numbers(board, game.winning_line()),
        "legal": _numbers(board, legal),
        "must_pass": not legal and not game.is_over(),
        "to_move": game.chess_player,
        "winner": game.outcome().winner,
        "count": (stones.count(BLACK), stones.count(WHITE)),
    }


def _numbers(board: BoardData, cells: Iterable[Cell | None]) -> list[int]:
    """Cells as the page's numbers."""
    return [number(cell, board["cols"]) for cell in cells]
