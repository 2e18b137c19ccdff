"""What a line position is judged to be: decided or open, and which cells it offers. X is to move unless it is said."""

from __future__ import annotations

import random

import pytest

from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.lines import BLACK, WHITE, cells_of
from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.searchable import PROVED_WIN, WIN

from .boards import completes, draw, padded
from .tactics import STOP

WIDTHS = (KInARowParameters().root_candidates, *KInARowParameters().candidates)  # by depth; 0: the root

# name -> outcome, drawing. The cells marked * are exactly those offered.
JUDGED = {
    "five to make": (
        WIN - 1,
        """
        . . . . . .
        * X X X X O
        . O O O O .""",
    ),
    "five to make, closed in": (
        WIN - 1,
        """
        O X X * X X O
        . . O . O . .""",
    ),
    "six wins, too": (
        WIN - 1,
        """
        O X X X * X X O""",
    ),
    "five to stop": (
        None,
        """
        . . . . . .
        X O O O O *
        . X X . X .""",
    ),
    "two fives to stop": (
        2 - WIN,
        """
        . * O O O O * .
        . . X X . X . .""",
    ),
    "open four to make": (
        WIN - 3,
        """
        . . . . . . .
        . * X X X * .
        . . O O O . .
        . . . . . . .""",
    ),
    "fours crossing": (
        WIN - 3,
        """
        . . . O . . . .
        . . . X . . . .
        . . . X . . . .
        . . . X . . . .
        O X X * X . . .
        . . . . . . O .""",
    ),
    "four and open three with one stone": (
        WIN - 5,
        """
        . . . . . . . .
        . . . X . . . .
        . . . X . . . .
        O X X * X . . .
        . . . . . . . .
        . O . . . O O .""",
    ),
    "two open threes with one stone": (
        WIN - 5,
        """
        . . . . . . . .
        . . . X . . . .
        . . . X . . . .
        . X X * . . . .
        . . . . . . . .
        . . O . O . . .
        . . . . . O . .""",
    ),
    "two open threes to stop": (
        4 - WIN,
        """
        . . . . . . . . .
        . * O O O * . . .
        . . . . . . . * .
        . X . X . . . O .
        . . . . . . . O .
        . . . . . . . O .
        . . . . . . . * .""",
    ),
    "two open threes to stop, in one row": (
        4 - WIN,
        """
        . . . . . . . . . . . . . . .
        . O O O * . X . * O O O * . .
        . . . . X . . . X . . . . . .""",
    ),
    "open three to stop": (
        None,
        """
        . . . . . . . .
        . . * O O O * .
        . . . . . . . .
        . . X . X . . .""",
    ),
    "open three to stop, with a four of one's own to throw in": (
        None,
        """
        . . . . . . . .
        . . * O O O * .
        . . . . . . . .
        O X X X * * . .""",
    ),
}


@pytest.mark.parametrize("name", JUDGED)
def test_judgement(name: str) -> None:
    outcome, drawing = JUDGED[name]
    drawn = padded(draw(drawing))
    position = KInARowPosition(15, 15, 5)
    position.set_up(drawn.stones, BLACK)
    assert position.outcome() == outcome
    assert set(position.moves()) == drawn.marked


@pytest.mark.parametrize("name", JUDGED)
def test_judgement_is_the_same_for_the_other_colour(name: str) -> None:
    outcome, drawing = JUDGED[name]
    drawn = padded(draw(drawing.translate(str.maketrans("XO", "OX"))))
    position = KInARowPosition(15, 15, 5)
    position.set_up(drawn.stones, WHITE)
    assert position.outcome() == outcome
    assert set(position.moves()) == drawn.marked


def test_quiet_position_offers_the_neighbourhood() -> None:
    position = KInARowPosition(15, 15, 5)
    assert position.moves() == [112]
    position.play(112)
    position.play(97)
    near = cells_of(position.near() & ~position.occupied)
    assert len(near) < WIDTHS[0]
    assert set(position.moves()) >= set(near)
    assert not position.occupied & sum(1 << cell for cell in position.moves())
    assert len(set(position.moves())) == len(position.moves()) <= WIDTHS[0]
    assert position.outcome() is None
    assert not position.forced()
    for far in (48, 176):
        position.play(far)
    assert len(position.moves()) == WIDTHS[0]


LOST = "two fours in a row"  # there are cells that stop the fours, but none that stops the threes as well


@pytest.mark.parametrize("name", STOP)
def test_moves_that_stop_the_other_sides_win_come_first_at_the_root(name: str) -> None:
    """Given nodes enough to see all that loses."""
    drawn = draw(STOP[name].drawing)
    position = KInARowPosition(drawn.rows, drawn.cols, 5, KInARowParameters(hold_nodes=20000))
    position.set_up(drawn.stones, BLACK)
    assert position.threats.opponent_vct(1000).line
    moves = position.root_moves(position.moves(), Deadline(None))
    assert sorted(moves) == sorted(position.moves())
    stopping = set() if name == LOST else set(moves) & drawn.marked
    assert set(moves[: len(stopping)]) == stopping
    assert moves[len(stopping) :] == [move for move in position.moves() if move not in stopping]


def test_a_loss_is_not_believed_before_the_cells_of_the_threat_have_been_tried() -> None:
    """White threatens to win by fours. Of the 15 cells of the highest scores and the fours, none holds."""
    drawn = draw("""
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . X . . . . . . . .
        . . . X . O . . . . . . . . .
        . . . . O X . . . . O . . . .
        . . . O X O X . X X . . . . .
        . . . O X O O O X . . . . . .
        . . . X O X . X . . . . . . .
        . . . O X O . . . . . . . . .
        . . . . * O X . . . . . . . .
        . . . . . O . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .""")
    position = KInARowPosition(15, 15, 5)
    position.set_up(drawn.stones, BLACK)
    moves = position.moves(WIDTHS.index(15))
    defences = position.defences(moves, Deadline(None))
    assert drawn.marked <= set(defences)
    assert not set(defences) & set(moves)
    assert position.defences(moves + defences, Deadline(None)) == []
    assert Search().think(position, Deadline(None), 7).value > -PROVED_WIN


@pytest.mark.parametrize("name", sorted(set(STOP) - {LOST}))
def test_where_something_must_be_answered_all_that_may_help_is_looked_at(name: str) -> None:
    drawn = draw(STOP[name].drawing)
    position = KInARowPosition(drawn.rows, drawn.cols, 5)
    position.set_up(drawn.stones, BLACK)
    assert not position.quiet()
    assert position.defences([], Deadline(None)) == []


def test_full_board_is_a_draw_without_moves() -> None:
    drawn = draw("""
        X O X
        X O O
        O X X""")
    position = KInARowPosition(3, 3, 3)
    position.set_up(drawn.stones, WHITE)
    assert position.outcome() == 0
    assert position.moves() == []
    assert position.plies_left() == 0


def test_two_open_threes_are_no_win_while_the_other_side_has_a_four() -> None:
    _, drawing = JUDGED["two open threes with one stone"]
    drawn = padded(draw(drawing.replace(". . . . . O . .", "X O O O . . . .")))
    position = KInARowPosition(15, 15, 5)
    position.set_up(drawn.stones, BLACK)
    assert position.outcome() is None
    assert drawn.marked < set(position.moves())


@pytest.mark.parametrize(
    "rows, cols, k, longest, proofs",
    [pytest.param(15, 15, 5, 5, 1, marks=pytest.mark.slow), (7, 7, 5, 5, 4), (4, 5, 4, 5, 8), (3, 3, 3, 3, 8)],
)
def test_claimed_outcomes_are_true(rows: int, cols: int, k: int, longest: int, proofs: int) -> None:
    """Every claim of random games is played out: the winner follows moves(), the other side tries every free cell."""
    noise = random.Random(k * rows)
    claims = []
    for _ in range(60):
        position = KInARowPosition(rows, cols, k)
        while position.occupied != position.geometry.all:
            outcome = position.outcome()
            if outcome:
                plies = WIN - abs(outcome)
                claims.append(plies)
                if plies < 3 or claims.count(plies) <= proofs:
                    _prove(position, outcome > 0, plies)
                break
            good = position.moves()[: 4 if rows > 4 else None]  # else hardly a threat comes up
            position.play(noise.choice(good))
    assert max(claims) == longest
    assert len(claims) > 5


def _prove(position: KInARowPosition, mover_wins: bool, plies: int) -> None:
    """Assert that the mover wins, or loses, within so many plies; a win in three is proved where it is claimed."""
    geometry = position.geometry
    if mover_wins:
        position.play(position.moves()[0])
        if plies == 1:
            assert completes(_stones(position), geometry.rows, geometry.cols, geometry.k) == [2 - position.side]
        else:
            _prove(position, False, plies - 1)
        position.undo()
        return
    for cell in range(geometry.cells):
        if not position.occupied >> cell & 1:
            position.play(cell)
            outcome = position.outcome()
            assert outcome is not None
            assert WIN - outcome <= plies - 1
            if plies < 4:
                assert not completes(_stones(position), geometry.rows, geometry.cols, geometry.k)
                _prove(position, True, WIN - outcome)
            position.undo()


def _stones(position: KInARowPosition) -> bytes:
    stones = bytearray(position.geometry.cells)
    for number, line in enumerate(position.geometry.lines):
        content = position.nodes[number][-1]
        for i, cell in enumerate(line.cells):
            stones[cell] = (content.black >> i & 1) + 2 * (content.white >> i & 1)
    return bytes(stones)
