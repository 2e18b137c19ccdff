"""Tables for the terminal that stay readable at 80 columns.

A table that is wider than the terminal is split into several tables below each other, which repeat the first columns.
Cells are literal text: markup and control characters in cells have no effect. Chinese may break between any two
characters, but no line begins with a closing mark such as "，", and a number stays with its words, as in "第 1 步".
"""

import contextlib
import re
from collections.abc import Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from local_runner.language.text import SENTENCE, shortened

PADDING = 1  # columns of a cell's padding
GAP = PADDING + 1  # columns between two cells: padding and divider, both spaces
CELL = 40  # default of the most columns of a cell
HAN, OPENING, CLOSING = "\u4e00-\u9fff", "（“", "，。、；：？！）”"

# rich breaks lines only between words. This is its pattern of a word, to which a Chinese sentence was a single one.
with contextlib.suppress(ImportError):  # the module is private, so a later rich may lack it
    from rich import _wrap

    _wrap.re_word = re.compile(
        rf"\s*[{OPENING}]*(?:第 \S+ [{HAN}]|[{HAN}]|[^\s{HAN}{OPENING}{CLOSING}]+|\S)[{CLOSING}]*\s*"
    )


class WideTable:
    """A table with a head over each column. A table that is too wide is split into parts.

    `heads`: a head may have several lines. `labels`: number of first columns that each part repeats. These columns are
    aligned left, all others right. `most`: most columns of a cell; longer text is shortened. A cell that is wider than
    the terminal is folded into several lines.
    """

    def __init__(self, title: str, heads: Sequence[str], labels: int = 1, most: int = CELL) -> None:
        self.title, self.most = title, most
        self.heads = ["\n".join(shortened(line, most) for line in head.split("\n")) for head in heads]
        self.labels = labels
        self.rows: list[Sequence[str] | None] = []  # None: a line between the row before and the row after

    def add(self, *cells: str) -> None:
        """Add a row. Missing cells at the end of the row are empty."""
        self.rows.append([shortened(cell, self.most) for cell in cells] + [""] * (len(self.heads) - len(cells)))

    def section(self) -> None:
        """Add a line between the row before and the row after."""
        self.rows.append(None)

    def fits(self, width: int) -> bool:
        """Whether the table is not split in a terminal of this width."""
        return len(self._parts(width)) == 1

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.title:
            yield Text(shortened(self.title, SENTENCE), style="bold")
        for number, columns in enumerate(self._parts(options.max_width)):
            if number:
                yield Text()
            yield self._part(columns, options.max_width)

    def _parts(self, width: int) -> list[list[int]]:
        """The indices of the columns in each part."""
        labels = list(range(self.labels))
        taken = sum(self._width(column) + GAP for column in labels)
        parts: list[list[int]] = []
        used = width + 1
        for column in range(self.labels, len(self.heads)):
            needed = self._width(column) + GAP
            if used + needed > width + GAP:
                parts.append([*labels])
                used = taken
            parts[-1].append(column)
            used += needed
        return parts or [labels]

    def _width(self, column: int) -> int:
        lines = [*self.heads[column].split("\n"), *(row[column] for row in self.rows if row is not None)]
        return max(map(cell_len, lines))

    def _part(self, columns: Sequence[int], width: int) -> Table:
        table = plain_table()
        room = width - sum(self._width(label) + GAP for label in range(self.labels))
        for column in columns:
            label = column < self.labels
            table.add_column(Text(self.heads[column]), justify="left" if label else "right", overflow="fold",
                             no_wrap=not label and self._width(column) <= room)  # fmt: skip
        for row in self.rows:
            if row is None:
                table.add_section()
            else:
                table.add_row(*(Text(row[column]) for column in columns))
        return table


def plain_table() -> Table:
    """An empty table in the style that all tables share: a line under the heads, no frame."""
    return Table(box=box.SIMPLE_HEAD, padding=(0, PADDING, 0, 0), pad_edge=False, show_edge=False)
