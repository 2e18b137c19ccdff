"""Tables for the terminal in one style, and results whose text and HTML are what the command prints of them.

Cells are literal text: markup and control characters in cells have no effect. In a terminal that is too narrow, rich
folds the cells into several lines.
"""

import shutil
from abc import abstractmethod
from collections.abc import Sequence
from io import StringIO

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from local_runner.language.text import SENTENCE, shortened

CELL = 40  # default of the widest cell, in characters of the terminal
WIDTH = 120  # columns of a text outside a terminal, and of the HTML; wider tables are split
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
        if self.title:  # not a title of rich, which is folded to the width of the table
            yield Text(shortened(self.title, SENTENCE), style="bold")
        yield self.table


class Printed:
    """A base class of results: Python shows by `print`, and a notebook as HTML, what the command prints."""

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
