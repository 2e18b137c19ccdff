"""k in a row: the patterns of a line against their definitions, taken literally; decided positions; candidate moves.

X is to move unless a test says otherwise. A line is a naive board of one row: 1 the own colour, 2 the other.
"""

from __future__ import annotations

import itertools
import random
from functools import lru_cache
from operator import mul

import pytest

from submission.boards import WHITE, Line
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.patterns import CLASSES, COUNTS, VALUE_BITS, LineFacts, Pattern, Runs
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


@pytest.mark.parametrize("depth", range(2 * len(WIDTHS)))
def test_the_best_cells_and_every_four_are_candidates_unless_vcf_tries_the_fours(depth: int) -> None:
    board = NaiveBoard(15, 15, 5, CROWDED.stones)
    fours = {cell for player in (1, 2) for cell in board.free() if board.after(player, cell).fives(player)}
    without, width = KInARowParameters(fours_in_candidates=False), WIDTHS[min(depth, len(WIDTHS) - 1)]
    best = five_in_a_row(CROWDED, WHITE, without).moves(depth)
    moves = five_in_a_row(CROWDED, WHITE, KInARowParameters(vcf_depth=0)).moves(depth)
    assert moves[: len(best)] == best == five_in_a_row(CROWDED, WHITE, without).moves()[:width] and len(best) == width
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
    """hold_nodes suffices to refute all losing moves. All moves that may stop the win are already candidates."""
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
    """White threatens to win by fours. Neither a four nor one of the 15 cells with the highest scores stops this."""
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


# Arbitrary numbers, so large and different that a wrong count changes the sum.
WEIGHTS = (
    [1, 17, 231, 3001, 40009, 7, 113, 1511, 20011, 300007, 53],
    [-3 * 7**i for i in range(len(COUNTS) - 3)] + [-11, -131, -1709],
)
FIRST, STRIDE, FIELD = 2, 3, 50  # an imaginary board: a line's first cell, steps between cells, bits of a mask


def _unpacked(value: int) -> tuple[int, int]:
    """The values with Black and with White to move."""
    low = (value + (1 << VALUE_BITS - 1)) % (1 << VALUE_BITS) - (1 << VALUE_BITS - 1)
    return low, value - low >> VALUE_BITS


def _open_fours(line: NaiveBoard) -> list[int]:
    return [i for i in line.free() if len(line.after(1, i).fives(1)) >= 2]


def _by_definition(line: NaiveBoard) -> dict[Pattern, list[int]]:
    """The cells of each pattern in a line in which no five can be completed yet."""
    free, open_fours = line.free(), _open_fours(line)
    fours = [i for i in free if line.after(1, i).fives(1)]
    threes = [i for i in free if i not in fours and set(_open_fours(line.after(1, i))) - set(open_fours)]
    in_twos = [i for i in free if _fours_after(line, i)]
    answers = [i for i in free if open_fours and not _open_fours(line.after(2, i))]
    return dict(zip(Pattern, ([], open_fours, fours, threes, in_twos, answers)))


def _fours_after(line: NaiveBoard, cell: int) -> bool:
    """Whether a stone on a cell makes fours that remain after the opponent has stopped all threatened fives."""
    k, line = line.k, line.after(1, cell)
    for stop in line.fives(1):
        line = line.after(2, stop)
    windows = [line.stones[j : j + k] for j in range(max(0, cell - k + 1), min(cell, line.cols - k) + 1)]
    return any(window.count(1) == k - 2 and 2 not in window for window in windows)


def _open_twos(line: NaiveBoard, strong: list[int]) -> list[int]:
    """Cells from which two more stones, and no fewer, make a straight four: .XXXX."""
    k, found = line.k, []
    for cell in set(line.free()) - set(strong):
        for pair in itertools.combinations([i for i in line.free() if i != cell], 2):
            after, added = line.after(1, cell).after(1, pair[0]).after(1, pair[1]).stones, (cell, *pair)
            if any(
                after[i : i + k + 1] == bytes((0, *(1,) * (k - 1), 0)) and all(i < each < i + k for each in added)
                for i in range(len(after) - k)
            ):
                found.append(cell)
                break
    return found


def _counts_by_definition(line: NaiveBoard) -> tuple[int, ...]:
    k, stones = line.k, line.stones
    windows = [stones[i : i + k] for i in range(len(stones) - k + 1)]
    spans = [span for span in (stones[i : i + k + 1] for i in range(len(stones) - k)) if span[0] == span[k] == 0]
    own, open_ = ([part.count(1) for part in parts if 2 not in part] for parts in (windows, spans))
    patterns = _by_definition(line)
    strong = patterns[Pattern.FOUR] + patterns[Pattern.OPEN_THREE]
    cells = (*map(patterns.get, (Pattern.FOUR, Pattern.OPEN_FOUR, Pattern.OPEN_THREE)), _open_twos(line, strong))
    return (*map(own.count, (1, 2, 3, 4)), *map(open_.count, (k - 4, k - 3, k - 2)), *map(len, cells))


def _described(stones: bytes, k: int) -> tuple[dict[Pattern, list[int]], tuple[int, int]]:
    """The engine's pattern masks for colour 1, as cells, and both values of a line."""
    own, other = (sum(1 << i for i, stone in enumerate(stones) if stone == colour) for colour in (1, 2))
    describe, there = _facts(k), Line(0, tuple(range(FIRST, FIRST + STRIDE * len(stones), STRIDE)))
    as_black, as_white = describe(own, other, there), describe(other, own, there)
    masks = [as_black[0] >> i * FIELD & (1 << FIELD) - 1 for i in range(2 * CLASSES)]
    swapped = [as_white[0] >> i * FIELD & (1 << FIELD) - 1 for i in range(2 * CLASSES)]
    assert masks == swapped[CLASSES:] + swapped[:CLASSES]
    low, high = _unpacked(as_black[1])
    assert (high, low) == _unpacked(as_white[1])
    cells = {pattern: [i for i, cell in enumerate(there.cells) if masks[pattern] >> cell & 1] for pattern in Pattern}
    return cells, (low, high)


@lru_cache(maxsize=None)
def _facts(k: int) -> LineFacts:
    return LineFacts(Runs(k, *WEIGHTS), STRIDE, FIELD)


def _contents(length: int, count: int) -> list[bytes]:
    """Contents of a line: all, or `count` random ones with more own stones than other ones."""
    if not count:
        return [bytes(stones) for stones in itertools.product(range(3), repeat=length)]
    noise = random.Random(length)
    shares = [(noise.random(), noise.random() * 0.4) for _ in range(count)]
    return [bytes(noise.choices((1, 2, 0), (own, other, 1 - other), k=length)) for own, other in shares]


@pytest.mark.parametrize("length, k, count", [
    (3, 3, 0), (4, 3, 0), (5, 4, 0), (5, 5, 0), (6, 5, 0), (9, 5, 60), (15, 5, 20),
    *(pytest.param(length, 5, 0, marks=pytest.mark.slow) for length in (7, 8)),
])  # fmt: skip
def test_patterns_and_values_are_those_of_the_definitions(length: int, k: int, count: int) -> None:
    for stones in _contents(length, count):
        line = NaiveBoard(1, length, k, stones)
        if any(stones[i : i + k] == b"\1" * k for i in range(length - k + 1)):
            continue
        masks, values = _described(stones, k)
        assert masks[Pattern.FIVE] == sorted(line.fives(1)), stones
        if masks[Pattern.FIVE]:
            continue
        assert masks == _by_definition(line), stones
        if k == 5 and not line.fives(2):
            swapped = NaiveBoard(1, length, k, bytes((0, 2, 1)[stone] for stone in stones))
            own, other = (_counts_by_definition(each) for each in (line, swapped))
            assert values == tuple(
                sum(map(mul, one, WEIGHTS[0])) + sum(map(mul, two, WEIGHTS[1]))
                for one, two in ((own, other), (other, own))
            ), stones
