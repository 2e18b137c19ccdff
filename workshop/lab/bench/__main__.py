"""Measures our engines in fixed positions, on this Python and on Python 3.7 if there is one.

    python -m workshop.lab.bench gobang        nodes/s, stones/s, depth and VCF
    python -m workshop.lab.bench reversi       nodes/s, depth and solved endgames, on 8x8 and 10x10

The signature is a hash of nodes and values at a fixed depth. All machines and Pythons give the same signature. A change
of the engine's behaviour changes the signature.
"""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from workshop.command import run
from workshop.lab.bench import gobang as gobang_engine
from workshop.lab.bench import reversi as reversi_engine
from workshop.lab.bench.engine import show

Quick = Annotated[bool, typer.Option("--quick", help="A tenth of the positions, less depth and time for each.")]


def gobang(quick: Quick = False) -> None:
    """The gobang engine."""
    show(gobang_engine.bench(gobang_engine.QUICK if quick else gobang_engine.WHOLE), Console())


def reversi(quick: Quick = False) -> None:
    """The Reversi engine."""
    figures = reversi_engine.bench(reversi_engine.QUICK if quick else reversi_engine.WHOLE)
    for title in dict.fromkeys(each.title for each in figures):
        show([each for each in figures if each.title == title], Console())


if __name__ == "__main__":
    run(gobang, reversi)
