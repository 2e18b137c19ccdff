"""Chooses the opening of each pair of a match. Two deterministic agents would repeat one game without openings.

Openings come from a book (books.py) or are short and random. The two games of a pair have the same opening and swapped
colours, so an opening may favour one colour, but must not decide the game. Random openings place stones near each
other, because a distant stone is a wasted move. Lengths are in plies.
"""

import os
import random
from copy import deepcopy
from pathlib import Path

from rich.console import Console

from env_adapter import Cell, Game
from local_runner.errors import RunnerError
from local_runner.game.setup import GameSetup, called
from local_runner.language.languages import PLIES, _, amount, shown, unknown
from local_runner.matches.openings.books import Opening, Others, Purpose, book, read, shipped

# Limits of random openings in games in which every free cell is legal, such as gobang; distances in king's moves:
NEAR_CENTRE = 3  # maximum distance of a stone from the centre
NEAR_STONE = 2  # maximum distance of a stone from the nearest earlier one
ATTEMPTS = 100  # number of random openings that are tried before RunnerError is raised

RANDOM, START = "random", "start"


def book_for(
    text: str | None, setup: GameSetup, others: Others | None = None, *, shuffled: bool = True
) -> tuple[Opening, ...]:  # fmt: skip
    """The openings that `--openings` names; () for random openings.

    `text`: "test" or "tune" for a book of this package, "random", "start" for the game's own start, or the path of a
    file; None for "test" if there is such a book, else "random". `others`: as in `read`. `shuffled`: by the game's
    seed; otherwise in the book's order. Raises RunnerError as `read` does, and for a missing book.
    """
    own = setup.board is None and setup.board_size in (None, setup.kind.board[1])  # the game's usual board and start
    books = [purpose.value for purpose in Purpose if own and shipped(setup.env, purpose).is_file()]
    if text is None:
        text = Purpose.TEST.value if Purpose.TEST.value in books else RANDOM
    if text == RANDOM:
        return ()
    if text == START:
        return ((),)
    purposes = [purpose.value for purpose in Purpose]
    if text.isalpha() and text not in purposes and not os.path.exists(text):
        known = unknown(_("book of openings"), text, [*purposes, RANDOM, START])
        raise RunnerError(known + _("; or give the path of a file"))
    if text not in purposes:
        with Console(stderr=True).status(_("reading openings ...")):  # 1 ms each; only a terminal shows the status
            openings = read(Path(text), setup, others)
    elif text in books:
        openings = book(setup.env, Purpose(text))
    else:
        sentence = _("no book of openings comes with {game} on this board; give --openings random")
        raise RunnerError(sentence.format(game=shown(called(setup.env))))
    if shuffled:
        setup.chance("order").shuffle(openings)
    return tuple(openings)


def dealt(book: tuple[Opening, ...], setup: GameSetup, number: int, plies: int | None = None) -> Opening:
    """The opening of the pair with this number, from 1.

    Pair n takes opening n of the book; after the last opening, the first follows. With an empty book, the opening is
    random and depends only on the setup, `plies` and `number`. Raises RunnerError as `random_opening` does.
    """
    if book:
        return book[(number - 1) % len(book)]
    return random_opening(setup, plies, setup.chance(f"opening {number}").random())


def random_opening(setup: GameSetup, plies: int | None, seed: object) -> Opening:
    """An opening of `plies` random legal moves (None: the game's usual number), determined by `seed`.

    After the opening, the side to move cannot win with its next move. Raises RunnerError if `ATTEMPTS` random openings
    all fail.
    """
    rng = random.Random(f"opening {seed}")
    if plies is None:
        plies = setup.kind.opening_plies
    for _attempt in range(ATTEMPTS):
        opening = _try_opening(setup.make(), plies, rng)
        if opening is not None:
            return opening
    sentence = _("found no opening of {plies} for {game} after which the game goes on; give fewer --opening-plies")
    raise RunnerError(sentence.format(plies=shown(amount(plies, PLIES)), game=shown(called(setup.env))))


def _try_opening(env: Game, plies: int, rng: random.Random) -> Opening | None:
    """Random moves; None if they end the game, a player has no move, or the side to move could win at once."""
    moves: list[Cell] = []
    for _ply in range(plies):
        cells = [cell for cell in env.legal_moves() if env.illegal_free or _is_natural(env, cell)]
        if not cells:
            return None
        moves.append(rng.choice(cells))
        env.play(moves[-1])
    return None if env.is_over() or _can_win_at_once(env) else tuple(moves)


def _is_natural(env: Game, cell: Cell) -> bool:
    stones = [(r, c) for r, row in enumerate(env.stones()) for c, stone in enumerate(row) if stone]
    to_stones = [max(abs(cell[0] - r), abs(cell[1] - c)) for r, c in stones]
    to_centre = max(abs(cell[0] - env.board_height // 2), abs(cell[1] - env.board_width // 2))
    return to_centre <= NEAR_CENTRE and min(to_stones, default=0) <= NEAR_STONE


def _can_win_at_once(env: Game) -> bool:
    in_a_row = env.setup.in_a_row
    stones = sum(stone == env.chess_player for row in env.stones() for stone in row)
    if not in_a_row or stones < in_a_row - 1:
        return False
    for cell in env.legal_moves():
        trial = deepcopy(env)
        trial.play(cell)
        if trial.is_over():
            return True
    return False
