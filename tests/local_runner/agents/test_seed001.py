"""seed001 on a board of its report; its corners, its processes and its clock. test_opponents.py has its whole games."""

import itertools
import multiprocessing
import time

import pytest

from local_runner.agents.opponents import clock, seed001
from local_runner.agents.opponents.seed001_search import Seed001Options
from local_runner.processes.portable.mo_board import MoBoard
from tests.local_runner.agents.naive_reversi import drawn, legal, positions

UNLIMITED = {"seconds": None, "game_seconds": None}

# The end of a game that it won in the report.
WON = "OOOOOOOO OOOOOOOO OOOOOOOO OOOOOOXO OOOOOOOO OOOOOOOO OOOOOOOO OOOOOOOO"
# The start of a game in the report.
GIVEN_START = "..XXXX.. ..XXXX.. XXXXXXXX XXXXXXXX XXXOXXXX XXX.XXXX ...OOO.. .....O.."


def name_of(cell):
    return "ABCDEFGH"[cell[1]] + str(cell[0] + 1)


def test_a_game_from_a_given_board():
    board = MoBoard([list(row) for row in GIVEN_START.split()])
    for color, player in (("X", 1), ("O", 2)):
        assert list(board.get_legal_actions(color)) == [name_of(cell) for cell in legal(drawn(GIVEN_START), player)]
    ours = {"X": seed001.AIPlayer("X", depth=3), "O": seed001.AIPlayer("O", depth=3)}
    color, passes = "X", 0
    while passes < 2:
        move = ours[color].get_move(board)
        legal_now = list(board.get_legal_actions(color))
        assert move in legal_now or (move is None and not legal_now)
        passes = 0 if move else passes + 1
        if move:
            before = [row[:] for row in board._board]
            flipped = board._move(move, color)
            board.backpropagation(move, flipped, color)
            assert board._board == before
            board._move(move, color)
        color = "O" if color == "X" else "X"
    assert board.count("X") + board.count("O") > 50
    assert seed001.AIPlayer("O").get_move(MoBoard([list(row) for row in WON.split()])) is None


def chooser(**switches):
    return seed001.Player(8, Seed001Options(**{**UNLIMITED, **switches}).checked())


CORNERS = "A1", "A8", "H1", "H8"
AT_CORNERS = ".OX..XO. ........ ........ ...OX... ...XO... ........ ........ .OX..XO."


def test_corners_are_taken_at_once_in_the_reports_order():
    board = MoBoard([list(row) for row in AT_CORNERS.split()])
    for corner in CORNERS:
        assert seed001.AIPlayer("X").get_move(board) == corner
        board._move(corner, "X")


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{"cores": 2, "seconds": 60}, {"cores": 3, "bad_moves": True}, {"cores": 64}], ids=str
)
def test_cores_find_the_same_move_and_leave_no_process(options):
    for stones, player in positions(8, 2, seed=9):
        alone = chooser(depth=3, corners=False, history=False, bad_moves=options.get("bad_moves", False))
        shared = chooser(depth=3, corners=False, **options)
        assert shared.choose(stones, player) == alone.choose(stones, player)
        assert multiprocessing.active_children() == []


def test_cores_keep_the_limit_and_leave_no_process():
    start = drawn("........ ........ ........ ...OX... ...XO... ........ ........ ........")
    begun = time.perf_counter()
    assert chooser(cores=2, depth=30, seconds=0.3).choose(start, 1) in legal(start, 1)
    assert time.perf_counter() - begun < 60
    assert chooser(cores=2, seconds=0).choose(start, 1) in legal(start, 1)
    assert multiprocessing.active_children() == []


def test_a_game_has_a_minute():
    player = chooser(game_seconds=60)
    player.discs = 4
    assert player._seconds() == 2
    player.spent, player.discs = 45, 44
    assert player._seconds() == 1.5
    player.spent = 61
    assert player._seconds() == 0
    assert (chooser(game_seconds=60, seconds=0.5)._seconds(), chooser()._seconds()) == (0.5, None)


def test_the_time_of_a_move_is_taken_from_the_games(monkeypatch):
    looks = itertools.count()
    monkeypatch.setattr(clock, "perf_counter", lambda: next(looks) * 0.001)
    start = drawn("........ ........ ........ ...OX... ...XO... ........ ........ ........")
    player = chooser(game_seconds=6, depth=30)
    player.choose(start, 1)
    assert player.spent == pytest.approx(6 / 30, abs=0.01)


def test_early_moves_at_random_are_good_ones():
    stones = drawn("........ ........ ........ ...OX... ...XO... ........ ........ ........")
    assert {chooser(vanishing="random", seed=seed).choose(stones, 1) for seed in range(60)} == set(legal(stones, 1))
    stones = drawn("........ ........ ..O..... ...OX... ...XX... ........ ........ ........")
    chosen = {chooser(vanishing="random", seed=seed).choose(stones, 1) for seed in range(60)}
    assert set(legal(stones, 1)) - chosen == {(1, 1)}
