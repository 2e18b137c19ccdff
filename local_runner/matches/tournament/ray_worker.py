"""The code of a worker on a Ray cluster: it unpacks the agents' files, plays a pair, and returns the games.

This module does not use Ray. "Home" is the machine that runs the tournament and has the agents. Records contain the
agents' paths at home, not the paths on the worker's machine. When a worker ends, guard processes kill its agents.
"""

import functools
import hashlib
import importlib.metadata
import json
import pickle
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from local_runner.agents.files import content_of
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.game.codec import as_json, details_from, result_from
from local_runner.language.languages import _
from local_runner.matches.fixture import Fixture
from local_runner.matches.tournament.executor import play_and_tidy
from local_runner.matches.tournament.plan import own_files, owns_folder
from local_runner.matches.tournament.store import PlayedGame
from local_runner.processes import interpreters, scratch
from local_runner.processes.cores import claimed
from local_runner.system.files import lies_in

PROJECT = Path(__file__).resolve().parents[3]
MB = 1_000_000
MOST_MB = 100  # MB; limit of the total size of an agent's files


class AgentFiles(NamedTuple):
    """The files of an agent. `folder`: its folder at home. `files`: path in that folder -> content."""

    folder: str
    files: Mapping[str, bytes]


class WorkerTask(NamedTuple):
    """The games of a pair for a worker. `python`: the interpreter that runs the agents, "" for the worker's own."""

    games: Sequence[Fixture]
    python: str


class TaskResult(NamedTuple):
    """The games that a worker has played. `error`: the reason if games of the task are missing."""

    games: Sequence[PlayedGame]
    error: RunnerError | None = None


def pack(agent: AgentSpec) -> AgentFiles:
    """An agent's files: `own_files`, and all other files of its folder if it owns the folder.

    Of the other files, hidden ones and __pycache__ are left out. Symbolic links to files outside the folder are left
    out, too. Raises RunnerError for more than `MOST_MB`.
    """
    folder = agent.path.parent
    files = [path for path in own_files(agent) if path.is_file()]
    if owns_folder(agent):
        files += [path for path in folder.rglob("*") if _travels(path.relative_to(folder)) and lies_in(path, folder)]
    if sum(path.stat().st_size for path in set(files)) > MOST_MB * MB:
        sentence = _("{folder} has more than {most} MB to send to the workers; give the agent a folder alone")
        raise RunnerError(sentence.format(folder=folder, most=MOST_MB))
    return AgentFiles(str(folder), {path.relative_to(folder).as_posix(): content_of(path) for path in sorted({*files})})


def unpack(sent: AgentFiles, folder: Path) -> None:
    """Write an agent's files into `folder`."""
    for name, content in sent.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


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

    If a worker's `identity` differs from that at home, the function plays nothing. The function then returns three
    texts: the worker's machine, the worker's identity, and the identity at home.
    """

    def run(wanted: str, task: bytes, *files: bytes) -> Any:
        import platform

        try:
            from local_runner.matches.tournament import ray_worker

            found = ray_worker.identity()
        except (ImportError, AttributeError):
            found = f"Python {platform.python_version()} and no tengen, or an older one"
        if found != wanted:
            return [platform.node(), found, wanted]
        return ray_worker.play_task(task, files)

    return run


def play_task(task: bytes, files: Sequence[bytes]) -> TaskResult:
    """Unpack the agents and play the games. The returned games contain the agents' paths at home.

    `task`: a pickled `WorkerTask`. `files`: the pickled `AgentFiles` of its agents.
    """
    games, python = pickle.loads(task)
    played: list[PlayedGame] = []
    places: dict[str, str] = {}  # agent's folder at home -> its folder here
    with scratch.folder(scratch.GAMES) as folder, claimed(1) as [core]:
        for sent in map(pickle.loads, files):
            name = Path(sent.folder).name or "agent"  # a submission.py takes its name from its folder
            place = places.setdefault(sent.folder, str(Path(folder, str(len(places)), name)))  # two may share a folder
            unpack(sent, Path(place))
        try:
            _check(python)
            for game in games:
                played.append(_back_home(play_and_tidy(_moved_here(game, python, places), core), places))
        except RunnerError as error:
            return TaskResult(played, type(error)(_with_home_paths(str(error), places)))
    return TaskResult(played)


@functools.cache
def _check(python: str) -> None:
    if python:
        interpreters.check(python)


def _moved_here(game: Fixture, python: str, places: Mapping[str, str]) -> Fixture:
    black, white = (replace(spec, path=Path(places[str(spec.path.parent)], spec.path.name)) for spec in game.agents)
    return replace(game, agents=(black, white), terms=replace(game.terms, python=python or sys.executable))


def _back_home(game: PlayedGame, places: Mapping[str, str]) -> PlayedGame:
    in_json = {json.dumps(home)[1:-1]: json.dumps(place)[1:-1] for home, place in places.items()}
    result, details = (json.loads(_with_home_paths(json.dumps(as_json(part)), in_json))
                       for part in (game.result, game.details))  # fmt: skip
    return replace(game, result=result_from(result), details=details_from(details))


def _with_home_paths(text: str, places: Mapping[str, str]) -> str:
    """The text with each path in `places` on this machine replaced by the path at home."""
    for home, place in places.items():
        text = text.replace(place, home)
    return text


def _travels(path: Path) -> bool:
    return not any(part == "__pycache__" or part.startswith(".") for part in path.parts)
