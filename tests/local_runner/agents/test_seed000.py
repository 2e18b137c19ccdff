"""seed000 against the moves printed in its report; its depths and its annealing. test_opponents.py has whole games."""

import random

import pytest

from local_runner.agents.opponents import seed000
from local_runner.agents.opponents.rules import ReversiRules
from tests.local_runner.agents.naive_reversi import after, drawn, legal

WHITE = 2  # the report's player

# White's moves in the printed game: the board, the printed move, and the move of the search that the report prints.
PRINTED = [
    ("........ ...X.... .OOX.... ...XO... ...OX... ........ ........ ........", (0, 3), (0, 3)),
    ("...O.... .X.O.... .OXO.... ...XO... ...OX... ........ ........ ........", (0, 1), (3, 2)),  # gives a corner away
    (".O.O.... .O.O.... .OXXX... ...XX... ...OX... ........ ........ ........", (2, 5), (2, 5)),
    (".O.O.... .O.O.... .OOOOO.. ...XXX.. ...OX... ........ ........ ........", (4, 2), (5, 4)),
    (".O.O.... .O.O.... .OOOOO.. ...OXX.. ..OOX... ........ ........ ........", (3, 6), (4, 5)),
    (".O.O.... .O.O.... .OOOOO.. ...OOOO. ..OOX... ........ ........ ........", (4, 5), (5, 5)),
]  # fmt: skip


def test_its_own_choices_in_the_printed_game():
    """The printed moves are legal; the search that is printed plays some others."""
    player = seed000.Player(seconds=None)
    for board, printed, chosen in PRINTED:
        assert printed in legal(drawn(board), WHITE)
        assert player.choose(drawn(board), WHITE) == chosen


@pytest.mark.parametrize(
    ("size", "discs", "depth"), [(8, 9, 5), (8, 10, 4), (8, 48, 4), (8, 49, 6), (10, 9, 5), (10, 84, 4), (10, 85, 6)]
)
def test_how_deep(size, discs, depth):
    rules = ReversiRules(size)
    stones = [[int(r * size + c < discs) for c in range(size)] for r in range(size)]
    assert seed000.depth_for(rules, rules.position(stones, 1)) == depth


@pytest.mark.parametrize("options", [{}, {"depth": 2}, {"variant": "annealing", "seed": 1}, {"stability": True}])
def test_it_passes_only_where_it_must(options):
    player = seed000.Player(seconds=0.05, **options)
    assert player.choose(drawn("XXO. X... X... X..."), 2) is None
    assert player.choose(drawn("XXO. X... X... X..."), 1) == (0, 3)


def test_a_corner_is_taken_at_once():
    board = drawn(".XOO.... ........ ........ ...OX... ...XO... ........ ........ .XXO....")
    assert seed000.Player().choose(board, 2) == (0, 0)
    assert seed000.Player(depth=1).choose(after(drawn(PRINTED[1][0]), WHITE, (0, 1)), 1) == (0, 0)


@pytest.mark.parametrize(
    ("gain", "temperature", "share"), [(900, 0.1, 1), (0, 1, 1), (-1, 1, 0.37), (-2, 1, 0.14), (-1, 0.1, 0)]
)
def test_annealing_takes_worse_moves_the_rarer_the_worse_and_the_colder(gain, temperature, share):
    rng = random.Random(1)
    accepted = sum(seed000.accepts(gain, temperature, rng) for _ in range(4000)) / 4000
    assert accepted == pytest.approx(share, abs=0.03)


def test_without_time_any_legal_move_is_played():
    board = drawn(PRINTED[0][0])
    assert seed000.Player(seconds=0).choose(board, WHITE) in legal(board, WHITE)
