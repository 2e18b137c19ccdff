"""Checks that an agent's file, at the path that a user gives, exists and can be read.

Every error names the file and says what to do. The syntax is checked later, by the interpreter that loads the agent
(agent_side/loading.py), because that Python may have another version.
"""

import os
import stat
from difflib import get_close_matches
from pathlib import Path

from local_runner.errors import AgentError
from local_runner.language.languages import _
from local_runner.system.files import reason, size

MAIN = "submission.py"
MOST_SOURCE = 64_000_000  # bytes; a larger source is not opened


def kind_at(path: Path) -> int | None:
    """The file type at a path, as `stat.S_IFMT` gives it; None if nothing is there.

    Raises AgentError for a dangling link, and if the user may not enter a folder on the path.
    """
    try:
        return stat.S_IFMT(os.stat(path).st_mode)
    except PermissionError as error:
        sentence = _("{file} cannot be reached: a folder above it is closed to you; open it (chmod a+x), or copy the "
                     "file to a folder of yours")  # fmt: skip
        raise AgentError(sentence.format(file=path)) from error
    except (OSError, ValueError) as error:  # ValueError: a null character
        if os.path.islink(path):
            sentence = _("{file} is a link to {target}, which is not there; mend the link, or name the file itself")
            raise AgentError(sentence.format(file=path, target=os.readlink(path))) from error
        return None


def check_readable(path: Path, *, is_source: bool = True) -> None:
    """Raise AgentError if the path is not a regular file, the file cannot be read, or a source is over MOST_SOURCE."""
    if kind_at(path) != stat.S_IFREG:
        sentence = _("{file} is no file that can be read; name a submission.py, or its folder")
        raise AgentError(sentence.format(file=path))
    if is_source and (many := size(path)) > MOST_SOURCE:
        sentence = _("{file} has {size:,} bytes; a source may have at most {most:,}: put its data into another file")
        raise AgentError(sentence.format(file=path, size=many, most=MOST_SOURCE))
    content_of(path, 1)


def listed(folder: Path) -> list[Path]:
    """The entries of a folder. Raises AgentError if the folder cannot be read."""
    try:
        return list(folder.iterdir())
    except OSError as error:
        sentence = _("the folder {folder} cannot be read ({error}); make it readable (chmod u+rx), or name a copy")
        raise AgentError(sentence.format(folder=folder, error=reason(error))) from error


def check_spelling(path: Path) -> None:
    """Raise AgentError if nothing is at a path, but a Python file of a similar name is beside it."""
    beside = [each.name for each in path.parent.glob("*.py")] if path.parent.is_dir() else []
    if like := get_close_matches(path.name, beside, n=1):
        sentence = _("there is no file {file}; did you mean {like}?")
        raise AgentError(sentence.format(file=path, like=path.parent / like[0]))


def source_of(path: Path) -> bytes:
    """The content of a source. Raises AgentError as check_readable does."""
    check_readable(path)
    return content_of(path)


def content_of(path: Path, most: int = -1) -> bytes:
    """The first `most` bytes of a file, by default all. Raises AgentError if the file cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(most)
    except OSError as error:
        sentence = _("{file} cannot be read ({error}); make it readable (chmod u+r), or name a copy of it")
        raise AgentError(sentence.format(file=path, error=reason(error))) from error
