"""Which files of its folder an agent sees: they are copied for a run, and nothing else is given to the agent.

An agent that is named by its folder has
    its file, the Python files beside it, and the files that its code names: modules, data, folders
    the whole folder if it belongs to the agent (a submission.py, or a package) and is small
An agent that is named by its file (`AgentSpec.alone`), or whose folder holds the user's home, has its file and the
modules that it imports, directly or by way of other modules. A link must then lead to a file beside it with the same
ending. Hidden folders, hidden files that the code does not name, __pycache__, and links that lead out of the folder or
into a hidden one are left out. A file counts as named if a string of the code has its name or its ending, or an import
has its name. `{n}` and `%d` in a string stand for any text. Strings of encoded data name nothing.
"""

import contextlib
import functools
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from local_runner.agents import programs
from local_runner.agents.files import content_of
from local_runner.agents.spec import AgentSpec
from local_runner.errors import AgentError, RunnerError
from local_runner.language.languages import _
from local_runner.system.files import lies_in

MB = 1_000_000
MOST_MB = 100  # MB; limit of the files of a snapshot
WHOLE_MB = 10  # MB; an agent's own folder is taken whole up to this size
WHOLE_FILES = 1000  # and up to this number of files
MOST_TEXT = 8_000_000  # bytes; a larger file is not searched for names
MOST_ENTRIES = 10_000  # most files and folders of one folder that are looked at
MOST_DEPTH = 20  # folders below one another
INIT = "__init__.py"
MODULES = (".py", ".pyc", ".so", ".pyd")  # endings of modules; .pyc without source, outside __pycache__

STRING = re.compile(r"""["']([^"'\n]{1,300})["']""")
DATA = re.compile(r"[^\s/]{80,}")  # encoded data, such as weights as text: it names no file
IMPORT = re.compile(r"^\s*(?:from\s+([.\w]+)\s+)?import\s+(\([^)]*\)|[^#\n]+)", re.MULTILINE)
IMPORT_BY_NAME = re.compile(r"""\b(?:import_module|__import__)\(\s*["']([.\w]+)""")
PLACEHOLDER = re.compile(r"\{[^{}\n]*\}|%\d*[a-z]")
LISTS_FOLDERS = re.compile(r"\b(?:listdir|scandir|iterdir|[ri]?glob|os\.walk|iter_modules)\s*\(")
WORD = re.compile(r"[\w.*?~+-]+")
Listing = Callable[[str], tuple[list[str], list[str]]]  # folder, "" or "a/b/" -> names of its files and of its folders


class _Named:
    """The names in the texts of an agent's files. `imports_only`: whether only imports name files."""

    def __init__(self, imports_only: bool = False) -> None:
        self._imports_only = imports_only
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
            strings = "\n".join(string for string in STRING.findall(text) if not DATA.fullmatch(string))
            self.lists_folders |= LISTS_FOLDERS.search(text) is not None
            for source, imported in IMPORT.findall(text):
                self.modules.update(re.findall(r"\w+", f"{source} {imported}"))
            self.modules.update(part for name in IMPORT_BY_NAME.findall(text) for part in name.split(".") if part)
        if self._imports_only:
            return
        words = {*WORD.findall(strings), *WORD.findall(PLACEHOLDER.sub("*", strings))}
        self.patterns |= {word for word in words if ("*" in word or "?" in word) and re.search(r"\w", word)}
        self.words |= words
        self.modules.update(part for word in words if "." in word for part in word.split("."))

    def has(self, name: str) -> bool:
        """Whether a file is named: by its name, its ending or a pattern; a module also by its name in an import.

        A hidden file is named only by its whole name.
        """
        suffix = PurePosixPath(name).suffix
        if self._imports_only:
            return name == INIT or (suffix in MODULES and name.split(".")[0] in self.modules)
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


def seen(agent: AgentSpec) -> set[str]:
    """The paths, in its folder, of the files that an agent sees as they are on the disk now.

    Raises AgentError if its file cannot be read, and RunnerError for more than `MOST_MB`.
    """
    folder, main = agent.path.parent, agent.path.name
    content_of(agent.path, 1)
    near = _shares_folder(agent)
    listing = functools.partial(_listed, folder, near=near)
    if near:
        names = _named(main, listing, lambda name: content(folder / name), imports_only=True)
        more = set[str]()
    else:
        whole = set(_whole(folder) or ()) if _owns_folder(agent.path) else set()
        names = more = {name for name in whole or listing("")[0] if not _is_hidden(name)}
        if names != whole:  # otherwise there is nothing to look for
            names = _named(main, listing, lambda name: content(folder / name))
            more = more if whole else {name for name in more if name.endswith(".py")}
    if _size(folder, names | more) <= MOST_MB * MB:
        names = names | more
    if _size(folder, names) > MOST_MB * MB:
        sentence = _("{file}: with the files that its code names it has more than {most} MB, too much to keep with the "
                     "games; leave out what it does not need, or give it a folder of its own")  # fmt: skip
        raise RunnerError(sentence.format(file=agent.path, most=MOST_MB))
    return names | {main}


def of_program(agent: AgentSpec) -> dict[str, Path]:
    """The files in the own folder of a program of others (programs.py): name in the snapshot -> path.

    {} if the agent is none, or the program has no folder of its own, or the folder is too large: it is played in place.
    """
    home = Path(str(agent.options.get("home", "")))
    if not agent.is_program or "home" not in agent.options:
        return {}
    return {f"{programs.COPY}/{name}": home / name for name in _whole(home, MOST_MB) or ()}


def missed(agent: AgentSpec) -> set[str]:
    """The files that the code of an agent names and that it does not see, because its folder may be others', too."""
    if not _shares_folder(agent):
        return set()
    folder = agent.path.parent
    named = _named(agent.path.name, functools.partial(_listed, folder, near=True), lambda name: content(folder / name))
    return named - seen(agent)


def places(agent: AgentSpec) -> tuple[Path, ...]:
    """The files that an agent sees, or its folder if that belongs to the agent."""
    folder = agent.path.parent
    if agent.is_ours or not _shares_folder(agent):
        return (folder,)
    return tuple(folder / name for name in sorted(seen(agent)))


def own(main: str, files: Collection[str], read: Callable[[str], bytes | None]) -> list[str]:
    """The main file and those of the other files that its code names, in order."""
    of_its_program = {name for name in files if name.startswith(f"{programs.COPY}/")}
    return sorted(of_its_program | _named(main, functools.partial(_inside, sorted(files)), read))


def _is_hidden(name: str) -> bool:
    return PurePosixPath(name).name.startswith(".")


def _shares_folder(agent: AgentSpec) -> bool:
    """Whether the agent's folder may hold files of others: its file was named, or its folder holds the user's home."""
    return agent.alone or _is_above_home(agent.path.parent)


def _owns_folder(file: Path) -> bool:
    """Whether all files in the folder belong to the agent: it is a submission.py, or a package."""
    return file.name == "submission.py" or (file.parent / INIT).is_file()


def _whole(folder: Path, most_mb: int = WHOLE_MB) -> list[str] | None:
    """All files in a folder and below; None if they are too many, or the user's home lies in the folder."""
    if _is_above_home(folder):
        return None
    chosen, size = list[str](), 0
    for files, waiting in walked(folder):
        chosen += files
        size += _size(folder, files)
        if size > most_mb * MB or len(chosen) > WHOLE_FILES or waiting > WHOLE_FILES:
            return None
    return chosen


def walked(top: Path) -> Iterator[tuple[list[str], int]]:
    """For `top` and each folder below: the paths of its files, and how many folders are still to be looked at."""
    waiting = [""]
    while waiting:
        place = waiting.pop()
        files, folders = _listed(top, place)
        waiting += [f"{place}{name}/" for name in folders]
        yield [place + name for name in files], len(waiting)


def _is_above_home(folder: Path) -> bool:
    return Path.home().is_relative_to(folder)


def _named(main: str, listing: Listing, read: Callable[[str], bytes | None], imports_only: bool = False) -> set[str]:
    """The main file, and all files that it names, directly or by way of other files that it names."""
    listing = functools.cache(listing)
    named, reached, fresh = _Named(imports_only), set[str](), {main}
    while fresh:
        for name in sorted(fresh):
            named.read(name, read(name) or b"")
        reached |= fresh
        fresh = set(_fitting(named, listing, "")) - reached
    return reached


def _fitting(named: _Named, listing: Listing, folder: str) -> Iterator[str]:
    files, folders = listing(folder)
    yield from (folder + name for name in files if named.has(name))
    for name in folders:
        if named.has_folder(name):
            yield from _fitting(named, listing, f"{folder}{name}/")


def _listed(top: Path, folder: str, near: bool = False) -> tuple[list[str], list[str]]:
    """The files and folders in a folder below `top` that an agent may see. `near`: see `_may_be_followed`."""
    files, folders = list[str](), list[str]()
    with contextlib.suppress(OSError), os.scandir(top / folder) as entries:
        for number, entry in enumerate(entries):
            if number > MOST_ENTRIES:
                break
            if entry.is_dir():
                hidden = entry.name.startswith(".") or entry.name == "__pycache__"
                if not hidden and not (near and entry.is_symlink()) and _leads_down(entry, top):
                    folders.append(entry.name)
            elif lies_in(Path(entry.path), top) and (not entry.is_symlink() or _may_be_followed(entry, top, near)):
                files.append(entry.name)
    too_far = _is_above_home(top) or folder.count("/") > MOST_DEPTH
    return sorted(files), [] if too_far else sorted(folders)


def _may_be_followed(entry: "os.DirEntry[str]", top: Path, near: bool) -> bool:
    """Whether a link to a file below `top` leads to no hidden place; `near`: and to a file beside it of its ending."""
    target, beside = Path(os.path.realpath(entry.path)), os.path.realpath(os.path.dirname(entry.path))
    if near and (str(target.parent) != beside or target.suffix != Path(entry.name).suffix):
        return False
    return not _is_in_hidden(target, top)


def _leads_down(entry: "os.DirEntry[str]", top: Path) -> bool:
    """Whether a folder is no link, or a link to a folder below `top` that does not contain the link."""
    if not entry.is_symlink():
        return True
    target = Path(os.path.realpath(entry.path))
    place = Path(os.path.realpath(os.path.dirname(entry.path)))
    inside = target.is_relative_to(os.path.realpath(top)) and not place.is_relative_to(target)
    return inside and not _is_in_hidden(target, top)


def _is_in_hidden(target: Path, top: Path) -> bool:
    """Whether a real path below `top` is hidden, or lies in a hidden folder."""
    return any(part.startswith(".") for part in target.relative_to(os.path.realpath(top)).parts)


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


def content(path: Path) -> bytes | None:
    """The content of a file; None if it cannot be read or is gone, as an editor's temporary file may be."""
    try:
        return content_of(path) if path.is_file() else None
    except (AgentError, OSError):
        return None
