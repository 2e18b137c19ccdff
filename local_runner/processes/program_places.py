"""Which files and folders a program of others must be able to read in the sandbox (agents/programs.py)."""

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from local_runner.agents.catalogue import OptionValue
from local_runner.agents.programs import PYVENV
from local_runner.processes import interpreters, sandbox

PROJECT = sandbox.PACKAGE.parent


def places(options: Mapping[str, OptionValue], copied: bool, python: str) -> list[Path]:
    """The files and folders besides the system's and Python's, and besides the copy of the program's own folder.

    options: of the agent; copied: whether there is such a copy; python: the interpreter of the agent's process
    """
    program, home = Path(str(options["program"])), options.get("home")
    words = shlex.split(str(options.get("arguments", "")))
    paths = [program, *(Path(word) for word in words if os.path.isfile(word))]
    if home is not None and copied:
        paths = [place for place in paths if not place.is_relative_to(str(home))]
    elif home is not None:
        paths.append(Path(str(home)))
    if "reads" in options:
        paths.append(Path(str(options["reads"])))
    if (program.parents[1] / PYVENV).is_file():
        paths += map(Path, interpreters.folders(str(program.parent / "python")))
        paths += [sandbox.PACKAGE, PROJECT / "submission", PROJECT / "env_adapter"]  # of `tengen gomocup`
        paths.append(PROJECT / "pyproject.toml")  # a file there, so that Landlock lets an import list the folder
    seen = [Path(place) for place in (*sandbox.SYSTEM, *interpreters.folders(python))]
    kept = list[Path]()
    for place in sorted(dict.fromkeys(paths)):  # a folder comes before what lies in it
        if place.exists() and not any(place.is_relative_to(other) for other in (*seen, *kept)):
            kept.append(place)
    return kept
