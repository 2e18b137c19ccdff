"""The opponents' rules in lockstep with the referee, their clock, and their weights cell by cell."""

import random
from itertools import product

import pytest

from env_adapter import answer, make
from local_runner.agents.opponents import seed000
from local_runner.agents.opponents.clock import MoveClock, MoveTimeUp, deepen
from local_runner.agents.opponents.disc_weights import DiscWeights
from local_runner.agents.opponents.observed import Seen
from local_runner.agents.opponents.rules import DRAW, PASS, KInARowRules, ReversiRules, bits, rules_for
from tests.local_runner.agents import naive_reversi

DRAWN_BY_REFEREE = 3


def stones_of(rules, position):
    stones = [[0] * rules.width for _ in range(rules.height)]
    for mask, colour in ((position.own, position.player), (position.other, 3 - position.player)):
        for bit in bits(mask):
            row, col = rules.cell(bit)
            stones[row][col] = colour
    return stones


def referees_winner(env):
    winner = env.outcome().winner
    return DRAW if winner == DRAWN_BY_REFEREE else winner


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_reversi_as_the_referee_plays_it(size):
    rng = random.Random(size)
    passes = 0
    for _ in range(8 if size < 10 else 2):
        env = make("reversi_1v1", rules="stated", board_size=size)
        rules = ReversiRules(size)
        position = rules.position(env.stones(), 1)
        while not env.is_terminal():
            assert rules.winner(position) is None or not env.legal_moves()
            expected = [rules.bit(cell) for cell in env.legal_moves()] or [PASS]
            assert rules.moves(position) == expected
            cell = naive_reversi.play(env, rng)
            position = rules.play(position, rules.bit(cell) if cell else PASS)
            passes += not cell
            assert stones_of(rules, position) == env.stones()
        assert rules.winner(position) == referees_winner(env)
    assert passes > 0


@pytest.mark.parametrize(
    ("height", "width", "length"), [(15, 15, 5), (11, 11, 5), (3, 3, 3), (4, 7, 4), (7, 4, 3), (6, 6, 6)]
)
def test_k_in_a_row_as_the_referee_plays_them(height, width, length):
    rng = random.Random(height * width)
    ends = set()
    for _ in range(3 if height > 9 else 10):
        env = make("gobang_1v1", rules="stated", board_height=height, board_width=width, in_a_row=length)
        rules = KInARowRules(height, width, length)
        position = rules.position(env.stones(), 1)
        while not env.is_terminal():
            assert rules.winner(position) is None
            assert [rules.cell(move) for move in rules.moves(position)] == env.legal_moves()
            cell = rng.choice(env.legal_moves())
            env.step([answer(cell, height, width)] * 2)
            position = rules.play(position, rules.bit(cell))
        assert rules.winner(position) == referees_winner(env)
        assert stones_of(rules, position) == env.stones()
        ends.add(rules.winner(position))
    assert {1, 2} <= ends or length == 6


def test_near_are_the_cells_two_away_from_a_stone():
    rng = random.Random(1)
    for height, width in ((15, 15), (6, 9), (3, 3)):
        rules = KInARowRules(height, width, 3)
        cells = list(product(range(height), range(width)))
        for number in (1, 2, 5):
            taken = rng.sample(cells, number)
            stones = [[int((r, c) in taken) for c in range(width)] for r in range(height)]
            expected = [
                (r, c) for r, c in cells if not stones[r][c] and any(max(abs(r - i), abs(c - j)) <= 2 for i, j in taken)
            ]
            assert [rules.cell(bit) for bit in rules.near(rules.position(stones, 1))] == expected
        empty = rules.position([[0] * width for _ in range(height)], 1)
        assert [rules.cell(bit) for bit in rules.near(empty)] == [(height // 2, width // 2)]
    rules = KInARowRules(2, 9, 2)
    assert rules.near(rules.position([[1] * 3 + [2] * 2 + [1] + [0] * 3, [2] * 8 + [0]], 1))[-1] == rules.bit((1, 8))


@pytest.mark.parametrize(
    ("rules", "rows"),
    [
        (ReversiRules(4), "OOOX XXOX XOOX X.O."),
        (ReversiRules(4), "XXXX XOOX XXOX O..."),
        (ReversiRules(4), "XXOX OOXO .XX. OOO."),
        (KInARowRules(3, 3, 3), "XOX .O. .X."),
        (KInARowRules(3, 3, 3), "X.O .X. ..O"),
    ],
)
@pytest.mark.parametrize("player", [1, 2])
def test_a_game_to_the_end_may_end_in_every_way_that_there_is(rules, rows, player):
    position = rules.position(naive_reversi.drawn(rows), player)

    def ends(position):
        winner = rules.winner(position)
        return (
            {winner}
            if winner is not None
            else {end for move in rules.moves(position) for end in ends(rules.play(position, move))}
        )

    rng = random.Random(0)
    assert {rules.finish(position, rng) for _ in range(300)} == ends(position)


def test_which_rules_a_board_is_played_by():
    def sides(height, width, reversi):
        return rules_for(Seen([[0] * width for _ in range(height)], 1, reversi))

    assert isinstance(sides(10, 10, True), ReversiRules) and sides(10, 10, True).width == 10
    ks = [sides(*size, False).k for size in ((15, 15), (11, 11), (3, 3), (4, 9))]
    assert ks == [5, 5, 3, 4]


SEED000_10X10_QUARTER = """
    500 -25 10 5 5    -25 -45 1 1 1    10 1 3 2 2    5 1 2 1 1    5 1 2 1 1"""


def test_weights_on_another_board():
    rules = ReversiRules(10)
    weights = DiscWeights(rules, seed000.QUARTER)
    quarter = list(map(int, SEED000_10X10_QUARTER.split()))
    for row, col in product(range(10), repeat=2):
        nearest = quarter[min(row, 9 - row) * 5 + min(col, 9 - col)]
        assert weights.total(rules.bit((row, col))) == nearest
    smallest = DiscWeights(ReversiRules(4), seed000.QUARTER)
    assert smallest.total(ReversiRules(4).cells) == 4 * (500 - 25 - 25 - 45)


def test_a_clock_runs_out_and_deepening_keeps_what_was_finished():
    def search(depth):
        if depth == 4:
            raise MoveTimeUp
        return depth * 10

    assert deepen(search, MoveClock(9).depths(3)) == [10, 20, 30]
    assert deepen(search, MoveClock(9).depths(6)) == [10, 20, 30]
    assert deepen(search, MoveClock(None).depths(3)) == [30]
    assert deepen(search, MoveClock(None).depths(4)) == []
    MoveClock(None).check()
    MoveClock(60).check()
    with pytest.raises(MoveTimeUp):
        MoveClock(0).check()
