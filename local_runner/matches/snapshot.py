"""Snapshots of agents: the files that an agent sees (agents/own_files.py), kept from the start of a run.

All games of a run are played from copies of these files. So an agent may be edited, moved or deleted meanwhile.
"""

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from local_runner.agents import own_files, programs
from local_runner.agents.files import content_of
from local_runner.agents.spec import AgentSpec
from local_runner.processes import interpreters, scratch

EXECUTABLE = (b"\x7fELF", b"#!", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")  # Linux, scripts, macOS
HASH_DIGITS = 16  # hexadecimal digits of a fingerprint


class Snapshot(NamedTuple):
    """The files of an agent: path in its folder -> content. `main`: the name of the file with the controller."""

    main: str
    files: Mapping[str, bytes]


class Copy(NamedTuple):
    """An agent in a run: its spec, and the path of the copy of its file that is played."""

    agent: AgentSpec
    path: Path


def take(agent: AgentSpec) -> Snapshot:
    """The snapshot of an agent as it is on the disk now. Raises AgentError and RunnerError as `own_files.seen` does."""
    folder, main = agent.path.parent, agent.path.name
    sources = {name: folder / name for name in sorted(own_files.seen(agent) - {main})} | own_files.of_program(agent)
    files = {name: own_files.content(source) for name, source in sources.items()}
    return Snapshot(main, {main: content_of(agent.path), **{k: v for k, v in files.items() if v is not None}})


def take_all(agents: Iterable[AgentSpec]) -> list[Snapshot]:
    """The snapshots of agents; agents of the same files share a snapshot. Raises as `take` does."""
    taken: dict[tuple[object, ...], Snapshot] = {}
    for agent in (agents := list(agents)):
        if _place(agent) not in taken:
            taken[_place(agent)] = take(agent)
    return [taken[_place(agent)] for agent in agents]


def _place(agent: AgentSpec) -> tuple[object, ...]:
    """Where an agent's files lie: programs of one protocol have the same file, but their own folders."""
    return agent.path, agent.alone, agent.options.get("home") if agent.is_program else None


def taken_whole(file: Path) -> Snapshot:
    """The snapshot of a copy that `unpacked` has made: all files in its folder."""
    names = [name for files, _waiting in own_files.walked(file.parent) for name in files]
    return Snapshot(file.name, {name: content_of(file.parent / name) for name in sorted(names)})


def own(snapshot: Snapshot) -> dict[str, bytes]:
    """The files of a snapshot that the agent's code names, and its main file: path -> content, in order."""
    return {name: snapshot.files[name] for name in own_files.own(snapshot.main, snapshot.files, snapshot.files.get)}


def fingerprint(agent: AgentSpec, snapshot: Snapshot | None = None) -> str:
    """A hash of the files that an agent's code names, of its main file's name and of its options.

    `snapshot`: the files; by default those on the disk.
    """
    digest = hashlib.sha256()
    for name, content in own(snapshot or take(agent)).items():
        digest.update(os.fsencode(name) + b"\0" + hashlib.sha256(content).digest())
    options = json.dumps(sorted(agent.options.items()), ensure_ascii=True)
    digest.update(os.fsencode(agent.path.name) + b"\0" + options.encode())
    return digest.hexdigest()[:HASH_DIGITS]


def changed(agent: AgentSpec, snapshot: Snapshot) -> list[Path]:
    """The files that the code of a snapshot names and that are different or missing on the disk."""
    folder, of_program = agent.path.parent, own_files.of_program(agent)
    pairs = ((of_program.get(name, folder / name), content) for name, content in own(snapshot).items())
    return [path for path, content in pairs if own_files.content(path) != content]


@contextlib.contextmanager
def unpacked(agents: Sequence[AgentSpec], snapshots: Sequence[Snapshot], python: str) -> Iterator[list[Copy]]:
    """Write snapshots into a temporary folder inside a `with`; returns where each agent's copy lies.

    An agent of the project whose files differ from those on the disk counts as a stranger's: its spec gets the path of
    the copy. `python`: the agents' interpreter.
    """
    interpreters.folders(python)  # compiles the project's agents, whose compiled files are copied
    with scratch.folder(scratch.SNAPSHOTS) as folder:
        folder.chmod(0o711)  # the user of a sandbox may reach the copies
        made: dict[tuple[Path, int], Copy] = {}  # agents of one file share a copy
        copies = list[Copy]()
        for number, (agent, snapshot) in enumerate(zip(agents, snapshots, strict=True)):
            key = agent.path, id(snapshot)
            if key not in made:
                made[key] = copied(agent, snapshot, folder / str(number))
            ours, path = made[key].agent.path, made[key].path
            copies.append(Copy(replace(agent, path=ours), path))
        yield copies


def copied(agent: AgentSpec, snapshot: Snapshot, folder: Path) -> Copy:
    """Write the snapshot of an agent into a folder, which is made; see `unpacked`."""
    home = agent.path.parent
    place = folder / (home.name or "agent")  # a submission.py is named by its folder
    if not snapshot.files:  # they were lost, and the agent was gone, when the tournament's file was salvaged
        snapshot = take(agent)
    write(snapshot, place)
    path = place / snapshot.main
    if not agent.is_ours:
        return Copy(agent, path)
    if any(own_files.content(home / name) != content for name, content in snapshot.files.items()):
        return Copy(replace(agent, path=path), path)
    for name in snapshot.files:
        source, target = home / name, place / name
        with contextlib.suppress(OSError):
            state = source.stat()
            os.utime(target, ns=(state.st_atime_ns, state.st_mtime_ns))  # compiled files are valid for this time only
            for compiled in (source.parent / "__pycache__").glob(f"{source.stem}.*.pyc"):
                (target.parent / "__pycache__").mkdir(exist_ok=True)
                shutil.copy(compiled, target.parent / "__pycache__" / compiled.name)
    return Copy(agent, path)


def write(snapshot: Snapshot, folder: Path) -> None:
    """Write the files of a snapshot into a folder, which is made."""
    for name, content in snapshot.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if content.startswith(EXECUTABLE) and name.startswith(f"{programs.COPY}/"):
            path.chmod(0o755)


def is_inside(name: str) -> bool:
    """Whether the path of a file in a snapshot leads nowhere else; a file that a stranger sent may have others."""
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\0" not in name
