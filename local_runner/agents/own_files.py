"""The files that belong to an agent, and copies of these files.

An agent named by its folder has all files in it. An agent named by its file has this file and the modules beside it
that it imports. An engine has the module of its protocol, and the engine's own folder if this is small. Left out:
hidden files, __pycache__, virtual environments, tournaments' files, links to folders or out of the folder.
"""

import contextlib
import math
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from local_runner.agents.source import content_of, facts
from local_runner.agents.spec import COPY, PYVENV, AgentSpec
from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.system.files import holds_games, lies_in
from local_runner.system.files import size as file_size

MB = 1_000_000
MOST_MB = 100  # MB; limit of the total size of an agent's files
MOST_FILES = 1000  # largest number of files of an agent
MODULES = (".py", ".pyc", ".so", ".pyd")  # endings of modules; .pyc without source
EXECUTABLE = (b"\x7fELF", b"#!", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")  # Linux, scripts, macOS


class AgentFiles(NamedTuple):
    """The files of an agent: path in its folder -> content. `main`: the name of the file with the controller."""

    main: str
    contents: Mapping[str, bytes]


def files_of(agent: AgentSpec) -> dict[str, Path]:
    """The files of an agent as they are on the disk now: path in its copy -> path.

    Raises AgentError if its file cannot be read, and RunnerError for more than `MOST_MB` or `MOST_FILES`.
    """
    folder = agent.path.parent
    content_of(agent.path, 1)
    files = _imported(agent.path) if shares_folder(agent) or agent.is_program else _whole(folder)
    if agent.is_program and "home" in agent.options:
        with contextlib.suppress(RunnerError):  # a larger program is played in place
            own = _whole(Path(str(agent.options["home"])))
            return {**files, **{f"{COPY}/{name}": path for name, path in own.items()}}
    return files


def place_of(agent: AgentSpec) -> tuple[object, ...]:
    """A key that is equal for agents with the same files."""
    return agent.path, agent.alone, agent.options.get("home")


def shares_folder(agent: AgentSpec) -> bool:
    """Whether the folder may hold files that are not the agent's: the user named a file, or their home lies in it."""
    return agent.alone or Path.home().is_relative_to(agent.path.parent)


def places(agent: AgentSpec) -> tuple[Path, ...]:
    """What an agent may read if it is played without a copy: its files, or its folder if this is the agent's own."""
    return tuple(files_of(agent).values()) if shares_folder(agent) and not agent.is_ours else (agent.path.parent,)


def _whole(folder: Path) -> dict[str, Path]:
    """All files of a folder and below. Raises RunnerError if they are too many, or the user's home lies in there."""
    found, size = dict[str, Path](), 0
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in sorted(folders) if not name.startswith(".") and name != "__pycache__"
                      and not Path(place, name, PYVENV).is_file()]  # fmt: skip
        for path in (Path(place, name) for name in sorted(names)):
            if not path.name.startswith(".") and lies_in(path, folder) and not holds_games(path):
                found[path.relative_to(folder).as_posix()] = path
                size += file_size(path)
        _check_size(folder, len(found), math.inf if Path.home().is_relative_to(folder) else size)
    return found


def _check_size(folder: Path, files: int, size: float) -> None:
    if size > MOST_MB * MB or files > MOST_FILES:
        sentence = _("the folder {folder} has more than {most} MB or {number} files, too much to copy for an "
                     "agent; leave out what the agent does not need, or give it a folder of its own")  # fmt: skip
        raise RunnerError(sentence.format(folder=folder, most=MOST_MB, number=MOST_FILES))


def _imported(main: Path) -> dict[str, Path]:
    """A file and the modules and packages beside it that it imports, directly or by way of others."""
    folder, found, waiting = main.parent, {main.name: main}, [main]
    while waiting:
        read = facts({str(file): file for file in waiting if file.suffix == ".py"})
        waiting = []
        for name in sorted({name for each in read.values() for name in each.packages | each.own}):
            package = folder / name
            fresh = {path.name: path for path in folder.glob(f"{name}.*") if path.suffix in MODULES
                     and lies_in(path, folder) and os.path.realpath(path).endswith(path.suffix)}  # fmt: skip
            if package.is_dir() and not package.is_symlink():
                fresh |= {f"{name}/{inner}": path for inner, path in _whole(package).items()}
            waiting += [path for inner, path in fresh.items() if inner not in found]
            found |= fresh
            _check_size(folder, len(found), sum(map(file_size, found.values())))
    return found


# ---- contents, for a file of games and for other machines


def taken(agent: AgentSpec) -> AgentFiles:
    """The contents of an agent's files as they are on the disk now. Raises as `files_of` does."""
    files = files_of(agent)
    contents = {name: content for name, path in files.items() if (content := _content(path)) is not None}
    return AgentFiles(agent.path.name, {agent.path.name: content_of(agent.path), **contents})


def taken_from(copy: Path) -> AgentFiles:
    """The contents of a copy that `copies` has made. `copy`: the path of the file with the controller."""
    return AgentFiles(copy.name, {name: content_of(path) for name, path in _whole(copy.parent).items()})


def changed(agent: AgentSpec, files: AgentFiles) -> list[Path]:
    """The files that are different or missing on the disk now. Files that were added are not listed."""
    folder, home = agent.path.parent, str(agent.options.get("home", ""))
    paths = {name: Path(home, name.removeprefix(f"{COPY}/")) if agent.is_program and
             name.startswith(f"{COPY}/") else folder / name for name in files.contents}  # fmt: skip
    return [path for name, path in paths.items() if _content(path) != files.contents[name]]


def write(files: AgentFiles, folder: Path) -> Path:
    """Write the files of an agent into a folder, which is made; returns the path of the main file."""
    for name, content in files.contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if content.startswith(EXECUTABLE) and name.startswith(f"{COPY}/"):
            path.chmod(0o755)
    return folder / files.main


def _content(path: Path) -> bytes | None:
    """The content of a file; None if it cannot be read or is gone, as an editor's temporary file may be."""
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None


def copied(agent: AgentSpec, folder: Path) -> Path:
    """Copy an agent into a folder, which is made; returns the path of the copy of its file. Raises as `files_of`."""
    home = agent.path.parent
    place = folder / (home.name or "agent")  # a submission.py is named by its folder
    if agent.is_ours:  # .pyc files are copied, too; they stay valid, because the copied sources keep their times
        shutil.copytree(home, place, dirs_exist_ok=True)
        return place / agent.path.name
    return write(taken(agent), place)
