"""`Printed`, a base class of results: the output of a command about a result is also its text and its HTML.

Python shows the text by `print`, a notebook shows the HTML.
"""

import shutil
from abc import abstractmethod
from io import StringIO

from rich.console import Console

WIDTH = 120  # columns of a text outside a terminal, and of the HTML; wider tables are split
FORMAT = '<pre style="line-height: 1.3; white-space: pre-wrap">{code}</pre>'


class Printed:
    """A result that a console can print."""

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
