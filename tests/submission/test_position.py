"""A k-in-a-row position: decided or open, and its candidate moves. X is to move unless a test says otherwise."""

from __future__ import annotations

import pytest

from submission.k_in_a_row.parameters import KInARowParameters
from submission.lines import WHITE
from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.searchable import PROVED_WIN, WIN

from .boards import both_colours, draw, drawings, five_in_a_row, padded
from .naive_line import NaiveBoard
from .test_threats import STOP

WIDTHS = (KInARowParameters().root_candidates, *KInARowParameters().candidates)  # candidates by depth; 0: the root

# Before the name: plies to a win or a loss (-), 0 if open. The cells marked * are exactly the candidate moves.
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

-4 two open threes to stop in one row | 0 open three to stop, with an own four first | 3 two fours in one line
. . . . . . . . . . . . . . .         | . . . . . . . .                              | . O X . X * X . X
. O O O * . X . * O O O * . .         | . . * O O O * .                              | . . . O . O . . .
. . . . X . . . X . . . . . .         | . . . . . . . .                              | . . . O . . . . .
                                      | O X X X * * . .                              | . . . . . . . . .
""")


@pytest.mark.parametrize("name", DECIDED)
def test_outcome_and_candidates_which_the_search_takes(name: str) -> None:
    plies = int(name.split()[0])
    for drawn, position in both_colours(DECIDED[name], 15):
        assert position.outcome() == (None if not plies else WIN - plies if plies > 0 else -plies - WIN)
        assert set(position.moves()) == drawn.marked
        assert position.quiet() is False and position.forced() == (len(drawn.marked) == 1)
        assert Search().think(position, Deadline(None), 1).move in drawn.marked


@pytest.mark.parametrize("depth", range(1, 2 * len(WIDTHS)))
def test_low_depth_has_only_the_best_cells(depth: int) -> None:
    position = five_in_a_row(padded(draw("O O . / . X .")))
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


@pytest.mark.parametrize("depth", range(len(WIDTHS)))
def test_every_four_is_a_candidate_unless_vcf_tries_the_fours(depth: int) -> None:
    board = NaiveBoard(15, 15, 5, CROWDED.stones)
    fours = {cell for player in (1, 2) for cell in board.free() if board.after(player, cell).fives(player)}
    best = five_in_a_row(CROWDED, WHITE, KInARowParameters(fours_in_candidates=False)).moves(depth)
    moves = five_in_a_row(CROWDED, WHITE, KInARowParameters(vcf_depth=0)).moves(depth)
    assert moves[: len(best)] == best and len(best) == min(WIDTHS[depth], len(board.free()))
    assert CROWDED.marked <= fours and set(moves) == {*best, *fours}
    position = five_in_a_row(CROWDED, WHITE, KInARowParameters(vcf_depth=4))
    assert position.moves(depth) == (best if 0 < depth <= 4 else moves)
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
    """The node limit suffices to find all losing moves. All moves that may help are candidates already."""
    drawn = draw(STOP[name])
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
