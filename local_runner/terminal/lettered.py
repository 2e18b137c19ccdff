"""Draws a board for the terminal, with the letters of its columns and the numbers of its rows around it.

A cell takes one to three columns of the terminal. Without colours, signs beside a cell mark it:

       a  b  c              a b c
     1 X  .  . 1           1 X . . 1
     2 . (O) . 2           2 .>O . 2
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from rich.text import Text

from env_adapter import Cell
from local_runner.game.coordinates import LETTERS

STONES = ("·", "●", "○")  # free, Black, White
BLANKS = {1: ("", ""), 2: (" ", ""), 3: (" ", " ")}  # the width of a cell -> the characters around its stone
SIGNS = {1: ("", ""), 2: (">", ""), 3: ("(", ")")}  # the same for a marked cell
SIDES = 5  # terminal columns for the row numbers at both sides together


class BoardPaint(NamedTuple):
    """The appearance of cells.

    `width`: columns of a cell, 1 to 3. `styles`: rich styles of a free, a black and a white cell. `marked`: style of a
    marked cell. `signs`: mark these cells with > or ( ) beside the stone as well; needs cells of 2 or 3 columns.
    """

    width: int = 2
    styles: tuple[str, str, str] = ("dim", "", "")
    marked: str = "reverse"
    signs: bool = False


PLAIN = BoardPaint()


def widest(columns: int, across: int, most: int = 3) -> int:
    """The greatest width of a cell, up to `most`, with which `across` cells fit into `columns`; 1 if no width fits."""
    return max(1, min(most, (columns - SIDES) // across))


def lettered_board(stones: Sequence[Sequence[int]], marked: Collection[Cell] = (), paint: BoardPaint = PLAIN) -> Text:
    """The board as text. `marked`: the cells to mark, such as the last move or a winning line."""
    width = paint.width
    edge = " " if width == 1 else ""
    before, after = BLANKS[width]
    head = f"  {edge}" + "".join(before + letter + after for letter in LETTERS[: len(stones[0])]).rstrip()
    text = Text().append(head, style="dim")
    for row, line in enumerate(stones):
        text.append(f"\n{row + 1:>2}{edge}", style="dim")
        for col, stone in enumerate(line):
            is_marked = (row, col) in marked
            style = paint.marked if is_marked else paint.styles[stone]
            before, after = (SIGNS if paint.signs and is_marked else BLANKS)[width]
            if paint.styles[0] == PLAIN.styles[0]:  # without a background colour, only the stone itself is styled
                text.append(before).append(STONES[stone], style=style).append(after)
            else:
                text.append(before + STONES[stone] + after, style=style)
        text.append(f" {row + 1}", style="dim")
    return text.append("\n" + head, style="dim")
