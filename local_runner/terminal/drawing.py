"""Tables for the terminal in one style, results whose text and HTML are what the command prints, and boards.

In tables, markup and control characters are literal text. Around a board stand the letters of its columns and the
numbers of its rows. A cell and its gap or mark take one to three characters. Without colours, signs mark cells:

       a  b  c              a b c
     1 X  .  . 1           1 X . . 1
     2 . (O) . 2           2 .>O . 2
"""

import shutil
from abc import abstractmethod
from collections.abc import Collection, Sequence
from io import StringIO
from typing import NamedTuple

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from env_adapter import Cell
from local_runner.game.coordinates import LETTERS
from local_runner.language.text import SENTENCE, shortened

CELL = 40  # default of the widest cell, in characters of the terminal
WIDTH = 120  # characters in a line outside a terminal, and in HTML; wider tables are split
FORMAT = '<pre style="line-height: 1.3; white-space: pre-wrap">{code}</pre>'


def plain_table() -> Table:
    """An empty table in the style that all tables share."""
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)


class WideTable:
    """A table with a title and a head over each column.

    `heads`: a head may have several lines. `labels`: number of first columns that are aligned left; all others are
    aligned right. `most`: most columns of a cell; longer text is shortened.
    """

    def __init__(self, title: str, heads: Sequence[str], labels: int = 1, most: int = CELL) -> None:
        self.title, self.most, self.table = title, most, plain_table()
        for number, head in enumerate(heads):
            lines = "\n".join(shortened(line, most) for line in head.split("\n"))
            self.table.add_column(Text(lines), justify="left" if number < labels else "right", overflow="fold")

    def add(self, *cells: str) -> None:
        """Add a row. Missing cells at the end of the row are empty."""
        self.table.add_row(*(Text(shortened(cell, self.most)) for cell in cells))

    def section(self) -> None:
        """Add a line between the row before and the row after."""
        self.table.add_section()

    def fits(self, width: int) -> bool:
        """Whether no cell is folded in a terminal of this width."""
        return Console(width=10_000).measure(self.table).maximum <= width

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.title:  # printed here, because rich would fold a title to the width of the table
            yield Text(shortened(self.title, SENTENCE), style="bold")
        yield self.table


class Printed:
    """A base class of results: `print` in Python, and a notebook as HTML, show what the command prints."""

    @abstractmethod
    def print_to(self, console: Console) -> None:
        """Print the result, as the command line does."""

    def __str__(self) -> str:
        console = _console(shutil.get_terminal_size((WIDTH, 0)).columns)
        self.print_to(console)
        return console.export_text().rstrip()

    def _repr_html_(self) -> str:
        console = _console(WIDTH)
        self.print_to(console)
        return console.export_html(code_format=FORMAT, inline_styles=True)


def _console(width: int) -> Console:
    return Console(file=StringIO(), record=True, width=width, force_jupyter=False, highlight=False)


# ---- boards

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


def widest(columns: int, across: int) -> int:
    """The greatest width of a cell, up to 3, with which `across` cells fit into `columns`; 1 if no width fits."""
    return max(1, min(3, (columns - SIDES) // across))


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
