"""Measures our engines in fixed positions, on this Python and on Python 3.7 if there is one.

    python -m workshop.lab.bench gobang        nodes/s, stones/s, depth and VCF
    python -m workshop.lab.bench reversi       nodes/s, depth and solved endgames, on 8x8 and 10x10

The signature is a hash of nodes and values at a fixed depth. All machines and Pythons give the same signature. A change
of the engine's behaviour changes the signature.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Annotated

import typer

from local_runner.processes.interpreters import pythons
from workshop.command import run

ROOT = Path(__file__).resolve().parents[3]
Quick = Annotated[bool, typer.Option("--quick", help="A tenth of the positions, less depth and time for each.")]


def gobang(quick: Quick = False) -> None:
    """The gobang engine."""
    _measure("gobang", quick)


def reversi(quick: Quick = False) -> None:
    """The Reversi engine."""
    _measure("reversi", quick)


def _measure(game: str, quick: bool) -> None:
    """Run host.py, which prints the figures, in a fresh process of each Python."""
    for python in pythons():
        print(python.title, flush=True)
        command = [str(python.path), "-m", "workshop.lab.bench.host", game, *["quick"] * quick]
        subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    run(gobang, reversi)
