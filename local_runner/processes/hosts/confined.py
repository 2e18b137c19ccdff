"""Confines this process, then runs another host script in it. This script starts every host script.

    confined.py SETTINGS SCRIPT ARGUMENTS
SETTINGS is a JSON object:
    core      the CPU core to pin the process to, or null
    guard_of  the process id of the runner, or 0 if this process is the init of a PID namespace (portable/guard.py)
    group     a file descriptor by which the agent's process enters its control group, or null
    orders    the arguments of `confine` in portable/confinement.py
    imports   folders from which the script imports; they are put on `sys.path`
"""

import json
import os
import resource
import signal
import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any, Dict

PORTABLE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "portable")
NO_CORE_BYTES = 1  # Linux writes no smaller core dump; with 0 it would still start the machine's crash handler
MAX_FILE_BYTES = 64 << 20  # size limit of each file that an agent writes, including the file with its output


def settle_in(settings: Dict[str, Any]) -> None:
    """Limit files and core dumps, leave the guard behind, enter the group and the core, and confine this process."""
    core = min(NO_CORE_BYTES, resource.getrlimit(resource.RLIMIT_CORE)[1] % (1 << 64))  # -1: no limit
    resource.setrlimit(resource.RLIMIT_CORE, (core, core))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))
    guard = load_portable("guard")
    confinement = load_portable("confinement")
    guard.stand(settings["guard_of"])
    if settings["group"] is not None:
        os.write(settings["group"], b"0")
        os.close(settings["group"])
    if settings["core"] is not None:
        os.sched_setaffinity(0, {settings["core"]})
    confinement.confine(settings["orders"], load_portable)
    guard.tie(os.getppid(), signal.SIGKILL)  # again, because the kernel drops this setting when the user changes


def load_portable(name: str) -> ModuleType:
    """Load a module of portable/. The folder portable/ is not on `sys.path`, so that agents cannot import from it."""
    return run(os.path.join(PORTABLE, name + ".py"), "tengen_" + name)


def run(path: str, name: str, **given: Any) -> ModuleType:
    """Run a file as the module `name`; `given`: global variables that the module has from the start.

    Unlike `runpy`, this function uses the file's compiled code if there is any.
    """
    spec = spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    vars(module).update(given)
    if name == "__main__":
        sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    script, settings = sys.argv[2], json.loads(sys.argv[1])
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = settings["imports"] + [folder for folder in sys.path if folder != here]  # no agent imports the hosts
    settle_in(settings)
    sys.argv[:3] = [script]
    run(script, "__main__", load_portable=load_portable)
