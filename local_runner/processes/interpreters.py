"""Finds a Python 3.7 on this machine, as the platform has; tests, checks and benchmarks use it if there is one.

Every candidate is run before it is accepted, because a `python3.7` on the PATH may be a launcher for a Python that is
not installed. As a script, this module prints the path of the Python for `make python37`.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _
from local_runner.processes.agent_side import prepare
from local_runner.system.files import reason

PACKAGE = Path(__file__).resolve().parents[1]
ENVIRONMENT = PACKAGE.parent / ".venv37"
PROBE_SECONDS = 30.0  # time limit of a Python that is tried
OLDEST = (3, 7)  # the oldest Python that can run agents
VERSION_MANAGER = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
VERSION = re.compile(r"\d+(?:\.\d+)*")
PROBE = """\
import sys
print("%d.%d.%d" % sys.version_info[:3])
try:
    import numpy
    print(numpy.__version__)
except ImportError:
    print()
"""


@dataclass(frozen=True)
class Interpreter:
    """A working Python: its path, its version, and the version of its numpy ("" if it has none)."""

    path: Path
    version: str
    numpy: str

    @property
    def title(self) -> Message:
        """The versions in words, for column headings."""
        if self.numpy:
            return Message("Python {version}, numpy {numpy}", version=self.version, numpy=self.numpy)
        return Message("Python {version}, no numpy", version=self.version)


def current() -> Interpreter:
    """The Python that runs this process."""
    return cast(Interpreter, probe(Path(sys.executable)))  # never an error text, because this Python runs


@functools.cache
def folders(python: str) -> tuple[str, ...]:
    """The folders that an interpreter needs: its files, its packages, and its virtual environment if it has one.

    This function also compiles the project's code for the interpreter, because agents cannot write compiled files in
    the read-only sandbox. Returns () if the interpreter does not run.
    """
    if python == sys.executable:
        return prepare.ready(str(PACKAGE))
    command = [python, prepare.__file__, str(PACKAGE)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd="/")
    except (OSError, subprocess.TimeoutExpired):
        return ()
    paths = done.stdout.splitlines() if done.returncode == 0 else []
    started = os.path.realpath(shutil.which(python) or python)  # may be a script in another folder than its Python
    outside = paths and not any(Path(started).is_relative_to(folder) for folder in paths)
    return (*paths, started) if outside else tuple(paths)


def located(python: str) -> str:
    """The interpreter that a user names. A path becomes absolute, because agents run in other folders.

    A version, such as 3.7, becomes a name: python3.7. A name without a folder is returned unchanged. Each machine of a
    cluster finds this name on its own PATH.
    """
    if VERSION.fullmatch(python):
        python = f"python{python}"
    path = shutil.which(os.path.expanduser(python))
    if path is None:
        return python  # `check` raises the error later
    return os.path.abspath(path) if os.path.dirname(python) or not os.path.isabs(path) else python


@functools.cache
def path_of(python: str) -> str | None:
    """The path of an interpreter, from a path or a command; None if there is no such file.

    The command on the PATH may be a version manager's launcher that does not run. Then another one of its version is
    looked for.
    """
    on_path = shutil.which(python)
    version = VERSION.fullmatch(python.removeprefix("python"))
    if version is None or (on_path and isinstance(probe(Path(on_path)), Interpreter)):
        return on_path
    return next((str(each.path) for each in working(version[0])), on_path)


def check(python: str) -> None:
    """Raise RunnerError unless `python`, a path or a command, is a working Python 3.7 or newer."""
    if python == sys.executable:
        return
    path = path_of(python)
    found = probe(Path(path)) if path else None
    version = found.version if isinstance(found, Interpreter) else ""
    if version and tuple(map(int, version.split("."))) >= OLDEST:
        return
    if version:
        sentence = _("{python} is Python {version}, which is too old for agents; {advice}")
    elif found:
        sentence = _("{python} cannot be run ({why}); {advice}")
    elif os.path.exists(python):
        sentence = _("{python} is no program that can be run; {advice}")
    else:
        sentence = _("{python} was not found; {advice}")
    advice = _("give the path of a Python 3.7 or newer (`tengen doctor` shows the 3.7 of this machine)")
    raise RunnerError(sentence.format(python=python, version=version, why=found, advice=advice))


def pythons() -> list[Interpreter]:
    """The Python that runs this process, and a Python 3.7 if one is found, unless both have the same version number."""
    here, python37 = current(), find_python37()
    return [here, python37] if python37 and python37.version != here.version else [here]


def find_python37() -> Interpreter | None:
    """The first Python 3.7 with numpy, else the first without, else None."""
    first = next(found := working("3.7"), None)
    return first if first is None or first.numpy else next((python for python in found if python.numpy), first)


def working(version: str) -> Iterator[Interpreter]:
    """The Pythons of a version, such as 3.7, that run: .venv37, those on the PATH, those of the version manager."""
    places = [Path(folder, f"python{version}") for folder in os.get_exec_path()]
    if (ENVIRONMENT / "requirements.txt").is_file():
        places.insert(0, ENVIRONMENT / "bin" / "python")
    with suppress(PermissionError):  # the folder may be another user's, after su or sudo
        places += sorted(VERSION_MANAGER.glob(f"versions/{version}*/bin/python"), reverse=True)
    for found in map(probe, filter(os.path.isfile, places)):
        if isinstance(found, Interpreter) and f"{found.version}.".startswith(f"{version}."):
            yield found


def probe(path: Path) -> Interpreter | str:
    """The interpreter at `path`, or why the program is not usable as a Python, as a part of a sentence."""
    command = [str(path), "-c", PROBE]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=PROBE_SECONDS, cwd=path.parent
        )
    except OSError as error:
        return reason(error)
    except subprocess.TimeoutExpired:
        return _("it does not end")
    match = re.fullmatch(r"(\d+\.\d+\.\d+)\n(.*)\n", done.stdout)
    if match and not done.returncode:
        return Interpreter(path, match[1], match[2])
    said = done.stderr.strip().splitlines()
    return said[0] if done.returncode and said else _("it is no Python")


if __name__ == "__main__":
    bare = next(working("3.7"), None)
    if bare is None:
        sys.exit("error: " + _("no python3.7 on the PATH; install one to test under the platform's own version"))
    print(bare.path)
