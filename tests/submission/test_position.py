"""A k-in-a-row position: decided or open, and its candidate moves. X is to move unless a test says otherwise."""

from __future__ import annotations

import random

import pytest

from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.weights import order_weights
from submission.lines import WHITE, cells_of
from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.searchable import PROVED_WIN, WIN

from .boards import both_colours, completes, draw, drawings, five_in_a_row, padded, stones_of
from .naive_line import NaiveBoard
from .tactics import STOP

WIDTHS = (KInARowParameters().root_candidates, *KInARowParameters().candidates)  # by depth; 0: the root

# Before the name: won or lost (-) in so many plies, 0 if open. The cells marked * are exactly the candidate moves.
DECIDED = drawings("""
1 five to make | 1 five to make, shut in | 1 six wins, too | 0 five to stop | -2 two fives to stop | 3 open four to make
. . . . . .    | O X X * X X O           | O X X X * X X O | . . . . . .    | . * O O O O * .      | . . . . . . .
* X X X X O    | . . O . O . .           |                 | X O O O O *    | . . X X . X . .      | . * X X X * .
. O O O O .    |                         |                 | . X X . X .    |                      | . . O O O . .
               |                         |                 |                |                      | . . . . . . .

3 fours crossing | 5 four and open three | 5 two open threes | -4 two open threes to stop | 0 open three to stop
. . . O . . . .  | . . . . . . . .       | . . . . . . . .   | . . . . . . . . .          | . . . . . . . .
. . . X . . . .  | . . . X . . . .       | . . . X . . . .   | . * O O O * . . .          | . . * O O O * .
. . . X . . . .  | . . . X . . . .       | . . . X . . . .   | . . . . . . . * .          | . . . . . . . .
. . . X . . . .  | O X X * X . . .       | . X X * . . . .   | . X . X . . . O .          | . . X . X . . .
O X X * X . . .  | . . . . . . . .       | . . . . . . . .   | . . . . . . . O .          |
. . . . . . O .  | . O . . . O O .       | . . O . O . . .   | . . . . . . . O .          |
                 |                       | . . . . . O . .   | . . . . . . . * .          |

-4 two open threes to stop in one row | 0 open three to stop, with an own four first
. . . . . . . . . . . . . . .         | . . . . . . . .
. O O O * . X . * O O O * . .         | . . * O O O * .
. . . . X . . . X . . . . . .         | . . . . . . . .
                                      | O X X X * * . .
""")


@pytest.mark.parametrize("name", DECIDED)
def test_outcome_and_candidates(name: str) -> None:
    plies = int(name.split()[0])
    for drawn, position in both_colours(DECIDED[name], 15):
        assert position.outcome() == (None if not plies else WIN - plies if plies > 0 else -plies - WIN)
        assert set(position.moves()) == drawn.marked


def test_two_open_threes_are_no_win_while_the_opponent_has_a_four() -> None:
    drawing = DECIDED["5 two open threes"].replace(". . . . . O . .", "X O O O . . . .")
    drawn = padded(draw(drawing))
    position = five_in_a_row(drawn)
    assert position.outcome() is None
    assert drawn.marked < set(position.moves())


@pytest.mark.parametrize("depth", range(1, 2 * len(WIDTHS)))
def test_low_depth_has_only_the_best_cells(depth: int) -> None:
    position = KInARowPosition(15, 15, 5)
    for cell in (112, 97, 98):
        position.play(cell)
    assert position.moves(depth) == position.moves()[: WIDTHS[min(depth, len(WIDTHS) - 1)]]


# White wins by fours (*), although many cells have a higher ordering score than some of these fours.
CROWDED = padded(
    draw("""
    . . . . . X . . . .
    . . . . O . . . . .
    . . . X X . . X . .
    . X X X O X O . . .
    . X O . . O . . . .
    O . . X O O . . . .
    . . . O X O . . . .
    . . X . O . . . . .
    . . . . . * . . . .""")
)
CROWDED_BOARD = NaiveBoard(15, 15, 5, CROWDED.stones)
FOURS = {cell for player in (1, 2) for cell in CROWDED_BOARD.free() if CROWDED_BOARD.after(player, cell).fives(player)}


@pytest.mark.parametrize("depth", range(len(WIDTHS)))
def test_every_four_is_a_candidate(depth: int) -> None:
    moves = five_in_a_row(CROWDED, WHITE, KInARowParameters(vcf_depth=0)).moves(depth)
    assert len(moves) > WIDTHS[depth] or WIDTHS[depth] > 30  # wide candidates have room for all fours of this drawing
    assert CROWDED.marked <= FOURS <= set(moves)
    assert set(moves[WIDTHS[depth] :]) <= FOURS


@pytest.mark.parametrize("depth", range(len(WIDTHS)))
def test_up_to_vcf_depth_fours_are_not_added_since_vcf_finds_the_win(depth: int) -> None:
    position = five_in_a_row(CROWDED, WHITE, KInARowParameters(vcf_depth=4))
    best = five_in_a_row(CROWDED, WHITE, KInARowParameters(fours_in_candidates=False))
    assert (position.moves(depth) == best.moves(depth)) == (0 < depth <= 4 or WIDTHS[depth] > 30)
    assert position.forced_win(depth, Deadline(None))


@pytest.mark.parametrize("depth", range(len(WIDTHS)))
def test_up_to_vcf_depth_only_answers_to_a_threat_are_candidates(depth: int) -> None:
    """White's fours in the second row do not stop Black's open four."""
    drawn = draw("""
        . . . . . . . . . .
        . O O O . X . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . * X X X * . .
        . . . . . . . . . .""")
    position = five_in_a_row(drawn, WHITE)
    fours = set() if 0 < depth <= position.parameters.vcf_depth else {10, 14}
    assert set(position.moves(depth)) == drawn.marked | fours


LOST = "two fours in a row"  # there are cells that stop the fours, but none that stops the threes as well


@pytest.mark.parametrize("name", STOP)
def test_moves_that_stop_the_opponents_win_come_first_at_the_root(name: str) -> None:
    """With enough nodes to see all losing moves. All moves that may help are candidates already."""
    drawn = draw(STOP[name].drawing)
    position = five_in_a_row(drawn, parameters=KInARowParameters(hold_nodes=20000))
    assert position.threats.opponent_vct(1000).line
    moves = position.root_moves(position.moves(), Deadline(None))
    assert sorted(moves) == sorted(position.moves())
    stopping = set() if name == LOST else set(moves) & drawn.marked
    assert set(moves[: len(stopping)]) == stopping
    assert moves[len(stopping) :] == [move for move in position.moves() if move not in stopping]
    if name != LOST:
        assert not position.quiet() and position.defences([], Deadline(None)) == []


def test_a_loss_is_claimed_only_after_the_cells_of_the_threat_are_tried() -> None:
    """White threatens to win by fours. None of the 15 cells of the highest scores, and no four, stops it."""
    drawn = padded(
        draw("""
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . X . . . . .
        . X . O . . . . . .
        . . O X . . . . O .
        . O X O X . X X . .
        . O X O O O X . . .
        . X O X . X . . . .
        . O X O . . . . . .
        . . * O X . . . . .
        . . . O . . . . . .""")
    )
    position = five_in_a_row(drawn)
    moves = position.moves(WIDTHS.index(15))
    defences = position.defences(moves, Deadline(None))
    assert drawn.marked <= set(defences)
    assert not set(defences) & set(moves)
    assert position.defences(moves + defences, Deadline(None)) == []
    assert Search().think(position, Deadline(None), 7).value > -PROVED_WIN


@pytest.mark.parametrize(
    "rows, cols, k, longest, proofs",
    [pytest.param(15, 15, 5, 5, 1, marks=pytest.mark.slow), (7, 7, 5, 5, 4), (4, 5, 4, 5, 8), (3, 3, 3, 3, 8)],
)
def test_claimed_outcomes_are_true(rows: int, cols: int, k: int, longest: int, proofs: int) -> None:
    """Claims of random games are played out: the winner follows moves(), the opponent tries every free cell."""
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
            good = position.moves()[: 4 if rows > 4 else None]  # other moves hardly ever make a threat
            position.play(noise.choice(good))
    assert max(claims) == longest
    assert len(claims) > 5


def _prove(position: KInARowPosition, mover_wins: bool, plies: int) -> None:
    """Assert that the mover wins, or loses, within `plies`. Claims of at most 3 plies are proved to the end."""
    rows, cols, k = position.geometry.rows, position.geometry.cols, position.geometry.k
    if mover_wins:
        position.play(position.moves()[0])
        if plies == 1:
            assert completes(stones_of(position), rows, cols, k) == [2 - position.side]
        else:
            _prove(position, False, plies - 1)
        position.undo()
        return
    for cell in cells_of(position.geometry.all & ~position.occupied):
        position.play(cell)
        outcome = position.outcome()
        assert outcome is not None and WIN - outcome <= plies - 1
        if plies < 4:
            assert not completes(stones_of(position), rows, cols, k)
            _prove(position, True, WIN - outcome)
        position.undo()


def test_only_five_in_a_row_has_a_learnt_order() -> None:
    assert [k for k in range(3, 8) if order_weights(k)] == [5]
