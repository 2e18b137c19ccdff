"""Tactics of five in a row as drawings: X is to move.

Before its name, each drawing has two numbers, `depth` and `threats`. The win by fours takes at most `depth` own moves,
the five counted. At most `threats` moves that only threaten a win by fours come before the win by fours. The marks were
found by trying all moves.
"""

from __future__ import annotations

from typing import Dict, NamedTuple

from .boards import drawings


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
WIN = _tactics("""
1 0 six in a row | 1 0 five shut in | 1 0 seven in a row | 1 0 one's own five before the other's
. . . . . . . .  | . . . . . . . .  | . . . . . . .      | . . . . . . .
. O X X X * X X  | O X X * X X O .  | O O . O . O O      | * X X X X O .
. . O . O O . .  | . . O . O O . .  | X X X * X X X      | . . . . . . .
. . . . . . . .  | . . . . . . . .  | . . . . . . .      | . O O O O . .
. . . . . . . .  | . . . . . . . .  | . . . . . . .      | . . . . . . .

1 0 into the corner | 1 0 along the edge | 2 0 an open four against an open three | 2 0 two fours in one line
* O . . . .         | . . . . . . . X    | . . . . . . . .                        | . . . . . . . . .
. X . . O .         | . . . . . . O X    | . . . . . . . .                        | . . . . . . . . .
. . X . . .         | . . . . . . . X    | . * X X X * . .                        | . O X . X * X . X
. . . X . .         | . . . . . . . X    | . . . . . . . .                        | . . . . . . . . .
. . . . X .         | . . . . O O O *    | . . . O O O . .                        | . . . O . O . . .
. O . . . O         |                    | . . . . . . . .                        |

2 0 two fours crossing | 3 0 a four and an open three | 4 0 three fours against an open three
. . . O . . . .        | . . . . . . . .              | . . . . . . . . .
. . . X . . . .        | . . . O . . . .              | . . . . . . . O .
. . . X . . . .        | . . . . . . . .              | . . . . . . . O .
. . . X . . . .        | . O X X X * . .              | . . . . . . . O .
O X X * X . . .        | . . . . . . . .              | X . . * X . . . .
. . . . . . O .        | . . . . . X . .              | . . X . . . . . .
. . O . O . . .        | . . O . . X . .              | . X X . . . . . .
                       | . . . . . . . .              | X . . . . . . . .
                       |                              | . . . . . . . . .

4 0 three fours against an open three on a diagonal | 5 0 four fours against an open three | 2 1 two open threes
. . . . . . X . .                                   | . X . . . . . . .                    | . . . . . . . .
. O . . . . X . .                                   | . . . . . O . . .                    | . . . . . . . .
. . O . . . . . .                                   | . . . X . O . . .                    | . . . . X . . .
. . . O . . X . .                                   | . . . O X O . . .                    | . . O . X . . .
. . . . . . * . .                                   | . . . X . * . . .                    | . . X X * . O .
. . . . . X . . .                                   | . . . X . . . X .                    | . . . . . O . .
. X X . . . . . .                                   | . . . . . X . . .                    | . . . . . . . .
. . . . . . . . .                                   | . . . . . . . . .                    | . . . . . . . .
. . X . . . . . .                                   | . . . . . . . . .                    |

2 1 two open threes, one of them split | 4 1 two open threes that stop one
. . . . . . . .                        | . . . . . . . .
. . . . . . . .                        | . . . . . . . .
. . . X . . . .                        | . . . O . . X .
. . . * . . . .                        | . . . O . X . .
. . . X . . . .                        | . . . O . . . .
. . . . . X . .                        | . X X * . . . .
. . . . . . X .                        | . . . . . . . .
. . . . . . . .                        | . . . . . . . .

4 1 two open threes among the other side's
. . . . . . . .
. . O . . . . .
. . . O X . . .
. . X . * X . .
. . . . . O . .
. . . . . . . .
. . . . X X . .
. . . . . . . .
""")

# More drawings of wins. The naive rules take long to prove these wins.
LONG_WIN = _tactics("""
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
