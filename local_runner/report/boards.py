"""The moves of a game and their effects, for the replay on the page.

A cell is a number here, row * columns + column, as on the page. The start board and the discs turned over come from the
referee's rules. The sides alternate at every step, because a record contains passes as steps.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from env_adapter import Cell
from env_adapter.game import BLACK, EMPTY, WHITE, other
from env_adapter.k_in_a_row import KInARow, find_line
from env_adapter.reversi import Reversi, flips
from local_runner.errors import RunnerError
from local_runner.game_setup import GameSetup
from local_runner.languages import _
from local_runner.records import Reason
from local_runner.tournament.store import PlayedGame

PASS = -1
SHORT = 0.01  # seconds, below which times are shown in tenths of a millisecond
MOST_FIGURE = 10**12  # larger numbers in an agent's thought are not shown


@dataclass(frozen=True)
class Start:
    """The start board of all games of a tournament, row by row, and who moves first (1 Black, 2 White).

    `in_a_row`: k in k in a row, 0 in Reversi.
    """

    rows: int
    cols: int
    stones: tuple[int, ...]
    first: int
    in_a_row: int


@dataclass(frozen=True)
class Replay:
    """One game. Tuples are by step, the opening first.

    `moves`: a cell or PASS; `turned`: the discs that the move turns over; `line`: the cells of the winning line.
    `times`: milliseconds of each call on turn, from the first step after the opening; one more if the last call was a
    fault. `depth`, `value`, `nodes`: the agent's thought at that call, None without one; empty if no call has one.
    """

    opening: int
    moves: tuple[int, ...]
    turned: tuple[tuple[int, ...], ...]
    line: tuple[int, ...]
    times: tuple[float, ...]
    depth: tuple[float | None, ...]
    value: tuple[float | None, ...]
    nodes: tuple[float | None, ...]


def start_of(setup: GameSetup) -> Start:
    """The start of the games of a setup, before the opening. Raises EnvError for an unknown game."""
    game = setup.make()
    if not isinstance(game, (KInARow, Reversi)):
        raise RunnerError(_("a report cannot show {game}, only k in a row and Reversi").format(game=setup.env))
    stones = tuple(stone for row in game.stones() for stone in row)
    in_a_row = game.in_a_row if isinstance(game, KInARow) else 0
    return Start(game.board_height, game.board_width, stones, game.chess_player, in_a_row)


def replay_of(start: Start, game: PlayedGame, record: Mapping[str, Any]) -> Replay:
    """The replay of a game. Raises ValueError for impossible moves."""
    sides = {side: {divmod(at, start.cols) for at, stone in enumerate(start.stones) if stone == side}
             for side in (BLACK, WHITE)}  # fmt: skip
    mover, moves, turned = start.first, [], []
    for text in game.moves.split():
        cell = None if text == "-" else _cell(start, text)
        over = [] if cell is None else _put(start, sides[mover], sides[other(mover)], cell)
        moves.append(PASS if cell is None else _number(start, cell))
        turned.append(tuple(_number(start, at) for at in over))
        mover = other(mover)
    calls = [call for call in record["calls"] if call["turn"]]
    thoughts = [call["thought"] or {} for call in calls]
    return Replay(
        opening=len(record["opening"]),
        moves=tuple(moves),
        turned=() if start.in_a_row else tuple(turned),
        line=_line(start, sides) if game.reason == Reason.RULES.value else (),
        times=tuple(_milliseconds(call["seconds"]) for call in calls),
        depth=_figures(thoughts, "depth"),
        value=_figures(thoughts, "value"),
        nodes=_figures(thoughts, "nodes"),
    )


def _put(start: Start, own: set[Cell], foe: set[Cell], cell: Cell) -> list[Cell]:
    """Put a stone. Returns the cells that it turns over."""
    if cell in own or cell in foe:
        raise ValueError(f"a move on an occupied cell: {cell}")
    over = [] if start.in_a_row else flips(own, foe, cell)
    own.update([cell, *over])
    foe.difference_update(over)
    return over


def _line(start: Start, sides: Mapping[int, set[Cell]]) -> tuple[int, ...]:
    if not start.in_a_row:
        return ()
    board = [[[EMPTY] for _ in range(start.cols)] for _ in range(start.rows)]
    for side, cells in sides.items():
        for row, col in cells:
            board[row][col] = [side]
    return tuple(_number(start, cell) for cell in find_line(board, start.in_a_row) or ())


def _cell(start: Start, text: str) -> Cell:
    row, col = map(int, text.split(","))
    if not (0 <= row < start.rows and 0 <= col < start.cols):
        raise ValueError(f"a move off the board: {text}")
    return row, col


def _number(start: Start, cell: Cell) -> int:
    return cell[0] * start.cols + cell[1]


def _milliseconds(seconds: float) -> float:
    return round(1000 * seconds) if seconds >= SHORT else round(1000 * seconds, 1)


def _figures(thoughts: list[Any], key: str) -> tuple[float | None, ...]:
    """The agent's figures, None where they are not numbers."""
    found = tuple(_figure(thought.get(key)) if isinstance(thought, dict) else None for thought in thoughts)
    return found if any(figure is not None for figure in found) else ()


def _figure(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < MOST_FIGURE:
        return None
    return value if isinstance(value, int) else round(value, 3)
