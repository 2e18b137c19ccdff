"""Tactics of five in a row in small diagrams, as tables: X is to move, and what the moves marked * are each table says.

Wins are meant by threats: fours, one after the other, of at most `depth` own moves, the five counted, and before them
at most `threats` moves that only threaten such fours. test_tactics.py holds the marks against the naive rules.
"""

from __future__ import annotations

from typing import NamedTuple


class Tactic(NamedTuple):
    """A drawing of a whole board, and what it is about: see the module."""

    depth: int
    threats: int
    drawing: str


# The moves marked are all that win.
WIN = {
    "six in a row": Tactic(
        1,
        0,
        """
        . . . . . . . .
        . O X X X * X X
        . . O . O O . .
        . . . . . . . .
        . . . . . . . .""",
    ),
    "five shut in": Tactic(
        1,
        0,
        """
        . . . . . . . .
        O X X * X X O .
        . . O . O O . .
        . . . . . . . .
        . . . . . . . .""",
    ),
    "seven in a row": Tactic(
        1,
        0,
        """
        . . . . . . .
        O O . O . O O
        X X X * X X X
        . . . . . . .
        . . . . . . .""",
    ),
    "one's own five before the other's": Tactic(
        1,
        0,
        """
        . . . . . . .
        * X X X X O .
        . . . . . . .
        . O O O O . .
        . . . . . . .""",
    ),
    "into the corner": Tactic(
        1,
        0,
        """
        * O . . . .
        . X . . O .
        . . X . . .
        . . . X . .
        . . . . X .
        . O . . . O""",
    ),
    "along the edge": Tactic(
        1,
        0,
        """
        . . . . . . . X
        . . . . . . O X
        . . . . . . . X
        . . . . . . . X
        . . . . O O O *""",
    ),
    "an open four against an open three": Tactic(
        2,
        0,
        """
        . . . . . . . .
        . . . . . . . .
        . * X X X * . .
        . . . . . . . .
        . . . O O O . .
        . . . . . . . .""",
    ),
    "two fours in one line": Tactic(
        2,
        0,
        """
        . . . . . . . . .
        . . . . . . . . .
        . O X . X * X . X
        . . . . . . . . .
        . . . O . O . . .""",
    ),
    "two fours crossing": Tactic(
        2,
        0,
        """
        . . . O . . . .
        . . . X . . . .
        . . . X . . . .
        . . . X . . . .
        O X X * X . . .
        . . . . . . O .
        . . O . O . . .""",
    ),
    "a four and an open three": Tactic(
        3,
        0,
        """
        . . . . . . . .
        . . . O . . . .
        . . . . . . . .
        . O X X X * . .
        . . . . . . . .
        . . . . . X . .
        . . O . . X . .
        . . . . . . . .""",
    ),
    "three fours against an open three": Tactic(
        4,
        0,
        """
        . . . . . . . . .
        . . . . . . . O .
        . . . . . . . O .
        . . . . . . . O .
        X . . * X . . . .
        . . X . . . . . .
        . X X . . . . . .
        X . . . . . . . .
        . . . . . . . . .""",
    ),
    "three fours against an open three on a diagonal": Tactic(
        4,
        0,
        """
        . . . . . . X . .
        . O . . . . X . .
        . . O . . . . . .
        . . . O . . X . .
        . . . . . . * . .
        . . . . . X . . .
        . X X . . . . . .
        . . . . . . . . .
        . . X . . . . . .""",
    ),
    "four fours against an open three": Tactic(
        5,
        0,
        """
        . X . . . . . . .
        . . . . . O . . .
        . . . X . O . . .
        . . . O X O . . .
        . . . X . * . . .
        . . . X . . . X .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .""",
    ),
    "two open threes": Tactic(
        2,
        1,
        """
        . . . . . . . .
        . . . . . . . .
        . . . . X . . .
        . . O . X . . .
        . . X X * . O .
        . . . . . O . .
        . . . . . . . .
        . . . . . . . .""",
    ),
    "two open threes, one of them split": Tactic(
        2,
        1,
        """
        . . . . . . . .
        . . . . . . . .
        . . . X . . . .
        . . . * . . . .
        . . . X . . . .
        . . . . . X . .
        . . . . . . X .
        . . . . . . . .""",
    ),
    "two open threes that stop one": Tactic(
        4,
        1,
        """
        . . . . . . . .
        . . . . . . . .
        . . . O . . X .
        . . . O . X . .
        . . . O . . . .
        . X X * . . . .
        . . . . . . . .
        . . . . . . . .""",
    ),
    "two open threes among the other side's": Tactic(
        4,
        1,
        """
        . . . . . . . .
        . . O . . . . .
        . . . O X . . .
        . . X . * X . .
        . . . . . O . .
        . . . . . . . .
        . . . . X X . .
        . . . . . . . .""",
    ),
}

# The same, but it takes the naive rules more than a second to find out.
LONG_WIN = {
    "an open three, then two": Tactic(
        4,
        2,
        """
        . . . . . . . .
        . . X . . . . .
        . . . . . X . .
        . . X . * X . .
        . . . . . * . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .""",
    ),
    "an open three against the edge, then two": Tactic(
        4,
        2,
        """
        . . . . . . . .
        . . . . . . . .
        . . * X . X X O
        . . . * . * . .
        . . . . X . . .
        . . . * . * . .
        . . . . . . . .
        . . . . . . . .""",
    ),
}

# O threatens to win; the moves marked are all that stop it.
STOP = {
    "a four at the edge": Tactic(
        1,
        0,
        """
        . . . . . . . .
        O O O O * . . .
        . . X . . X . .
        . . X X . . . .
        . . . . X . . .
        . . . . . . . .""",
    ),
    "a four with a gap, where six would do as well": Tactic(
        1,
        0,
        """
        . . . . . . .
        O O O * O O .
        . . X . . X .
        . . X X . . .
        . . . . . . .""",
    ),
    "an open three with a gap": Tactic(
        3,
        0,
        """
        . . . . . . . .
        . . . . . . . .
        . . . . X . . .
        . * O * O O * .
        . . . . . . . .
        . . . . . . X .
        . X . . . . . .
        . . . . . . . .""",
    ),
    "two fours crossing": Tactic(
        3,
        0,
        """
        . . . X . . . .
        . . . O . . . .
        . . . O . . . .
        . . . O . . . .
        X O O * O * . .
        . . . * . . X .
        . . X . X . . .
        . . . . . . . .""",
    ),
    "two fours in a row": Tactic(
        5,
        0,
        """
        . . . . . . . . .
        . O . . . . . . .
        . . O . O . . . .
        . . . * O . . . .
        . . O . * . . . .
        . . . . . O . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    ),
}

# Two open threes (the move marked) that would win but for the stones o: their four stands in the way of one of them.
FALSE = {
    "a four beside the crossing": Tactic(
        4,
        2,
        """
        . . . . . . . .
        . . . . . . . .
        . . . . X O . .
        . O . O X . . .
        . . X X * . . .
        . . . . . o . .
        . . . . . o . .
        . . . . . o . .""",
    ),
    "a four beside a split three": Tactic(
        4,
        2,
        """
        . . . . . . . .
        . . . O X . . .
        . . . . X . . .
        . O . . . . . .
        . . X X * . . .
        . . . . . o . .
        . . . O . o . .
        . . . . . o . .""",
    ),
}
