"""The opponents' games under their searchers: their evaluations, and Reversi to the end."""

import itertools
import random

import pytest

from local_runner.agents.opponents import seed000
from local_runner.agents.opponents.clock import MoveClock
from local_runner.agents.opponents.games import PER_STONE, WIN, searched_game
from local_runner.agents.opponents.rules import KInARowRules, ReversiRules
from local_runner.agents.opponents.searchers import AlphaBetaSearch
from tests.local_runner.agents import naive_reversi


@pytest.mark.parametrize("size", [4, 6])
def test_reversi_to_the_end_with_passes(size):
    """From late positions, the search finds the disc difference after best play."""
    passes = 0
    for stones, player in naive_reversi.positions(size, 60, seed=size):
        free = sum(row.count(0) for row in stones)
        if free > 7:
            continue
        rules = ReversiRules(size)
        game = searched_game(rules, rules.position(stones, player))
        value = AlphaBetaSearch(game, ordered=True, table=True).run(2 * free + 2).value
        best = naive_reversi.exact(stones, player)
        assert value == (best + (WIN if best > 0 else -WIN if best else 0))
        passes += len(naive_reversi.legal(stones, 3 - player)) == 0
    assert passes


def test_reversi_is_worth_what_report_000_says():
    """The evaluation of seed000, which is tested against the report, in unfinished games."""
    rules = ReversiRules(8)
    judge = seed000.Seed000Search(rules, 6, False, MoveClock(None))
    for stones, player in naive_reversi.positions(8, 10, seed=4):
        game = searched_game(rules, rules.position(stones, player))
        assert game.evaluate() == judge.evaluate(game.position.own, game.position.other)


@pytest.mark.parametrize("shape", [(15, 15, 5), (11, 11, 5), (3, 3, 3), (4, 7, 4)])
def test_k_in_a_row_is_worth_its_open_windows(shape):
    height, width, length = shape
    rng = random.Random(7)
    rules = KInARowRules(height, width, length)
    for number in range(15):
        cells = rng.sample(list(itertools.product(range(height), range(width))), min(2 * number, 8))
        stones = [[0] * width for _ in range(height)]
        for n, (row, col) in enumerate(cells):
            stones[row][col] = 1 + n % 2
        game = searched_game(rules, rules.position(stones, 1))
        if not rules.has_k_in_a_row(game.position.own) and not game.is_over():
            assert game.evaluate() == naive_worth(stones, length, 1) - naive_worth(stones, length, 2)


def naive_worth(stones, length, colour):
    """The same sum, counted cell by cell."""
    height, width, total = len(stones), len(stones[0]), 0
    for row, col, (down, right) in itertools.product(range(height), range(width), ((0, 1), (1, 0), (1, 1), (1, -1))):
        run = [(row + i * down, col + i * right) for i in range(length)]
        if all(0 <= r < height and 0 <= c < width for r, c in run):
            found = [stones[r][c] for r, c in run]
            total += PER_STONE ** found.count(colour) if 3 - colour not in found else 0
    return total


@pytest.mark.parametrize(("rows", "player", "value"), [("XXX OO. ...", 2, -WIN), ("XOX XOO OXX", 1, 0)])
def test_the_end_of_a_game_of_k_in_a_row(rows, player, value):
    rules = KInARowRules(3, 3, 3)
    game = searched_game(rules, rules.position(naive_reversi.drawn(rows), player))
    assert game.is_over() and game.evaluate() == value
