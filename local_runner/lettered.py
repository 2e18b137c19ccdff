"""A board for the terminal with the names of its cells around it: letters for columns, numbers for rows."""

from collections.abc import Collection, Sequence

from rich.text import Text

from env_adapter import Cell
from local_runner.coordinates import LETTERS

STONES = ("·", "●", "○")  # free, Black, White


def lettered_board(stones: Sequence[Sequence[int]], marked: Collection[Cell] = ()) -> Text:
    """The board; `marked` cells, such as the last move or a winning line, are in reverse."""
    head = "   " + " ".join(LETTERS[: len(stones[0])])
    text = Text().append(head, style="dim")
    for row, line in enumerate(stones):
        text.append(f"\n{row + 1:>2}", style="dim")
        for col, stone in enumerate(line):
            is_marked = (row, col) in marked
            text.append(" ").append(STONES[stone], style="reverse" if is_marked else "" if stone else "dim")
        text.append(f" {row + 1}", style="dim")
    return text.append("\n" + head, style="dim")
