"""The openings of a match. Different openings keep two deterministic agents from repeating one game.

Openings come from a book (books.py) or are short and random. The two games of a pair start from the same opening with
colours swapped, so an opening need not be fair. But an opening that loses at once says nothing about strength. So
random stones are placed near the others: a far stone would be a wasted move. Lengths are in plies.
"""

import random
from copy import deepcopy
from pathlib import Path

from env_adapter import Cell, Game, answer
from local_runner.errors import RunnerError
from local_runner.game.setup import GameSetup
from local_runner.language.amounts import PLIES, amount
from local_runner.language.languages import _, shown
from local_runner.language.suggestions import unknown
from local_runner.matches.openings.books import Opening, Purpose, book, read, shipped

# Where every free cell is legal:
NEAR_CENTRE = 3  # maximum distance from the centre in cells
NEAR_STONE = 2  # maximum distance from the nearest stone in cells
ATTEMPTS = 100  # random openings to try

RANDOM, START = "random", "start"


def book_for(text: str | None, setup: GameSetup) -> tuple[Opening, ...]:
    """The openings that `--openings` names, shuffled by the game's seed; empty if openings are to be random.

    `text`: "test" or "tune", a book of this package; "random"; "start", the start of the game; a file; None, which
    means "test" if there is such a book and "random" otherwise. Raises RunnerError as `read` does, and for a missing
    book.
    """
    if text is None:
        text = Purpose.TEST.value if has_book(setup, Purpose.TEST) else RANDOM
    if text == RANDOM:
        return ()
    if text == START:
        return ((),)
    purposes = [purpose.value for purpose in Purpose]
    if text.isalpha() and text not in purposes and not Path(text).exists():
        known = unknown(_("book of openings"), text, [*purposes, RANDOM, START])
        raise RunnerError(known + _("; or give the path of a file"))
    if text not in purposes:
        openings = read(Path(text), setup)
    elif has_book(setup, Purpose(text)):
        openings = book(setup.env, Purpose(text))
    else:
        sentence = _("no book of openings comes with {game} on this board; give --openings random")
        raise RunnerError(sentence.format(game=setup.env))
    random.Random(f"order {setup.seed}").shuffle(openings)
    return tuple(openings)


def has_book(setup: GameSetup, purpose: Purpose) -> bool:
    """Whether this package has a book of that purpose for the game. Books are for its usual board and start only."""
    own = setup.board is None and setup.board_size in (None, setup.kind.board[1])
    return own and shipped(setup.env, purpose).is_file()


def dealt(book: tuple[Opening, ...], setup: GameSetup, number: int, plies: int | None = None) -> Opening:
    """The opening of a pair, by its number from 1: a book's openings in turn and repeatedly, else random plies.

    The opening depends only on the setup's seed and the number. Raises RunnerError as `random_opening` does.
    """
    if book:
        return book[(number - 1) % len(book)]
    return random_opening(setup, plies, f"{setup.seed} {number}")


def random_opening(setup: GameSetup, plies: int | None, seed: object) -> Opening:
    """An opening of `plies` random legal moves (None: the game's usual number), determined by `seed`.

    The side to move cannot win at once. Raises RunnerError if no such opening is found.
    """
    rng = random.Random(f"opening {seed}")
    if plies is None:
        plies = setup.kind.opening_plies
    for _attempt in range(ATTEMPTS):
        opening = _try_opening(setup.make(), plies, rng)
        if opening is not None:
            return opening
    sentence = _("found no opening of {plies} for {game} after which the game goes on; give fewer --opening-plies")
    raise RunnerError(sentence.format(plies=shown(amount(plies, PLIES)), game=setup.env))


def _try_opening(env: Game, plies: int, rng: random.Random) -> Opening | None:
    """Random moves; None if one ends the game, leaves a player without a move, or lets the next player win."""
    moves: list[Cell] = []
    for _ply in range(plies):
        cells = [cell for cell in env.legal_moves() if env.illegal_free or _is_natural(env, cell)]
        if not cells:
            return None
        moves.append(rng.choice(cells))
        _play(env, moves[-1])
    return None if env.is_over() or _can_win_at_once(env) else tuple(moves)


def _is_natural(env: Game, cell: Cell) -> bool:
    centre = (env.board_height // 2, env.board_width // 2)
    stones = [(r, c) for r, row in enumerate(env.stones()) for c, stone in enumerate(row) if stone]
    return _distance(cell, centre) <= NEAR_CENTRE and (
        not stones or min(_distance(cell, stone) for stone in stones) <= NEAR_STONE
    )


def _distance(a: Cell, b: Cell) -> int:
    """In king's moves."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def _can_win_at_once(env: Game) -> bool:
    in_a_row = env.setup.in_a_row
    stones = sum(stone == env.chess_player for row in env.stones() for stone in row)
    if not in_a_row or stones < in_a_row - 1:
        return False
    trials = ((deepcopy(env), cell) for cell in env.legal_moves())
    return any(_play(trial, cell).is_over() for trial, cell in trials)


def _play(env: Game, cell: Cell) -> Game:
    env.step([answer(cell, env.board_height, env.board_width)] * env.n_player)
    return env
