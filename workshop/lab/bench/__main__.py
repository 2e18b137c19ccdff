"""Measures our engines in fixed positions, on this Python and on Python 3.7 if there is one.

    python -m workshop.lab.bench gobang        nodes/s, stones/s, depth, VCF, and the plain search beside them
    python -m workshop.lab.bench reversi       nodes/s, depth and solved endgames, on 8x8 and 10x10

The signature is a hash of nodes and values at a fixed depth. It is the same on every machine and Python, and changes
when the engine's behaviour changes.
"""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from workshop.command import run
from workshop.lab.bench import gobang as gobang_engine
from workshop.lab.bench import reversi as reversi_engine

Quick = Annotated[bool, typer.Option("--quick", help="A tenth of the positions, less depth and time for each.")]


def gobang(quick: Quick = False) -> None:
    """The gobang engine."""
    gobang_engine.show(gobang_engine.bench(quick=quick), Console())


def reversi(quick: Quick = False) -> None:
    """The Reversi engine."""
    reversi_engine.show(reversi_engine.bench(quick=quick), Console())


if __name__ == "__main__":
    run(gobang, reversi)
