"""Openings: legal, repeatable, near the centre, without an immediate win, and dealt to the pairs of a match."""

import pytest

from env_adapter import kind_of, make, names
from local_runner.errors import RunnerError
from local_runner.game.setup import GameSetup
from local_runner.matches.openings import deal
from local_runner.matches.openings.books import Purpose, book
from local_runner.matches.openings.deal import (
    NEAR_CENTRE,
    NEAR_STONE,
    book_for,
    dealt,
    random_opening,
)


@pytest.mark.parametrize("env", names())
@pytest.mark.parametrize("plies", [None, 0, 1, 3])
def test_openings_can_be_played(env, plies):
    for seed in range(3):
        opening = random_opening(GameSetup(env), plies, seed)
        game = make(env, rules="stated", opening=opening)  # raises for an illegal move
        assert len(opening) == (kind_of(env).opening_plies if plies is None else plies)
        assert game.legal_moves() and not game.is_over()


@pytest.mark.parametrize(("env", "middle"), [("gobang_1v1", 7), ("gomoku_11x11_1v1", 5)])
def test_k_in_a_row_opens_near_the_centre_and_near_other_stones(env, middle):
    openings = [random_opening(GameSetup(env), 3, seed) for seed in range(8)]
    assert max(abs(at - middle) for opening in openings for cell in opening for at in cell) == NEAR_CENTRE
    if env == "gobang_1v1":  # the other game begins with stones
        for opening in openings:
            for number, (row, col) in enumerate(opening[1:], start=1):
                assert min(max(abs(row - r), abs(col - c)) for r, c in opening[:number]) <= NEAR_STONE


def test_the_side_to_move_cannot_win_at_once():
    """After four random plies of tic-tac-toe, Black often has two stones in an open row; such openings are skipped."""
    for seed in range(20):
        opening = random_opening(GameSetup("tictactoe_1v1"), 4, seed)
        for cell in make("tictactoe_1v1", opening=opening).legal_moves():
            make("tictactoe_1v1", opening=(*opening, cell))  # raises OpeningError if it wins


@pytest.mark.parametrize("plies", [9, 500])
def test_openings_that_leave_no_game_are_refused(plies):
    with pytest.raises(RunnerError, match="fewer --opening-plies"):
        random_opening(GameSetup("tictactoe_1v1"), plies, 0)


# ---- dealt to the pairs of a match

FIVE = "h8\nh8i9\nh8i8\nh8j8\nh8j9\n"
GOBANG = GameSetup("gobang_1v1")


@pytest.fixture
def five(tmp_path):
    path = tmp_path / "five.pos"
    path.write_text(FIVE)
    return str(path)


def test_a_book_is_dealt_whole_before_it_is_dealt_again_in_the_same_order(five):
    openings = book_for(five, GOBANG)
    found = [dealt(openings, GOBANG, number) for number in range(1, 13)]
    assert len(set(found[:5])) == 5
    assert found == (found[:5] * 3)[:12]


@pytest.mark.slow
def test_another_seed_deals_in_another_order(five):
    orders = {book_for(five, GameSetup("gobang_1v1", seed=seed)) for seed in range(20)}
    assert len(orders) > 10
    assert len(set(map(frozenset, orders))) == 1


@pytest.mark.parametrize("purpose", Purpose)
def test_a_shipped_book_is_dealt_by_its_purpose(purpose):
    assert sorted(book_for(purpose.value, GameSetup("tictactoe_1v1"))) == sorted(book("tictactoe_1v1", purpose))


@pytest.mark.parametrize(("env", "size", "there"), [
    ("gobang_1v1", None, True),
    ("gobang_1v1", 15, True),
    ("gobang_1v1", 13, False),  # a book is for the usual board of the game
    ("reversi_1v1", 8, False),
])  # fmt: skip
def test_the_default_is_the_test_book_or_random_openings(env, size, there, monkeypatch):
    monkeypatch.setattr(deal, "book", lambda env, purpose: [purpose])  # reading a whole book takes long
    setup = GameSetup(env, board_size=size)
    assert book_for(None, setup) == ((Purpose.TEST,) if there else ())


def test_a_book_is_for_the_games_own_board_only():
    sentence = "^no book of openings comes with gobang_1v1 on this board; give --openings random$"
    with pytest.raises(RunnerError, match=sentence):
        book_for("tune", GameSetup("gobang_1v1", board_size=13))
