"""Tactics of five in a row as drawings: the naive rules prove the wins, and the search finds the moves. X is to move.

Before its name, each drawing has two numbers, `depth` and `threats`. The win by fours takes at most `depth` own moves,
the five counted. At most `threats` moves that only threaten a win by fours come before the win by fours. The marked
cells were found by trying all moves. test_position.py has the shorter wins.
"""

from __future__ import annotations

from typing import Dict, NamedTuple

import pytest

from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.searchable import PROVED_WIN, WIN

from .boards import both_colours, drawings
from .naive_line import NaiveBoard, holds, proves
from .test_threats import LONGEST, PLENTY, threats_of, vct

NODES = 10000  # node limit of a search


class Tactic(NamedTuple):
    """The drawing of a whole board, and its two numbers."""

    depth: int
    threats: int
    drawing: str


def _tactics(text: str) -> Dict[str, Tactic]:
    tactics = {}
    for title, drawing in drawings(text).items():
        depth, threats, name = title.split(None, 2)
        tactics[name] = Tactic(int(depth), int(threats), drawing)
    return tactics


# The moves marked are all that win.
WINS = _tactics("""
4 0 three fours against an open three | 4 0 three fours against an open three on a diagonal
. . . . . . . . .                     | . . . . . . X . .
. . . . . . . O .                     | . O . . . . X . .
. . . . . . . O .                     | . . O . . . . . .
. . . . . . . O .                     | . . . O . . X . .
X . . * X . . . .                     | . . . . . . * . .
. . X . . . . . .                     | . . . . . X . . .
. X X . . . . . .                     | . X X . . . . . .
X . . . . . . . .                     | . . . . . . . . .
. . . . . . . . .                     | . . X . . . . . .

5 0 four fours against an open three | 4 1 two open threes that stop one
. X . . . . . . .                    | . . . . . . . .
. . . . . O . . .                    | . . . . . . . .
. . . X . O . . .                    | . . . O . . X .
. . . O X O . . .                    | . . . O . X . .
. . . X . * . . .                    | . . . O . . . .
. . . X . . . X .                    | . X X * . . . .
. . . . . X . . .                    | . . . . . . . .
. . . . . . . . .                    | . . . . . . . .

4 1 two open threes among the other side's
. . . . . . . .
. . O . . . . .
. . . O X . . .
. . X . * X . .
. . . . . O . .
. . . . . . . .
. . . . X X . .
. . . . . . . .

4 2 an open three, then two | 4 2 an open three against the edge, then two
. . . . . . . .             | . . . . . . . .
. . X . . . . .             | . . . . . . . .
. . . . . X . .             | . . * X . X X O
. . X . * X . .             | . . . * . * . .
. . . . . * . .             | . . . . X . . .
. . . . . . . .             | . . . * . * . .
. . . . . . . .             | . . . . . . . .
. . . . . . . .             | . . . . . . . .
""")

# O threatens to win; the moves marked are all that stop it.
STOP = _tactics("""
1 0 a four at the edge | 1 0 a four with a gap, where six would do as well | 3 0 an open three with a gap
. . . . . . . .        | . . . . . . .                                     | . . . . . . . .
O O O O * . . .        | O O O * O O .                                     | . . . . . . . .
. . X . . X . .        | . . X . . X .                                     | . . . . X . . .
. . X X . . . .        | . . X X . . .                                     | . * O * O O * .
. . . . X . . .        | . . . . . . .                                     | . . . . . . . .
. . . . . . . .        |                                                   | . . . . . . X .
                       |                                                   | . X . . . . . .
                       |                                                   | . . . . . . . .

3 0 two fours crossing | 5 0 two fours in a row
. . . X . . . .        | . . . . . . . . .
. . . O . . . .        | . O . . . . . . .
. . . O . . . .        | . . O . O . . . .
. . . O . . . .        | . . . * O . . . .
X O O * O * . .        | . . O . * . . . .
. . . * . . X .        | . . . . . O . . .
. . X . X . . .        | . . . . . . . . .
. . . . . . . .        | . . . . . . . . .
                       | . . . . . . . . .
""")

# Two open threes (the move marked) would win without the stones o: their four stops one of the threes.
FALSE = _tactics("""
4 2 a four beside the crossing | 4 2 a four beside a split three
. . . . . . . .                | . . . . . . . .
. . . . . . . .                | . . . O X . . .
. . . . X O . .                | . . . . X . . .
. O . O X . . .                | . O . . . . . .
. . X X * . . .                | . . X X * . . .
. . . . . o . .                | . . . . . o . .
. . . . . o . .                | . . . O . o . .
. . . . . o . .                | . . . . . o . .
""")


@pytest.mark.parametrize("name", WINS)
def test_a_win_is_found_and_holds(name: str) -> None:
    depth, threats, drawing = WINS[name]
    for player, (drawn, position) in enumerate(both_colours(drawing), 1):
        board = NaiveBoard(drawn.rows, drawn.cols, 5, drawn.stones)
        fours, line = position.threats.vcf(PLENTY).line, position.threats.vct(PLENTY).line
        if threats:
            assert fours == []
            assert line[0] in drawn.marked or len(line) >= 2 * depth  # it may take longer
            if player == 1 and threats == 1:  # with two, the naive rules take long
                assert proves(board, player, vct(player), LONGEST)
        else:
            assert fours[0] in drawn.marked and line[0] in drawn.marked and holds(board, player, fours)
        thought = Search().think(position, Deadline(None, NODES))
        assert (thought.source, thought.value) == ("threats", WIN - len(thought.pv))
        assert thought.move in drawn.marked or (threats and thought.value <= WIN - 2 * depth)


@pytest.mark.parametrize("name", STOP)
def test_only_moves_that_stop_a_win_do_not_lose_by_fours_and_the_search_plays_one(name: str) -> None:
    for player, (drawn, position) in enumerate(both_colours(STOP[name].drawing), 1):
        board = NaiveBoard(drawn.rows, drawn.cols, 5, drawn.stones)
        for cell in board.free():
            after = board.after(player, cell)
            line = threats_of(after, 3 - player).vcf(PLENTY).line
            assert bool(line) == (cell not in drawn.marked)
            assert not line or holds(after, 3 - player, line)
        assert Search().think(position, Deadline(None, NODES)).move in drawn.marked


@pytest.mark.parametrize("nodes", [4000, pytest.param(NODES, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", FALSE)
def test_a_false_win_is_not_claimed(name: str, nodes: int) -> None:
    for _, position in both_colours(FALSE[name].drawing.upper()):
        assert position.outcome() is None and position.threats.vct(PLENTY).line == []
        assert Search().think(position, Deadline(None, nodes)).value < PROVED_WIN
