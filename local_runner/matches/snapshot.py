"""Snapshots of agents: the files that an agent loads, kept from the start of a run.

All games of a run are played from copies of these files. So an agent may be edited, moved or deleted meanwhile. The
snapshot of an agent has
    its file, the Python files beside it, and the files that its code names: modules, data, folders
    the whole folder if it belongs to the agent (a submission.py, or a package) and is small
    the own folder of a program of others (agents/programs.py), below engine/
Hidden folders, hidden files that the code does not name, __pycache__, and links that lead out of the folder are left
out. A file counts as named if a string of the code has its name or its ending, or an import has its name. `{n}` and
`%d` in a string stand for any text.
"""

import contextlib
import functools
import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from local_runner.agents import programs
from local_runner.agents.catalogue import OptionValue
from local_runner.agents.files import content_of
from local_runner.agents.spec import AgentSpec
from local_runner.errors import AgentError, RunnerError
from local_runner.language.languages import _
from local_runner.processes import interpreters, scratch
from local_runner.system.files import lies_in

MB = 1_000_000
MOST_MB = 100  # MB; limit of the files of a snapshot
WHOLE_MB = 10  # MB; an agent's own folder is taken whole up to this size
WHOLE_FILES = 1000  # and up to this number of files
MOST_TEXT = 8_000_000  # bytes; a larger file is not searched for names
MOST_ENTRIES = 10_000  # most files and folders of one folder that are looked at
HASH_DIGITS = 16  # hexadecimal digits of a fingerprint
MOST_DEPTH = 20  # folders below one another
INIT = "__init__.py"
MODULES = (".py", ".pyc", ".so", ".pyd")  # endings of modules; .pyc without source, outside __pycache__

STRING = re.compile(r"""["']([^"'\n]{1,300})["']""")
IMPORT = re.compile(r"^\s*(?:from\s+([.\w]+)\s+)?import\s+(\([^)]*\)|[^#\n]+)", re.MULTILINE)
PLACEHOLDER = re.compile(r"\{[^{}\n]*\}|%\d*[a-z]")
LISTS_FOLDERS = re.compile(r"\b(?:listdir|scandir|iterdir|[ri]?glob|os\.walk|iter_modules)\s*\(")
EXECUTABLE = (b"\x7fELF", b"#!", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")  # Linux, scripts, macOS
WORD = re.compile(r"[\w.*?~+-]+")

Listing = Callable[[str], tuple[list[str], list[str]]]  # folder, "" or "a/b/" -> names of its files and of its folders


class Snapshot(NamedTuple):
    """The files of an agent: path in its folder -> content. `main`: the name of the file with the controller."""

    main: str
    files: Mapping[str, bytes]


class Copy(NamedTuple):
    """An agent in a run: its spec, and the path of the copy of its file that is played."""

    agent: AgentSpec
    path: Path


class _Named:
    """The names in the texts of an agent's files."""

    def __init__(self) -> None:
        self.modules: set[str] = set()  # parts of imported names, and strings that may be module names
        self.words: set[str] = set()  # parts of strings: names of files, folders and endings
        self.patterns: set[str] = set()  # such parts with wildcards
        self.lists_folders = False

    def read(self, name: str, content: bytes) -> None:
        """Add the names in a file: of Python the imports and the strings, of other text every word."""
        if b"\0" in content[:1000] or len(content) > MOST_TEXT:
            return
        text = content.decode("utf-8", "replace")
        strings = text
        if PurePosixPath(name).suffix in ("", ".py"):
            strings = "\n".join(STRING.findall(text))
            self.lists_folders |= LISTS_FOLDERS.search(text) is not None
            for source, imported in IMPORT.findall(text):
                self.modules.update(re.findall(r"\w+", f"{source} {imported}"))
        words = {*WORD.findall(strings), *WORD.findall(PLACEHOLDER.sub("*", strings))}
        self.patterns |= {word for word in words if ("*" in word or "?" in word) and re.search(r"\w", word)}
        self.words |= words
        self.modules.update(part for word in words if "." in word for part in word.split("."))

    def has(self, name: str) -> bool:
        """Whether a file is named: by its name, its ending or a pattern; a module also by its name in an import.

        A hidden file is named only by its whole name.
        """
        suffix = PurePosixPath(name).suffix
        if name == INIT or name in self.words or _is_hidden(name):
            return name == INIT or name in self.words
        if self.lists_folders:
            return True
        if any(fnmatchcase(name, pattern) for pattern in self.patterns):
            return True
        return self.has_folder(name.split(".")[0]) if suffix in MODULES else bool(suffix) and suffix in self.words

    def has_folder(self, name: str) -> bool:
        """Whether a folder, or a module without its ending, is named."""
        return name in self.modules or name in self.words or any(fnmatchcase(name, each) for each in self.patterns)


def take(agent: AgentSpec) -> Snapshot:
    """The snapshot of an agent as it is on the disk now.

    Raises AgentError if its file cannot be read, and RunnerError for more than `MOST_MB`.
    """
    folder, main = agent.path.parent, agent.path.name
    content_of(agent.path, 1)
    whole = set(_whole(folder) or ()) if _owns_folder(agent.path) else set()
    more = {name for name in whole or _listed(folder, "")[0] if not _is_hidden(name)}
    names = more
    if names != whole:  # otherwise there is nothing to look for
        names = _named(main, functools.partial(_listed, folder), lambda name: _content(folder / name))
        more = more if whole else {name for name in more if name.endswith(".py")}
        if _size(folder, names | more) <= MOST_MB * MB:
            names |= more
    if _size(folder, names) > MOST_MB * MB:
        sentence = _("{file}: with the files that its code names it has more than {most} MB, too much to keep with the "
                     "games; leave out what it does not need, or give it a folder of its own")  # fmt: skip
        raise RunnerError(sentence.format(file=agent.path, most=MOST_MB))
    sources = {name: folder / name for name in sorted(names - {main})} | _of_program(agent)
    files = {name: _content(source) for name, source in sources.items()}
    return Snapshot(main, {main: content_of(agent.path), **{k: v for k, v in files.items() if v is not None}})


def _of_program(agent: AgentSpec) -> dict[str, Path]:
    """The files in the own folder of a program of others: name in the snapshot -> path.

    {} if the agent is none, or the program has no folder of its own, or the folder is too large: it is played in place.
    """
    home = Path(str(agent.options.get("home", "")))
    if not agent.is_program or "home" not in agent.options:
        return {}
    names = _whole(home, MOST_MB) or ()
    return {f"{programs.COPY}/{name}": home / name for name in names}


def take_all(agents: Iterable[AgentSpec]) -> list[Snapshot]:
    """The snapshots of agents; agents of the same files share a snapshot. Raises as `take` does."""
    taken: dict[tuple[Path, OptionValue], Snapshot] = {}
    for agent in (agents := list(agents)):
        if _place(agent) not in taken:
            taken[_place(agent)] = take(agent)
    return [taken[_place(agent)] for agent in agents]


def _place(agent: AgentSpec) -> tuple[Path, OptionValue]:
    """Where an agent's files lie: programs of one protocol have the same file, but their own folders."""
    return agent.path, agent.options.get("home") if agent.is_program else None


def taken_whole(file: Path) -> Snapshot:
    """The snapshot of a copy that `unpacked` has made: all files in its folder."""
    names = [name for files, _waiting in _walked(file.parent) for name in files]
    return Snapshot(file.name, {name: content_of(file.parent / name) for name in sorted(names)})


def own(snapshot: Snapshot) -> dict[str, bytes]:
    """The files of a snapshot that the agent's code names, and its main file: path -> content, in order."""
    found = _named(snapshot.main, functools.partial(_inside, sorted(snapshot.files)), snapshot.files.get)
    found |= {name for name in snapshot.files if name.startswith(f"{programs.COPY}/")}
    return {name: snapshot.files[name] for name in sorted(found)}


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
    folder, of_program = agent.path.parent, _of_program(agent)
    pairs = ((of_program.get(name, folder / name), content) for name, content in own(snapshot).items())
    return [path for path, content in pairs if _content(path) != content]


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
    if any(_content(home / name) != content for name, content in snapshot.files.items()):
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


def _is_hidden(name: str) -> bool:
    return PurePosixPath(name).name.startswith(".")


def _owns_folder(file: Path) -> bool:
    """Whether all files in the folder belong to the agent: it is a submission.py, or a package."""
    return file.name == "submission.py" or (file.parent / INIT).is_file()


def _whole(folder: Path, most_mb: int = WHOLE_MB) -> list[str] | None:
    """All files in a folder and below; None if they are too many, or the user's home lies in the folder."""
    if _is_above_home(folder):
        return None
    found, size = list[str](), 0
    for files, waiting in _walked(folder):
        found += files
        size += _size(folder, files)
        if size > most_mb * MB or len(found) > WHOLE_FILES or waiting > WHOLE_FILES:
            return None
    return found


def _walked(top: Path) -> Iterator[tuple[list[str], int]]:
    """For `top` and each folder below: the paths of its files, and how many folders are still to be looked at."""
    waiting = [""]
    while waiting:
        place = waiting.pop()
        files, folders = _listed(top, place)
        waiting += [f"{place}{name}/" for name in folders]
        yield [place + name for name in files], len(waiting)


def _is_above_home(folder: Path) -> bool:
    return Path.home().is_relative_to(folder)


def _named(main: str, listing: Listing, read: Callable[[str], bytes | None]) -> set[str]:
    """The main file, and all files that it names, directly or by way of other files that it names."""
    listing = functools.cache(listing)
    named, found, fresh = _Named(), set[str](), {main}
    while fresh:
        for name in sorted(fresh):
            named.read(name, read(name) or b"")
        found |= fresh
        fresh = set(_fitting(named, listing, "")) - found
    return found


def _fitting(named: _Named, listing: Listing, folder: str) -> Iterator[str]:
    files, folders = listing(folder)
    yield from (folder + name for name in files if named.has(name))
    for name in folders:
        if named.has_folder(name):
            yield from _fitting(named, listing, f"{folder}{name}/")


def _listed(top: Path, folder: str) -> tuple[list[str], list[str]]:
    """The files and folders in a folder below `top`, without those that no snapshot has."""
    files, folders = list[str](), list[str]()
    with contextlib.suppress(OSError), os.scandir(top / folder) as entries:
        for number, entry in enumerate(entries):
            if number > MOST_ENTRIES:
                break
            if entry.is_dir():
                if not entry.name.startswith(".") and entry.name != "__pycache__" and _leads_down(entry, top):
                    folders.append(entry.name)
            elif lies_in(Path(entry.path), top):
                files.append(entry.name)
    too_far = _is_above_home(top) or folder.count("/") > MOST_DEPTH
    return sorted(files), [] if too_far else sorted(folders)


def _leads_down(entry: "os.DirEntry[str]", top: Path) -> bool:
    """Whether a folder is no link, or a link to a folder below `top` that does not contain the link."""
    if not entry.is_symlink():
        return True
    target = Path(os.path.realpath(entry.path))
    place = Path(os.path.realpath(os.path.dirname(entry.path)))
    return target.is_relative_to(os.path.realpath(top)) and not place.is_relative_to(target)


def _inside(names: Iterable[str], folder: str) -> tuple[list[str], list[str]]:
    """As `_listed`, from the paths of a snapshot's files."""
    below = [name[len(folder) :] for name in names if name.startswith(folder)]
    return [name for name in below if "/" not in name], sorted({name.split("/")[0] for name in below if "/" in name})


def _size(folder: Path, names: Iterable[str]) -> int:
    total = 0
    for name in names:
        with contextlib.suppress(OSError):
            total += (folder / name).stat().st_size
    return total


def _content(path: Path) -> bytes | None:
    """The content of a file; None if it cannot be read or is gone, as an editor's temporary file may be."""
    try:
        return content_of(path) if path.is_file() else None
    except (AgentError, OSError):
        return None
