"""The board and the moves of a game as JSON for `page/board/board.js`. A cell is a number, row * columns + column.

The moves are played by `Game.replay`, which is faster than `Game.step`: a tournament's report may have 150,000 moves.
An agent's thought may hold any values. Only its numbers, source and principal variation are taken.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

import msgspec

from env_adapter import Cell, Game, kind_of
from env_adapter.game import BLACK, WHITE
from local_runner.game.coordinates import number
from local_runner.game.setup import GameSetup
from local_runner.language.text import printable, shortened


class BoardData(TypedDict):
    """The board as it is before the first ply of the game."""

    env: str
    kind: str  # the value of a BoardStyle, such as "crossings"
    rows: int
    cols: int
    stones: list[int]  # the cells row by row, 0 free, 1 Black, 2 White, with the stones of the start position
    first: int  # the player who moves first, 1 or 2
    in_a_row: int  # number of stones in a winning line, 0 if lines do not count
    turns_discs: bool  # whether moves turn discs over
    all_free_legal: bool  # whether every free cell is legal


class MovesData(TypedDict):
    """The moves of a game, the opening included. The fields from `line` on describe the position after them."""

    opening: int  # number of plies in the opening
    moves: list[int]  # cells, -1 for a pass or a lost turn
    turned: list[list[int]]  # for each move the discs that it turns over; [] in a game that turns no discs
    line: list[int]  # the winning line, [] if there is none
    legal: list[int]  # the legal cells, [] after the end and if the side to move must pass
    must_pass: bool  # whether the side to move must pass
    to_move: int  # 1 or 2
    winner: int  # 1, 2, 3 for a draw, 0 for none
    count: tuple[int, int]  # numbers of Black's and White's stones


def board_of(setup: GameSetup) -> BoardData:
    """The board of a setup before its opening. Raises EnvError for a game that does not exist."""
    return board_now(setup.env, setup.make())


def board_now(env: str, game: Game) -> BoardData:
    """The present board of an environment, as the position with which the page begins. `env`: the game's name."""
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
    """The moves of a game. `cells`: one entry for each ply, the opening first, None for a pass or a lost turn.

    Raises ValueError for a move that is not playable on the board. Moves after the end of the game are not refused.
    """
    game = setup.make()
    return moves_now(game, cells, game.replay(cells), len(setup.opening))


def moves_now(game: Game, cells: Sequence[Cell | None], turned: Iterable[Sequence[Cell]], opening: int) -> MovesData:
    """The moves of a game, whose position is that after `cells`. Nothing is replayed.

    `turned`: for each ply the discs that it turned over. `opening`: number of plies in the opening.
    """
    outcome, legal, stones = game.outcome(), game.legal_moves(), [stone for row in game.stones() for stone in row]
    return {
        "opening": min(opening, len(cells)),
        "moves": _numbers(game, cells),
        "turned": [_numbers(game, discs) for discs in turned] if game.turns_discs else [],
        "line": _numbers(game, game.winning_line() if outcome.ending else ()),
        "legal": _numbers(game, legal),
        "must_pass": not legal and not outcome.ending,
        "to_move": game.chess_player,
        "winner": outcome.winner,
        "count": (stones.count(BLACK), stones.count(WHITE)),
    }


def _numbers(game: Game, cells: Iterable[Cell | None]) -> list[int]:
    return [number(cell, game.board_width) for cell in cells]


FIGURES = ("depth", "value", "nodes")
MOST_FIGURE = 10**12  # larger numbers of a thought are not shown
LONGEST_LINE, LONGEST_SOURCE = 30, 40


def thoughts_of(
    board: BoardData, moves: MovesData, thoughts: Sequence[Mapping[str, Any] | None]
) -> list[dict[str, Any] | None]:
    """For each ply the parts of the agent's thought that `page/replay/replay.js` shows; [] if no ply has a thought."""
    parts = [_thought(board, thought) for thought in thoughts[: len(moves["moves"]) + 1]]
    return parts if any(parts) else []


def figure(value: Any) -> float | None:
    """The value if it is a number that can be shown, rounded to three decimals; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < MOST_FIGURE:
        return None
    return value if isinstance(value, int) else round(value, 3)


def _thought(board: BoardData, thought: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if not isinstance(thought, Mapping):
        return None
    numbers = {key: figure(thought.get(key)) for key in FIGURES}
    parts: dict[str, Any] = {key: value for key, value in numbers.items() if value is not None}
    if isinstance(source := thought.get("source"), str) and source:
        parts["source"] = printable(shortened(source, LONGEST_SOURCE))
    if line := _line(board, thought.get("pv")):
        parts["line"] = line
    return parts or None


def _line(board: BoardData, pv: Any) -> list[int]:
    """A principal variation of (row, column) pairs as cell numbers; [] if any entry is no cell of the board."""
    try:
        cells = msgspec.convert(pv[:LONGEST_LINE] if isinstance(pv, (list, tuple)) else [], list[Cell])
    except msgspec.ValidationError:
        return []
    rows, cols = board["rows"], board["cols"]
    on_board = all(0 <= row < rows and 0 <= col < cols for row, col in cells)
    return [number(cell, cols) for cell in cells] if on_board else []
