"""A ladder: our agent against other engines, each at several levels; `make ladder` climbs the one of Reversi 8x8.

    python -m workshop.lab.ladder reversi_8x8_1v1
    python -m workshop.lab.ladder gobang_1v1 --engine "gomocup:./brain:max_node={level}" --levels 2000,10000,50000

A rung is an engine at a level. On each rung our agent plays --rounds openings of the book for tests twice, colours
swapped. A move may take --time seconds. FOLDER keeps the games and a page for each game: the page has the points and
the error bars, counted by pairs. The same command goes on after a stop; with more --rounds, it makes the ladder longer.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from local_runner.errors import RunnerError
from workshop.command import run

FOLDER = Path("build/ladder")
LEVEL = "{level}"
PROGRAM = "{program}"
GAMES = "/usr/games"  # where Debian has such programs; the PATH of root lacks it


@dataclass(frozen=True)
class KnownEngine:
    """An engine that a package gives. `agent`: its spec, with PROGRAM and LEVEL; `program`: its command."""

    agent: str
    program: str
    levels: tuple[int, ...]
    package: str


KNOWN = {"reversi_8x8_1v1": KnownEngine("gtp:{program} -l {level}", "gtp-rhino", (1, 2, 3, 4), "grhino")}


def main(
    env: Annotated[str, typer.Argument(help="The game.")],
    engine: Annotated[list[str], typer.Option(help="An engine as an agent; {level} stands for each level.")] = [],  # noqa: B006
    levels: Annotated[str, typer.Option(help="The levels, with commas between them.")] = "",
    agent: Annotated[str, typer.Option(help="Our side.")] = "tengen",
    time: Annotated[int, typer.Option(min=1, help="Seconds for a move; engines at a level take what they need.")] = 60,
    rounds: Annotated[int, typer.Option(min=1, help="Pairs of games on each rung.")] = 20,
) -> None:
    """Play the games that are missing, then write the page."""
    file = FOLDER / f"{env}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    plan = ["--resume", str(file)] if file.exists() else [
        agent, *rungs(env, engine, levels), "--env", env, "--schedule", "gauntlet", "--openings", "test",
        "--rules", "stated", "--time", str(time), "--recover", "--out", str(file),
    ]  # fmt: skip
    for command in (["tournament", *plan, "--rounds", str(rounds)], ["report", str(file)]):
        if code := subprocess.run([sys.executable, "-m", "local_runner", *command]).returncode:
            sys.exit(code)


def rungs(env: str, engines: list[str], levels: str) -> list[str]:
    """The agents of the ladder, lowest level first. Raises RunnerError if no engine is named, known or installed."""
    steps = levels.split(",")
    if not engines:
        known = KNOWN.get(env)
        if known is None:
            raise RunnerError(f"name an engine by --engine; docs/en/how-to/engines.md says which play {env}")
        if (program := shutil.which(known.program) or shutil.which(known.program, path=GAMES)) is None:
            raise RunnerError(f"there is no {known.program} here; apt-get install {known.package} gives it")
        engines, steps = (
            [known.agent.replace(PROGRAM, program)],
            steps if levels else [str(level) for level in known.levels],
        )
    return list(dict.fromkeys(engine.replace(LEVEL, step) for engine in engines for step in steps))


if __name__ == "__main__":
    run(main)
