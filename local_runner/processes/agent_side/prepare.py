"""Prepares an interpreter for the sandbox, in which files are read-only and only a few folders are visible.

As a script, `prepare.py PACKAGE` calls `ready` and prints the folders, one a line.
"""

import compileall
import os
import site
import sys
from typing import Tuple

# Modules that agents import.
LOADED = ("processes/agent_side", "agents/opponents", "../submission")


def ready(package: str) -> Tuple[str, ...]:
    """Compile the files of the folder local_runner that need it; returns the folders of the running Python."""
    for folder in LOADED:
        compileall.compile_dir(os.path.normpath(os.path.join(package, folder)), quiet=2)  # does nothing if read-only
    places = [sys.base_prefix, sys.prefix, sys.base_exec_prefix, sys.exec_prefix, os.path.realpath(sys.executable)]
    places += [*site.getsitepackages(), site.getusersitepackages()]
    places = [place for place in dict.fromkeys(places) if os.path.exists(place)]
    return tuple(
        place for place in places if not any(os.path.commonpath([place, other]) == other != place for other in places)
    )


if __name__ == "__main__":
    print("\n".join(ready(sys.argv[1])))
