"""Which of our games a file is of that says only the family and the size of the board, or the stones on it."""

import functools
from collections.abc import Sequence

from env_adapter import Cell, Reversi, make, names
from env_adapter.game import BLACK, WHITE
from env_adapter.reversi import start_discs
from local_runner.errors import RunnerError
from local_runner.formats.source import own_size, setup_for
from local_runner.game.setup import GameSetup
from local_runner.language.languages import _

MARKS = {BLACK: "X", WHITE: "O"}
Stones = dict[Cell, int]  # cell -> BLACK or WHITE


def reversi(size: int, stones: Stones, rules: str = "platform") -> GameSetup:
    """Reversi on a board of this size; from these discs, if there are any and they are not the usual ones."""
    env = "reversi_8x8_1v1" if size == own_size("reversi_8x8_1v1") else "reversi_1v1"
    setup = setup_for(env, size, size, rules=rules)
    black, white = start_discs(size)
    if not stones or stones == {**dict.fromkeys(black, BLACK), **dict.fromkeys(white, WHITE)}:
        return setup
    rows = ("".join(MARKS.get(stones.get((row, col), 0), ".") for col in range(size)) for row in range(size))
    return GameSetup(env, rules, board=tuple(rows))


def in_a_row(size: int, rules: str = "stated") -> GameSetup:
    """Gobang on a board of this size, without stones; tic-tac-toe on its own."""
    env = "tictactoe_1v1" if size == own_size("tictactoe_1v1") else "gobang_1v1"
    return setup_for(env, size, size, rules=rules)


def with_start(setup: GameSetup, cells: Sequence[Cell | None]) -> tuple[GameSetup, int]:
    """The game of that size that begins with the first of these cells, and how many belong to its start."""
    size = setup.board_size or own_size(setup.env)
    for env, start in starts().items():
        if own_size(env) == size and start == tuple(cells[: len(start)]):
            return setup_for(env, size, size, rules=setup.rules), len(start)
    return setup, 0


@functools.cache
def starts() -> dict[str, tuple[Cell, ...]]:
    """The games that begin with stones on the board, as moves in turn."""
    return {env: start for env in names() if (start := make(env).setup.start)}


def in_turn(stones: Stones) -> tuple[Cell, ...]:
    """Stones as moves in turn, Black first; those of the start of a game first, if they are among them.

    Raises RunnerError if they cannot have been played in turn.
    """
    for start in starts().values():
        if all(stones.get(cell) == (BLACK, WHITE)[ply % 2] for ply, cell in enumerate(start)):
            rest = {cell: stone for cell, stone in stones.items() if cell not in start}
            return start + in_turn(rest)
    black, white = (sorted(cell for cell, stone in stones.items() if stone == side) for side in (BLACK, WHITE))
    if len(black) - len(white) not in (0, 1):
        sentence = _("{black} stones of Black and {white} of White cannot have been played in turn")
        raise RunnerError(sentence.format(black=len(black), white=len(white)))
    moves = [cell for pair in zip(black, white, strict=False) for cell in pair]
    return (*moves, *black[len(white) :])


def is_reversi(env: str) -> bool:
    """Whether a game is of the family of Reversi."""
    return isinstance(make(env), Reversi)
