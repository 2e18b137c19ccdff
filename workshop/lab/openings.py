"""Makes local_runner/matches/openings/: for each game one book of openings for tuning and one for testing.

    python -m workshop.lab.openings [GAME ...]      takes an hour for all games; the same engine makes the same files

A random opening is taken if it is balanced by search and differs, up to symmetry, from all openings taken before. In k
in a row one of the two sides wins nearly every game from most balanced openings. So each side must also win LEAST of
the games of self-play from the opening. The two books get the openings alternately. Tic-tac-toe's two books together
hold all drawn positions after one or two plies.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

import typer

from env_adapter import Game
from local_runner.errors import RunnerError
from local_runner.game.coordinates import spelt
from local_runner.game.setup import GameSetup
from local_runner.matches.openings.books import Opening, Purpose, canonical, position_after, shipped
from local_runner.matches.openings.deal import random_opening
from local_runner.system.files import write_whole
from submission.boards import BLACK, WHITE, Variant
from submission.engine import PARAMETERS, engine_for
from submission.search.clock import Deadline
from submission.search.deepening import Search, Thought
from submission.search.searchable import PROVED_WIN
from workshop.command import run, with_progress

NODES = 10000  # nodes of the search that decides whether an opening is balanced
GLANCE = 1000  # nodes of a faster search, which comes first
LEEWAY = 2  # factor: the faster search accepts values up to LEEWAY times the largest value
TABLE_ENTRIES = 200_000  # entries of the transposition table
QUICK = range(700, 1500, 100)  # nodes per move: an opening is played out once for each number
LEAST = 3  # number of these games that each side must win
MOST_PLIES = 100  # plies after which such a game is drawn
SEED = "book"
BATCH = 64  # openings tried at a time
DRAWN_PLIES = (1, 2)  # lengths of the openings of tic-tac-toe


@dataclass(frozen=True)
class BookRecipe:
    """The recipe of the books of a game.

    openings: number in each book; plies: lengths of the openings, in turn
    max_value: largest absolute value by search, in units of the evaluator. In k in a row 120 is 0.2 logits, or a 55 %
        chance to win; in Reversi 32 is one disc
    played_out: whether an opening must also pass is_contested()
    """

    openings: int
    plies: tuple[int, ...]
    max_value: int
    played_out: bool


RECIPES = {
    "gobang_1v1": BookRecipe(250, (4, 5, 6, 7, 8), 120, True),
    "gomoku_11x11_1v1": BookRecipe(100, (4,), 120, True),
    "reversi_8x8_1v1": BookRecipe(250, (8,), 32, False),
    "reversi_1v1": BookRecipe(250, (10,), 32, False),
}
SOLVED = "tictactoe_1v1"
ALL = (*RECIPES, SOLVED)
USES = {Purpose.TUNE: "tuning", Purpose.TEST: "testing what was tuned"}


def main(games: Annotated[list[str] | None, typer.Argument(help="The games; default: all.")] = None) -> None:
    """Write the two books of each game."""
    if unknown := set(games or ()).difference(ALL):
        raise RunnerError(f"no books are made for {', '.join(sorted(unknown))}; give some of {', '.join(ALL)}, or none")
    for env in games or ALL:
        if env == SOLVED:
            openings = list(drawn_openings())
        else:
            recipe = RECIPES[env]
            openings = list(with_progress(balanced_openings(env, recipe), env, 2 * recipe.openings))
        for number, (purpose, use) in enumerate(USES.items()):
            path, book = shipped(env, purpose), openings[number::2]
            title = f"# {env}: openings for {use}; made by workshop/lab/openings.py, which says how"
            write_whole(path, "\n".join([title, *map(spelt, book)]) + "\n", "make room for it")
            print(f"{path.name}: {len(book)} openings", flush=True)


def balanced_openings(env: str, recipe: BookRecipe) -> Iterator[Opening]:
    """The openings of two books; no two are the same up to symmetry."""
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


def balanced_opening(setup: GameSetup, recipe: BookRecipe, number: int) -> Opening | None:
    """The random opening with this number, of the recipe's lengths in turn; None if it is not fit for a book."""
    opening = random_opening(setup, recipe.plies[number % len(recipe.plies)], f"{SEED} {number}")
    for nodes, most in ((GLANCE, LEEWAY * recipe.max_value), (NODES, recipe.max_value)):
        thought = search_opening(setup, opening, nodes)
        if not thought.depth or abs(thought.value) > most:  # depth 0: a forced reply, which has no value
            return None
    return opening if not recipe.played_out or is_contested(setup, opening) else None


def is_contested(setup: GameSetup, opening: Opening) -> bool:
    """Whether each side wins at least LEAST of the QUICK games. The games stop as soon as this is impossible."""
    wins = [0.0, 0.0]
    for nodes in QUICK:
        score = play_out(setup, opening, nodes)
        wins[BLACK] += score
        wins[WHITE] += 1 - score
        if max(wins) > len(QUICK) - LEAST:
            return False
    return True


def play_out(setup: GameSetup, opening: Opening, nodes: int) -> float:
    """Play an opening by self-play until a search sees a forced win: 1 if Black wins, 0 if White does, else 0.5."""
    position = position_for_search(setup, opening)
    searches = Search(), Search()
    for _ in range(min(MOST_PLIES, position.plies_left())):
        thought = searches[position.side].think(position, Deadline(None, nodes))
        if abs(thought.value) >= PROVED_WIN:
            return float((thought.value > 0) == (position.side == BLACK))
        position.play(thought.move)
    return 0.5


def search_opening(setup: GameSetup, opening: Opening, nodes: int | None) -> Thought:
    """The thought of a new search after an opening; `nodes` None: to the end of the game."""
    return Search().think(position_for_search(setup, opening), Deadline(None, nodes))


def position_for_search(setup: GameSetup, opening: Opening) -> Any:
    """The position after an opening: a KInARowPosition or a ReversiPosition."""
    game = position_after(setup, opening)
    parameters = replace(PARAMETERS[game.family], table_entries=TABLE_ENTRIES)
    return engine_for(variant_of(game), parameters).position(stones_of(game), game.chess_player - 1)


def variant_of(game: Game) -> Variant:
    """The engine's name of a game of the referee."""
    return Variant(game.family, game.board_height, game.board_width, game.setup.in_a_row or None)


def stones_of(game: Game) -> bytes:
    """The stones of a position, row by row."""
    return bytes(stone for row in game.stones() for stone in row)


def drawn_openings() -> Iterator[Opening]:
    """All drawn positions of tic-tac-toe after one and two plies, each once up to symmetry."""
    setup = GameSetup(SOLVED)
    seen = set()
    cells = setup.make().legal_moves()
    for plies in DRAWN_PLIES:
        for opening in itertools.permutations(cells, plies):
            position = canonical(position_after(setup, opening))
            if position not in seen and search_opening(setup, opening, None).value == 0:
                seen.add(position)
                yield opening


if __name__ == "__main__":
    run(main)
