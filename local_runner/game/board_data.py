"""A game as the page draws it: JSON for `page/board.js`, whose cells are numbers, row * columns + column.

The start board and the discs turned over come from the referee's rules. The sides alternate at every ply. The moves
are not played through the referee's environment, which scans the whole board after each: a report has 150,000 of them.
"""

from collections.abc import Iterable, Sequence
from copy import copy
from functools import lru_cache
from typing import TypedDict

from env_adapter import Cell, Game, Reversi
from env_adapter.game import BLACK, WHITE, other
from env_adapter.k_in_a_row import KInARow, find_line
from env_adapter.reversi import flips
from local_runner.errors import RunnerError
from local_runner.game.setup import GameSetup
from local_runner.language.languages import _

PASS = -1
MARKED_SIDE = 4  # longest side of a board of crosses and noughts
Sides = dict[int, set[Cell]]


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


def board_of(setup: GameSetup) -> BoardData:
    """The board of a setup before its opening. Raises EnvError for a game that does not exist."""
    return board_now(setup.env, _made(setup))


def board_now(env: str, game: Game) -> BoardData:
    """The board of an environment as it is now, as the start of what follows; `env`: the game's name."""
    if not isinstance(game, (KInARow, Reversi)):
        raise RunnerError(_("a report cannot show {game}, only k in a row and Reversi").format(game=env))
    in_a_row = game.in_a_row if isinstance(game, KInARow) else 0
    small = max(game.board_height, game.board_width) <= MARKED_SIDE
    return {
        "env": env,
        "kind": "squares" if not in_a_row else "marks" if small else "crossings",
        "rows": game.board_height,
        "cols": game.board_width,
        "stones": [stone for row in game.stones() for stone in row],
        "first": game.chess_player,
        "in_a_row": in_a_row,
    }


def moves_of(setup: GameSetup, cells: Sequence[Cell | None]) -> MovesData:
    """The moves of a game; `cells` has one for each ply, the opening first, None for a pass or a lost turn.

    Raises ValueError for a move that is impossible on its board. Whether the game was over before, is not looked at.
    """
    board = board_of(setup)
    sides, turned, passes = _played(board, cells)
    game = _game_at(_made(setup), board, sides, cells, passes)
    line = find_line(game.current_state, board["in_a_row"]) if isinstance(game, KInARow) else None
    legal, winner = game.legal_moves(), game.outcome().winner
    return {
        "opening": min(len(setup.opening), len(cells)),
        "moves": [PASS if cell is None else number(board, cell) for cell in cells],
        "turned": turned,
        "line": numbers(board, line or ()),
        "legal": numbers(board, legal),
        "must_pass": not legal and not game.is_over(),
        "to_move": game.chess_player,
        "winner": winner,
        "count": (len(sides[BLACK]), len(sides[WHITE])),
    }


def turned_over(board: BoardData, cells: Sequence[Cell | None]) -> list[list[int]]:
    """The discs that each move turns over, [] in k in a row. Raises ValueError as `moves_of` does."""
    return _played(board, cells)[1]


def number(board: BoardData, cell: Cell) -> int:
    """A cell as the page's number. Raises ValueError for a cell off the board."""
    row, col = cell
    if not (0 <= row < board["rows"] and 0 <= col < board["cols"]):
        raise ValueError(f"a move off the board: {cell}")
    return row * board["cols"] + col


def numbers(board: BoardData, cells: Iterable[Cell]) -> list[int]:
    """Cells as the page's numbers."""
    return [number(board, cell) for cell in cells]


@lru_cache(maxsize=32)
def _made(setup: GameSetup) -> Game:
    """A new environment, which nobody may change."""
    return setup.make()


def _played(board: BoardData, cells: Sequence[Cell | None]) -> tuple[Sides, list[list[int]], int]:
    """The stones after all moves, the discs turned over, and how many forced passes end the list."""
    sides = _sides(board)
    mover, passes, turned = board["first"], 0, list[list[int]]()
    for cell in cells:
        own, foe = sides[mover], sides[other(mover)]
        passes = passes + 1 if cell is None and not _can_move(board, own, foe) else 0
        turned.append([] if cell is None else numbers(board, _put(board, own, foe, cell)))
        mover = other(mover)
    return sides, [] if board["in_a_row"] else turned, passes


def _sides(board: BoardData) -> Sides:
    return {side: {divmod(at, board["cols"]) for at, stone in enumerate(board["stones"]) if stone == side}
            for side in (BLACK, WHITE)}  # fmt: skip


def _put(board: BoardData, own: set[Cell], foe: set[Cell], cell: Cell) -> list[Cell]:
    """Put a stone. Returns the cells that it turns over."""
    number(board, cell)
    if cell in own or cell in foe:
        raise ValueError(f"a move on an occupied cell: {cell}")
    over = [] if board["in_a_row"] else flips(own, foe, cell)
    if not over and not board["in_a_row"]:
        raise ValueError(f"a move that turns nothing over: {cell}")
    own.update([cell, *over])
    foe.difference_update(over)
    return over


def _can_move(board: BoardData, own: set[Cell], foe: set[Cell]) -> bool:
    cells = (divmod(at, board["cols"]) for at in range(board["rows"] * board["cols"]))
    return any(cell not in own and cell not in foe and flips(own, foe, cell) for cell in cells)


def _game_at(made: Game, board: BoardData, sides: Sides, cells: Sequence[Cell | None], passes: int) -> Game:
    """A copy of the environment that stands after the moves, for its questions; it must not be played on."""
    game = copy(made)
    stones = {cell: side for side, owned in sides.items() for cell in owned}
    game.current_state = [[[stones.get((row, col), 0)] for col in range(board["cols"])] for row in range(board["rows"])]
    game.chess_player = board["first"] if len(cells) % 2 == 0 else other(board["first"])
    game.step_cnt = made.step_cnt + sum(cell is not None for cell in cells)
    if isinstance(game, Reversi):
        game.black, game.white = sides[BLACK], sides[WHITE]
        game.last, game.done = int(passes == 1), int(passes > 1)
        if passes > 1:  # the environment does not change sides at the second pass
            game.chess_player = other(game.chess_player)
    elif isinstance(game, KInARow):
        game.all_grids = [divmod(at, board["cols"]) for at in range(board["rows"] * board["cols"])
                          if divmod(at, board["cols"]) not in stones]  # fmt: skip
    return game
