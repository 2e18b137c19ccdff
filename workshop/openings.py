"""Makes local_runner/data/openings/, the books that come with the package: one for tuning and one for testing a game.

    python -m workshop.openings [GAME ...]      the same files of the same engine; an hour for all

Random openings, of which those are kept that our search, at a fixed number of nodes, values near zero, and that lead to
no position seen before, the board turned and mirrored; kept ones go to the two books in turn. What is near is in the
units of the evaluation:

    in a row  120   some quarter of a logit, 56 % to win. A forced win would be far beyond
    Reversi    32   one disc

Near zero is what the search says, not what games do: of openings in a row that it values so, one side wins most. These
are played out besides, by the search against itself, and kept where either side wins three of eight quick games. Even
so, one opening often suits one side of two given players, so only pairs with the colours swapped are fair. Tic-tac-toe
has no openings at random: its books share out all drawn positions of one and two plies.
"""
from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from local_runner.files import write_whole
from local_runner.game_setup import GameSetup
from local_runner.openings.books import Opening, Purpose, position_after, shipped, spelt
from local_runner.openings.deal import random_opening
from local_runner.openings.symmetry import canonical
from submission.alphabeta import Search, Thought
from submission.clock import Deadline
from submission.k_in_a_row.parameters import Parameters as KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.lines import BLACK, WHITE
from submission.reversi.parameters import Parameters as ReversiParameters
from submission.reversi.position import ReversiPosition
from submission.searchable import PROVED_WIN

NODES = 10000               # of the search that an opening is valued by,
GLANCE, LEEWAY = 1000, 2    # after a glance at so few nodes, which may see so many times the value
TABLE_ENTRIES = 200_000     # of the transposition table
QUICK, LEAST = range(700, 1500, 100), 3     # nodes of a move in each game of an opening; so many must either side win
MOST_PLIES = 100            # of a game, which then is drawn
SEED = "book"
BATCH = 64                  # openings tried at a time
DRAWN_PLIES = (1, 2)        # tic-tac-toe


@dataclass(frozen=True)
class Recipe:
    """How the books of a game are made: openings in each book, their plies in turn, the largest value, played out?"""

    openings: int
    plies: tuple[int, ...]
    near: int
    played: bool


RECIPES = {
    "gobang_1v1":       Recipe(250, (4, 5, 6, 7, 8), 120, True),
    "gomoku_11x11_1v1": Recipe(100, (4,), 120, True),
    "reversi_8x8_1v1":  Recipe(250, (8,), 32, False),
    "reversi_1v1":      Recipe(250, (10,), 32, False),
}
SOLVED = "tictactoe_1v1"
ALL = (*RECIPES, SOLVED)


def main(games: list[str]) -> None:
    """Write the two books of each game."""
    unknown = set(games).difference(ALL)
    if unknown:
        raise SystemExit(f"no books are made for {', '.join(sorted(unknown))}: give some of {', '.join(ALL)}, or none")
    for env in games or ALL:
        openings = list(drawn_openings() if env == SOLVED else track(
            balanced_openings(env, RECIPES[env]), env, 2 * RECIPES[env].openings, console=Console(stderr=True),
            disable=not sys.stderr.isatty()))
        for number, purpose in enumerate(Purpose):
            write(shipped(env, purpose), _title(env, purpose), openings[number::2])


def write(path: Path, title: str, openings: list[Opening]) -> None:
    """Write a file of openings, the title first."""
    path.parent.mkdir(exist_ok=True)
    write_whole(path, "\n".join([title, *map(spelt, openings)]) + "\n", "make room for it")
    print(f"{path.name}: {len(openings)} openings", flush=True)


def balanced_openings(env: str, recipe: Recipe) -> Iterator[Opening]:
    """As many openings as two books want, no two the same up to symmetry, each of them balanced."""
    setup = GameSetup(env)
    seen = set()
    with ProcessPoolExecutor() as pool:
        for start in itertools.count(0, BATCH):
            tried = pool.map(partial(balanced_opening, setup, recipe), range(start, start + BATCH))
            for opening in filter(None, tried):
                position = canonical(position_after(setup, opening))
                if position not in seen:
                    seen.add(position)
                    yield opening
                    if len(seen) == 2 * recipe.openings:
                        return


def balanced_opening(setup: GameSetup, recipe: Recipe, number: int) -> Opening | None:
    """The random opening of a number, if it is balanced."""
    opening = dealt(setup, recipe, f"{SEED} {number}", number)
    return opening if is_fit(setup, recipe, opening) else None


def dealt(setup: GameSetup, recipe: Recipe, seed: str, number: int) -> Opening:
    """A random opening of as many plies as one of that number has."""
    return random_opening(setup, recipe.plies[number % len(recipe.plies)], seed)


def is_fit(setup: GameSetup, recipe: Recipe, opening: Opening) -> bool:
    """Whether it is balanced, and shared where openings are played out."""
    return is_balanced(setup, opening, recipe.near) and (not recipe.played or is_shared(setup, opening))


def is_balanced(setup: GameSetup, opening: Opening, near: int) -> bool:
    """Whether neither a glance nor a search gives either side much."""
    return is_even(setup, opening, GLANCE, LEEWAY * near) and is_even(setup, opening, NODES, near)


def is_even(setup: GameSetup, opening: Opening, nodes: int, near: int) -> bool:
    """Whether the search gives neither side more than `near`; forced moves, which it does not value, are not quiet."""
    thought = valued(setup, opening, nodes)
    return thought.depth > 0 and abs(thought.value) <= near


def is_shared(setup: GameSetup, opening: Opening) -> bool:
    """Whether either side wins enough of the quick games; no more are played than that takes."""
    wins = [0.0, 0.0]
    for nodes in QUICK:
        score = played_out(setup, opening, nodes)
        wins[BLACK] += score
        wins[WHITE] += 1 - score
        if max(wins) > len(QUICK) - LEAST:
            return False
    return True


def played_out(setup: GameSetup, opening: Opening, nodes: int) -> float:
    """Play an opening to where the search sees the end: 1 where Black wins, 0 where White does, else one half."""
    position = _position(setup, opening)
    searches = Search(), Search()
    for _ in range(min(MOST_PLIES, position.plies_left())):
        thought = searches[position.side].think(position, Deadline(None, nodes))
        if abs(thought.value) >= PROVED_WIN:
            return float((thought.value > 0) == (position.side == BLACK))
        position.play(thought.move)
    return 0.5


def valued(setup: GameSetup, opening: Opening, nodes: int | None) -> Thought:
    """What a new search thinks of the position after an opening; no limit of nodes: to the end of the game."""
    return Search().think(_position(setup, opening), Deadline(None, nodes))


def _position(setup: GameSetup, opening: Opening) -> Any:
    """The position after an opening, as the search takes it."""
    env = position_after(setup, opening)
    stones, side = bytes(stone for row in env.stones() for stone in row), env.chess_player - 1
    if env.game_name == "reversi":
        parameters = ReversiParameters(table_entries=TABLE_ENTRIES)
        return ReversiPosition.from_stones(stones, env.board_width, side, parameters)
    position = KInARowPosition(env.board_height, env.board_width, env.setup.in_a_row,
                               KInARowParameters(table_entries=TABLE_ENTRIES))
    position.set_up(stones, side)
    return position


def drawn_openings() -> Iterator[Opening]:
    """All drawn positions of tic-tac-toe after one and two plies, one of each symmetry, in the order of the cells."""
    setup = GameSetup(SOLVED)
    seen = set()
    cells = setup.make().legal_moves()
    for plies in DRAWN_PLIES:
        for opening in itertools.permutations(cells, plies):
            position = canonical(position_after(setup, opening))
            if position not in seen and valued(setup, opening, None).value == 0:
                seen.add(position)
                yield opening


def _title(env: str, purpose: Purpose) -> str:
    use = {Purpose.TUNE: "tuning", Purpose.TEST: "testing what was tuned"}[purpose]
    return f"# {env}: openings for {use}; made by workshop/openings.py, which says how"


if __name__ == "__main__":
    main(sys.argv[1:])
