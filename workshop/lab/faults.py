"""Plays every agent in all its games against random moves and stops at the first fault; `make faults`, an hour.

Each agent plays twenty games, at 0.02 s a move if it has an option for that, then two games at its own speed. A match
without a fault leaves its file in build/faults and is not played again.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from env_adapter import make, names
from local_runner.agents.catalogue import BUILT_INS
from local_runner.agents.declared_games import games_of, plays
from local_runner.agents.spec import parse_agent
from workshop.command import run

VARIANTS = ("seed000:variant=annealing",)  # agents with options, which play in addition to the built-in agents
QUICK = {"seconds": 0.02, "off_turn_seconds": 0.02}
FOLDER = Path("build/faults")


def main() -> None:
    """Play the matches whose files are missing."""
    for agent in (*BUILT_INS, *VARIANTS):
        spec = parse_agent(agent)
        quick = (
            ",".join(f"{key}={value}" for key, value in QUICK.items() if key in BUILT_INS[agent].options)
            if agent in BUILT_INS
            else ""
        )
        for env in names():
            if plays(games_of(spec), make(env)):
                _match(f"{agent}:{quick}" if quick else agent, env, 20, FOLDER / "quick" / env / f"{spec.name}.json")
                _match(agent, env, 2, FOLDER / "own" / env / f"{spec.name}.json")


def _match(agent: str, env: str, games: int, file: Path) -> None:
    """Play a match into a file that is not there yet; a fault ends the program with the match's exit code."""
    if file.exists():
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    print(f"{agent} in {env}: {games} games", flush=True)
    options = ["--env", env, "--games", str(games), "--quiet", "--json", str(file)]
    done = subprocess.run([sys.executable, "-m", "local_runner", "match", agent, "random", *options])
    if done.returncode:
        file.unlink(missing_ok=True)
        sys.exit(done.returncode)


if __name__ == "__main__":
    run(main)
