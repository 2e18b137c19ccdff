"""The code of a worker on a Ray cluster: it unpacks the agents' files, plays a pair, and returns the games.

This module does not use Ray. "Home" is the machine that runs the tournament and has the agents. Records contain the
agents' paths at home, not the paths on the worker's machine. When a worker ends, guard processes kill its agents.
"""

import functools
import hashlib
import importlib.metadata
import pickle
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from local_runner.agents.own_files import AgentFiles, taken, taken_from, write
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.matches.executor import play_and_tidy
from local_runner.matches.games import PlayedGame
from local_runner.matches.plan import PlannedGame
from local_runner.processes import interpreters, scratch
from local_runner.processes.cores import claimed

PROJECT = Path(__file__).resolve().parents[2]


class SentAgent(NamedTuple):
    """The files of an agent. `file`: the path of the file that is played, on the machine that runs the tournament."""

    file: str
    files: AgentFiles


class WorkerTask(NamedTuple):
    """The games of a pair for a worker. `python`: the interpreter that runs the agents, "" for the worker's own."""

    games: Sequence[PlannedGame]
    python: str


class TaskResult(NamedTuple):
    """The games that a worker has played. `error`: the reason if games of the task are missing."""

    games: Sequence[PlayedGame]
    error: RunnerError | None = None


def played_files(game: PlannedGame) -> list[str]:
    """The paths of the files that Black and White are played from."""
    return [str(copy or agent.path) for agent, copy in zip(game.agents, game.copies, strict=True)]


def pack(file: str, agent: AgentSpec) -> SentAgent:
    """The files of an agent that is played from `file`. Raises RunnerError as `own_files.taken` does."""
    return SentAgent(file, taken(agent) if file == str(agent.path) else taken_from(Path(file)))


@functools.cache
def identity() -> str:
    """The versions of Python and tengen on this machine, with a hash of the code of env_adapter and local_runner."""
    digest = hashlib.sha256()
    for package in ("env_adapter", "local_runner"):
        for path in sorted((PROJECT / package).rglob("*.py")):
            digest.update(path.relative_to(PROJECT).as_posix().encode() + b"\0" + path.read_bytes())
    version = importlib.metadata.version("tengen")
    return f"Python {platform.python_version()} and tengen {version} ({digest.hexdigest()[:8]})"


def task() -> Callable[..., TaskResult | list[str]]:
    """The function that a worker runs; nested, because Ray sends only the code of nested functions to the workers.

    If a worker's `identity` differs from that of the machine that runs the tournament, the function plays nothing. The
    function then returns three texts: the worker's machine, its identity, and the identity of the other machine.
    """

    def run(wanted: str, task: bytes, *files: bytes) -> Any:
        import platform

        try:
            from local_runner.matches import ray_worker

            found = ray_worker.identity()
        except (ImportError, AttributeError):
            found = f"Python {platform.python_version()} and no tengen, or an older one"
        if found != wanted:
            return [platform.node(), found, wanted]
        return ray_worker.play_task(task, files)

    return run


def play_task(task: bytes, files: Sequence[bytes]) -> TaskResult:
    """Unpack the agents and play the games. The returned games contain the agents' paths at home.

    `task`: a pickled `WorkerTask`. `files`: the pickled `SentAgent` of its agents.
    """
    games, python = pickle.loads(task)
    played: list[PlayedGame] = []
    places: dict[str, Path] = {}  # path of a file at home -> its path here
    with scratch.folder(scratch.GAMES) as folder, claimed(1) as [core]:
        for sent in map(pickle.loads, files):
            name = Path(sent.file).parent.name or "agent"  # a submission.py takes its name from its folder
            place = folder / str(len(places)) / name
            places[sent.file] = write(sent.files, place)
        try:
            _check(python)
            for game in games:
                played.append(play_and_tidy(_moved_here(game, python, places), core))
        except RunnerError as error:
            sentence = str(error)
            for file, place in places.items():
                sentence = sentence.replace(str(place.parent), str(Path(file).parent))
            return TaskResult(played, type(error)(sentence))
    return TaskResult(played)


@functools.cache
def _check(python: str) -> None:
    if python:
        interpreters.check(python)


def _moved_here(game: PlannedGame, python: str, places: Mapping[str, Path]) -> PlannedGame:
    black, white = (places[file] for file in played_files(game))
    return replace(game, copies=(black, white), terms=replace(game.terms, python=python or sys.executable))
