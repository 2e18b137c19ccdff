"""Openings: legal, repeatable, near the centre, and nobody has won by them."""

import pytest

from env_adapter import make, names
from local_runner.errors import RunnerError
from local_runner.openings import NEAR_CENTRE, NEAR_STONE, random_opening
from local_runner.play import GameSetup


@pytest.mark.parametrize("env", names())
@pytest.mark.parametrize("plies", [None, 0, 1, 3])
def test_openings_can_be_played(env, plies):
    for seed in range(5):
        opening = random_opening(GameSetup(env), plies, seed)
        assert len(opening) == plies or plies is None
        game = make(env, rules="stated", opening=opening)  # raises for an illegal move
        assert game.legal_moves() and not game.is_over()


def test_the_same_seed_gives_the_same_opening():
    def opening(seed):
        return random_opening(GameSetup("gobang_1v1"), 4, seed)

    assert [opening(seed) for seed in range(10)] == [opening(seed) for seed in range(10)]
    assert len({opening(seed) for seed in range(10)}) == 10


@pytest.mark.parametrize(("env", "middle"), [("gobang_1v1", 7), ("gomoku_11x11_1v1", 5)])
def test_line_games_open_near_the_centre(env, middle):
    cells = [cell for seed in range(12) for cell in random_opening(GameSetup(env), 4, seed)]
    assert max(abs(at - middle) for cell in cells for at in cell) == NEAR_CENTRE


def test_no_stone_of_a_line_game_lies_far_from_the_others():
    for seed in range(12):
        opening = random_opening(GameSetup("gobang_1v1"), 5, seed)
        for number, (row, col) in enumerate(opening[1:], start=1):
            assert min(max(abs(row - r), abs(col - c)) for r, c in opening[:number]) <= NEAR_STONE


def test_the_side_to_move_cannot_win_at_once():
    """Four plies of tic-tac-toe often leave two of Black's in an open row; none of these does."""
    for seed in range(40):
        opening = random_opening(GameSetup("tictactoe_1v1"), 4, seed)
        for cell in make("tictactoe_1v1", opening=opening).legal_moves():
            make("tictactoe_1v1", opening=(*opening, cell))  # OpeningError where that wins


@pytest.mark.parametrize("plies", [9, 10, 500])
def test_openings_that_leave_no_game_are_refused(plies):
    with pytest.raises(RunnerError, match="fewer --opening-plies"):
        random_opening(GameSetup("tictactoe_1v1"), plies, 0)
