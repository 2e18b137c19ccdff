"""Makes local_runner/data/openings/, the books that come with the package: one for tuning and one for testing a game.

    python -m workshop.openings [GAME ...]      the same files every time; 11 minutes for all games on one core

Random openings of one length, of which those are kept that our search, at a fixed number of nodes, values near zero,
and that lead to no position seen before, the board turned and mirrored; kept ones go to the two books in turn. What is
near is in the units of the evaluation:

    in a row  120   a fifth of a logit, 55 % to win; what having the move is worth. A forced win would be far beyond
    Reversi    18   two legal moves more than the other side; a corner is 120

Near zero is what the search says, not what games do. When it played against itself from openings of the tuning books,
Black won, drew and lost 60, 2, 38 in gobang at 1000 nodes a move and 34, 0, 26 in Reversi 8x8 at 300. So only pairs
with the colours swapped are fair. Tic-tac-toe has no openings at random: its books share out all drawn positions of one
and two plies.
"""
from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from local_runner.openings.books import Opening, Purpose, position_after, shipped, spelt
from local_runner.openings.deal import random_opening
from local_runner.openings.symmetry import canonical
from local_runner.play import GameSetup
from submission.alphabeta import Search, Thought
from submission.clock import Deadline
from submission.gomoku.position import Position as LinePosition
from submission.reversi.position import Position as ReversiPosition

NODES = 10000               # of the search that an opening is valued by,
GLANCE, LEEWAY = 1000, 2    # after a glance at so few nodes, which may see so many times the value
SEED = "book"
DRAWN_PLIES = (1, 2)        # tic-tac-toe


@dataclass(frozen=True)
class Recipe:
    """How the books of a game are made: openings in each book, plies in each opening, the largest value in size."""

    openings: int
    plies: int
    near: int


RECIPES = {
    "gobang_1v1":       Recipe(250,  5, 120),
    "gomoku_11x11_1v1": Recipe(100,  4, 120),
    "reversi_8x8_1v1":  Recipe(250,  8, 18),
    "reversi_1v1":      Recipe(250, 10, 18),
}
SOLVED = "tictactoe_1v1"


def main(games: list[str]) -> None:
    """Write the two books of each game."""
    for env in games or [*RECIPES, SOLVED]:
        openings = list(drawn_openings() if env == SOLVED else balanced_openings(env, RECIPES[env]))
        for number, purpose in enumerate(Purpose):
            path = shipped(env, purpose)
            path.parent.mkdir(exist_ok=True)
            lines = [_title(env, purpose), *map(spelt, openings[number::2])]
            path.write_text("\n".join(lines) + "\n", encoding="ascii")
            print(f"{path.name}: {len(lines) - 1} openings", flush=True)


def balanced_openings(env: str, recipe: Recipe) -> Iterator[Opening]:
    """As many openings as two books want, no two the same up to symmetry, each valued near zero."""
    setup = GameSetup(env)
    seen = set()
    for number in itertools.count():
        opening = random_opening(setup, recipe.plies, f"{SEED} {number}")
        position = canonical(position_after(setup, opening))
        if position not in seen and is_balanced(setup, opening, recipe.near):
            seen.add(position)
            yield opening
        if len(seen) == 2 * recipe.openings:
            return


def is_balanced(setup: GameSetup, opening: Opening, near: int) -> bool:
    """Whether the search gives neither side more than `near`; forced moves, which it does not value, are not quiet."""
    for nodes, most in ((GLANCE, LEEWAY * near), (NODES, near)):
        thought = valued(setup, opening, nodes)
        if not thought.depth or abs(thought.value) > most:
            return False
    return True


def valued(setup: GameSetup, opening: Opening, nodes: int | None) -> Thought:
    """What a new search thinks of the position after an opening; no limit of nodes: to the end of the game."""
    env = position_after(setup, opening)
    stones, side = bytes(stone for row in env.stones() for stone in row), env.chess_player - 1
    position: Any
    if env.game_name == "reversi":
        position = ReversiPosition.from_stones(stones, env.board_width, side)
    else:
        position = LinePosition(env.board_height, env.board_width, env.setup.in_a_row)
        position.set_up(stones, side)
    return Search().think(position, Deadline(None, nodes))


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
