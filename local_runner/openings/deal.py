"""The openings of a match, so that two agents that always play alike do not play one game again and again.

They come from a book (books.py) or are short random ones. A pair of games starts from one opening with colours
swapped, so an opening need not be fair, but one that is lost at once would tell nothing: random stones go where they
touch the fight, since one far away is a wasted move. Lengths count plies.
"""

import random
from copy import deepcopy
from pathlib import Path

from env_adapter import Cell, Game, answer
from local_runner.errors import RunnerError
from local_runner.game_setup import GameSetup
from local_runner.openings.books import Opening, Purpose, book, read, shipped

# By the environment's game_name. Tic-tac-toe is a draw after any first move; the second could lose it.
DEFAULT_PLIES = {"gobang": 4, "gomoku": 2, "reversi": 6, "tictactoe": 1}
NEAR_CENTRE = 3  # cells from the centre at most; Reversi plays wherever it can
NEAR_STONE = 2  # cells from the nearest stone at most, once there is one
ATTEMPTS = 100


RANDOM, START = "random", "start"


def book_for(text: str | None, setup: GameSetup) -> tuple[Opening, ...]:
    """The openings that `--openings` names, in an order of the game's seed; none at all where they are random.

    `text`: test or tune, the book that comes with the game; random; start, the game's own; a file; or None, which is
    test where there is such a book, else random. Raises RunnerError as `read` does, and where there is no such book.
    """
    if text is None:
        text = Purpose.TEST.value if has_book(setup, Purpose.TEST) else RANDOM
    if text == RANDOM:
        return ()
    if text == START:
        return ((),)
    if text not in [purpose.value for purpose in Purpose]:
        openings = read(Path(text), setup)
    elif has_book(setup, Purpose(text)):
        openings = book(setup.env, Purpose(text))
    else:
        raise RunnerError(f"no book of openings comes with {setup.env} on this board; give --openings {RANDOM}")
    random.Random(f"order {setup.seed}").shuffle(openings)
    return tuple(openings)


def has_book(setup: GameSetup, purpose: Purpose) -> bool:
    """Whether a book of that purpose comes with the game; it is for the game's own board and start."""
    own = setup.board is None and setup.board_size in (None, GameSetup(setup.env).make().board_width)
    return own and shipped(setup.env, purpose).is_file()


def dealt(book: tuple[Opening, ...], setup: GameSetup, number: int, plies: int | None = None) -> Opening:
    """The opening of a pair, by its number from 1: those of a book in turn and over again; without one, random plies.

    The same seed always deals the same. Raises RunnerError as `random_opening` does.
    """
    if book:
        return book[(number - 1) % len(book)]
    return random_opening(setup, plies, f"{setup.seed} {number}")


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
