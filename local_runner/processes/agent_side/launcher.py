"""Runs a host script in a confined process, and stays as the guard that ends this process. It starts every host script.

    launcher.py SETTINGS SCRIPT ARGUMENTS      SETTINGS: JSON, see Sandbox.settings; "status": the guard's pipe
    runner ── (bwrap ──) guard ── the agent's process (── descendants, if it may have any)

The guard acts on SIGTERM (from the runner), on SIGIO (the runner's end of the pipe is closed, as when the runner dies)
and on SIGCHLD. On Linux it is a subreaper, so orphaned descendants of the agent become its children. When the init of a
PID namespace ends, the kernel ends all its processes. On other systems the guard kills the agent's process group.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import resource
import select
import signal
import struct
import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any, Dict, Optional

HERE = os.path.dirname(os.path.abspath(__file__))
NO_CORE_BYTES = 1  # Linux writes no smaller core dump; with 0 it would still start the machine's crash handler
MAX_FILE_BYTES = 64 << 20  # size limit of each file that an agent writes, including the file with its output
OWN_KILL = 33  # signal by which a process ends that sends SIGKILL to itself; otherwise only the C library uses it
STATUS = struct.Struct("=iq")  # the wait status of the agent's process, and its peak memory in bytes
ON_LINUX = sys.platform == "linux"
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36  # <linux/prctl.h>
AWAITED = {signal.SIGTERM, signal.SIGCHLD, signal.SIGIO}


def settle_in(settings: Dict[str, Any]) -> None:
    """Limit files and core dumps, leave the guard behind, and confine this process irrevocably."""
    core = min(NO_CORE_BYTES, resource.getrlimit(resource.RLIMIT_CORE)[1] % (1 << 64))  # -1: no limit
    resource.setrlimit(resource.RLIMIT_CORE, (core, core))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))
    stand(settings["status"])
    if settings["core"] is not None:
        os.sched_setaffinity(0, {settings["core"]})
    for name, value in settings["limits"].items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        lower = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (lower, lower))
    if not settings["confined"]:
        return
    kernel = load_beside("kernel")
    kernel.drop_rights()
    if settings["landlock"]:
        files = settings["landlock"]
        own = f"/proc/{os.getpid()}"  # readable, so that the process can measure its own memory
        kernel.restrict_files([*files["readable"], own], files["writable"], files["listed"])
    signal.signal(signal.SIGSYS, lambda *_: os.kill(os.getpid(), OWN_KILL))
    kernel.filter_calls(**settings["filter"])


# ---- the guard


def stand(status: int) -> None:
    """Fork: the function returns in the child, which has its own session; the parent is the guard and never returns."""
    signal.signal(signal.SIGCHLD, lambda *_: None)  # some systems drop a blocked SIGCHLD that has no handler
    mask_before = signal.pthread_sigmask(signal.SIG_BLOCK, AWAITED)
    guard = os.getpid()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    with contextlib.suppress(OSError):  # a system whose pipes send no signals
        fcntl.fcntl(status, fcntl.F_SETOWN, guard)
        fcntl.fcntl(status, fcntl.F_SETFL, os.O_WRONLY | os.O_ASYNC)
    agent = os.fork()
    if agent:
        watch_over(agent, status)
    os.close(status)
    os.setsid()
    if ON_LINUX:
        prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
        if os.getppid() != guard:  # the guard died before prctl was called
            os._exit(1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask_before)


def watch_over(agent: int, status: int) -> None:
    """Wait for the end of the agent or runner, or SIGTERM; kill all descendants, write the agent's STATUS, exit."""
    os.dup2(status, 3)
    os.closerange(4, 256)  # the guard must not keep the agent's pipes open
    prctl(PR_SET_DUMPABLE, 0)  # no process may open the guard's memory or files
    ended, runner = None, select.poll()
    runner.register(3, 0)  # poll reports POLLERR when the runner has closed its end of the pipe
    while ended is None and not runner.poll(0) and signal.sigwait(AWAITED) != signal.SIGTERM:
        with contextlib.suppress(ChildProcessError):
            ended = reap(agent)
    if os.getpid() != 1:
        end_all(agent)
    if ended is not None and not runner.poll(0):
        os.write(3, ended)
    os._exit(0)


def reap(agent: int) -> Optional[bytes]:
    """Reap children that have ended; returns the agent's STATUS if the agent has ended, else None."""
    while True:
        pid, status, used = os.wait4(-1, os.WNOHANG)
        if pid in (0, agent):
            return STATUS.pack(status, used.ru_maxrss * (1024 if ON_LINUX else 1)) if pid else None


def end_all(agent: int) -> None:
    """Kill children until none is left. The children of a killed process become the guard's and are killed next."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(agent, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:
            with contextlib.suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children") as children:  # on Linux
                for child in children.read().split():
                    os.kill(int(child), signal.SIGKILL)
            os.wait()


def prctl(option: int, value: int) -> None:
    """Call prctl on Linux."""
    if ON_LINUX:
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), *[ctypes.c_ulong(0)] * 3)


# ---- the script


def load_beside(name: str) -> ModuleType:
    """Load a module of this folder, which is not on `sys.path`, so that agents cannot import from it."""
    return run(os.path.join(HERE, name + ".py"), "tengen_" + name)


def run(path: str, name: str, **given: Any) -> ModuleType:
    """Run a file, by its compiled code if there is any, as the module `name`; `given`: variables that it has before."""
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
    sys.path[:] = settings["imports"] + [folder for folder in sys.path if folder != HERE]  # no agent imports the hosts
    settle_in(settings)
    sys.argv[:3] = [script]
    run(script, "__main__", load_beside=load_beside)
