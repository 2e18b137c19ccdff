"""The openings of a match, so that two agents that always play alike do not play one game again and again.

They come from a book (books.py) or are short random ones. A pair of games starts from one opening with colours
swapped, so an opening need not be fair, but one that is lost at once would tell nothing: random stones go where they
touch the fight, since one far away is a wasted move. Lengths count plies.
"""

import random
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from env_adapter import Cell, Game, answer
from local_runner.errors import RunnerError
from local_runner.openings.books import Opening, Purpose, book, read, shipped
from local_runner.play import GameSetup

# By the environment's game_name. Tic-tac-toe is a draw after any first move; the second could lose it.
DEFAULT_PLIES = {"gobang": 4, "gomoku": 2, "reversi": 6, "tictactoe": 1}
NEAR_CENTRE = 3  # cells from the centre at most; Reversi plays wherever it can
NEAR_STONE = 2  # cells from the nearest stone at most, once there is one
ATTEMPTS = 100


@dataclass(frozen=True)
class RandomPlies:
    """A source of openings: so many random plies each, the game's usual number if None."""

    plies: int | None = None


Source = Path | Purpose | RandomPlies  # a file of openings, a shipped book, or random ones


def default_source(setup: GameSetup, purpose: Purpose) -> Source:
    """The shipped book of that purpose, or random openings where none comes with the game, or not for this board."""
    there = shipped(setup.env, purpose).is_file() and setup.board_size in (None, _own_side(setup))
    return purpose if there else RandomPlies()


def openings_for(setup: GameSetup, pairs: int, seed: object, source: Source | None = None) -> list[Opening]:
    """The openings of so many pairs of games, always the same for the same seed.

    Without a source that is `default_source` for testing. A book is dealt in an order of the seed's; when all of it has
    been dealt, it is dealt again in the same order. Random openings are drawn one by one and may repeat. Either way the
    first pairs of a longer match are those of a shorter one. Raises RunnerError as `shuffled` and `random_opening` do.
    """
    source = source or default_source(setup, Purpose.TEST)
    if isinstance(source, RandomPlies):
        return [random_opening(setup, source.plies, f"{seed} {pair}") for pair in range(pairs)]
    openings = shuffled(setup, source, seed)
    return [openings[pair % len(openings)] for pair in range(pairs)]


def shuffled(setup: GameSetup, source: Path | Purpose, seed: object) -> list[Opening]:
    """A whole book in an order of the seed's.

    Raises RunnerError as `read` and `book` do, and for a shipped book on a board of another size.
    """
    if isinstance(source, Path):
        openings = read(source, setup)
    else:
        openings = book(setup.env, source)
        side = _own_side(setup)
        if setup.board_size not in (None, side):
            raise RunnerError(f"the book of {setup.env} is for its own board, {side}x{side}; leave out --board-size")
    random.Random(f"order {seed}").shuffle(openings)
    return openings


def _own_side(setup: GameSetup) -> int:
    """The side of the game's own board."""
    return GameSetup(setup.env).make().board_width


def random_opening(setup: GameSetup, plies: int | None, seed: object) -> Opening:
    """`plies` random legal moves (the game's usual number if None), always the same for the same seed.

    The side to move cannot win at once. Raises RunnerError where no such opening turns up.
    """
    dice = random.Random(f"opening {seed}")
    if plies is None:
        plies = DEFAULT_PLIES[setup.make().game_name]
    for _ in range(ATTEMPTS):
        opening = _try_opening(setup.make(), plies, dice)
        if opening is not None:
            return opening
    raise RunnerError(f"no opening of {plies} plies leaves a game of {setup.env} to play; give fewer --opening-plies")


def _try_opening(env: Game, plies: int, dice: random.Random) -> Opening | None:
    """Random moves; None where one ends the game, leaves a player without a move, or lets the next one win."""
    moves: list[Cell] = []
    for _ in range(plies):
        cells = [cell for cell in env.legal_moves() if env.game_name == "reversi" or _is_natural(env, cell)]
        if not cells:
            return None
        moves.append(dice.choice(cells))
        _play(env, moves[-1])
    return None if env.is_over() or _can_win_at_once(env) else tuple(moves)


def _is_natural(env: Game, cell: Cell) -> bool:
    centre = (env.board_height // 2, env.board_width // 2)
    stones = [(r, c) for r, row in enumerate(env.stones()) for c, stone in enumerate(row) if stone]
    return _distance(cell, centre) <= NEAR_CENTRE and (
        not stones or min(_distance(cell, stone) for stone in stones) <= NEAR_STONE
    )


def _distance(a: Cell, b: Cell) -> int:
    """In steps of a king."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def _can_win_at_once(env: Game) -> bool:
    in_a_row = env.setup.in_a_row
    stones = sum(stone == env.chess_player for row in env.stones() for stone in row)
    if env.game_name == "reversi" or stones < in_a_row - 1:
        return False
    trials = ((deepcopy(env), cell) for cell in env.legal_moves())
    return any(_play(trial, cell).is_over() for trial, cell in trials)


def _play(env: Game, cell: Cell) -> Game:
    env.step([answer(cell, env.board_height, env.board_width)] * env.n_player)
    return env
