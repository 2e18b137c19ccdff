"""The opponents' games under their searchers: with every switch the search finds minimax's value, in all five games."""

import itertools
import random

import pytest

from env_adapter import answer, make
from local_runner.agents.opponents import seed000
from local_runner.agents.opponents.clock import MoveClock
from local_runner.agents.opponents.games import PER_STONE, WIN, searched_game
from local_runner.agents.opponents.observed import Seen
from local_runner.agents.opponents.rules import KInARowRules, ReversiRules, rules_for
from local_runner.agents.opponents.searchers import AlphaBetaSearch, minimax, negamax
from tests.local_runner.agents import naive_reversi

ALL = ("gobang_1v1", "gomoku_11x11_1v1", "tictactoe_1v1", "reversi_8x8_1v1", "reversi_1v1")
SWITCHES = ("ordered", "history", "table", "deepening")


def games(env_name, number, seed, **size):
    """Unfinished games after some random moves: the referee's, and the searchers'."""
    rng = random.Random(f"{env_name} {seed}")
    while number:
        env = make(env_name, rules="stated", **size)
        for _ in range(rng.randrange(6 if env_name == "tictactoe_1v1" else 9)):
            if not env.is_terminal():
                cell = rng.choice(env.legal_moves() or [(0, 0)])
                env.step([answer(cell, env.board_height, env.board_width)] * 2)
        if env.is_terminal():
            continue
        number -= 1
        rules = rules_for(Seen(env.stones(), env.chess_player, env.turns_discs))
        yield env, searched_game(rules, rules.position(env.stones(), env.chess_player))


@pytest.mark.parametrize(
    "env_name", [pytest.param(env, marks=[pytest.mark.slow] if env == ALL[1] else []) for env in ALL]
)
def test_every_switch_finds_the_value_of_minimax(env_name):
    depth = 2 if env_name.startswith("go") else 3
    for _, game in games(env_name, 1 if env_name.startswith("go") else 2, seed=1):
        start = game.position
        plain = minimax(game, depth)
        assert negamax(game, depth) == plain
        for size in range(len(SWITCHES) + 1):
            for chosen in itertools.combinations(SWITCHES, size):
                found = AlphaBetaSearch(game, **dict.fromkeys(chosen, True)).run(depth)
                assert found.value == plain.value, chosen
                assert found.nodes < plain.nodes or plain.nodes < 50 or "deepening" in chosen
        assert game.position == start and len(game.path) == 1


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


@pytest.mark.parametrize("env_name", ["reversi_8x8_1v1"])
def test_reversi_is_worth_what_report_000_says(env_name):
    """The evaluation of seed000, which is tested against the report, in unfinished games."""
    for _, game in games(env_name, 10, seed=4):
        judge = seed000.Seed000Search(ReversiRules(8), 6, False, MoveClock(None))
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
