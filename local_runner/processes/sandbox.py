"""The sandbox: restricts the files, system calls and resources that an agent's process may use.

There are three kinds, the best first:
    BUBBLEWRAP  namespaces for processes, IPC and network, and mounts with read-only system folders (the tool `bwrap`)
    KERNEL      Landlock, which the host script applies to itself (agent_side/launcher.py)
    NONE        no sandbox: the agent has the rights of the user who started the runner
BUBBLEWRAP and KERNEL also set resource limits, take root's capabilities away, and install the same filter on system
calls. `wrap` makes the command line. docs/en/explanation/trust.md says what each kind protects.
"""

import functools
import json
import os
import platform
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _, shown
from local_runner.processes import interpreters
from local_runner.processes.agent_side import landlock, seccomp

PACKAGE = Path(__file__).resolve().parents[1]
LAUNCHER = PACKAGE / "processes" / "agent_side" / "launcher.py"
# Folders with our code that an agent's process loads.
OURS = [str(PACKAGE / name) for name in ("processes/agent_side", "agents/opponents")]
SYSTEM = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store", "/etc/alternatives",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/timezone",
]  # fmt: skip
DEVICES = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"]  # not /dev/zero: it can be mapped as shared memory
# Environment variables that agents see. PYTHONPATH, PYTHONOPTIMIZE and such are left out, since the site has none. The
# language is left out, too: then files and output are UTF-8, as in the site's container.
KEPT_VARIABLES = ("PATH", "TZ", "LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONHASHSEED")
KEPT_PREFIXES = ("OMP_", "OPENBLAS_", "MKL_", "NUMEXPR_")
CHANGING_PREFIXES = ("PYTHON", "LC_", "LANG")  # left out even without a sandbox
SCRATCH = "tengen-agent-"  # prefix of the names of agents' scratch folders (scratch.py)
ROOM = "/tmp"  # the folder in memory under bubblewrap, the only one that an agent can write
OWN = "/tmp/tengen-own"  # the agent's working folder under bubblewrap
# The links of /dev under bubblewrap: /dev/fd -> /proc/self/fd and so on.
LINKS = [part for number, name in enumerate(("stdin", "stdout", "stderr"))
         for part in ("--symlink", f"/proc/self/fd/{number}", f"/dev/{name}")]  # fmt: skip
LINKS += ["--symlink", "/proc/self/fd", "/dev/fd", "--symlink", ROOM, "/dev/shm"]
# The last mounts under bubblewrap: no agent resets its peak memory in /proc/self, writes other memory there, or into /.
CLOSED = ["--remount-ro", "/proc", "--remount-ro", "/"]
SCRATCH_BYTES = 64 << 20  # size limit of ROOM, and of the scratch folder under KERNEL
THREADS = 256  # limit of threads of an agent, and of processes of one that may have some
OPEN_FILES, OPEN_FILES_OF_MANY = 64, 256  # limit of open files of a process; the second if an agent may have processes
SIGNALS = 256  # limit of queued signals and of timers; the kernel counts those of all processes of the user
# Limits of memory that the process asks for, as multiples of the limit of resident memory, and their least values in
# bytes, since libraries reserve more than they use: the address space bounds page tables, the data bound the machine.
ADDRESS_SPACE, LEAST_ADDRESS_SPACE = 16, 4 << 30
DATA, LEAST_DATA = 4, 1 << 30
PROBE_SECONDS = 20.0  # time limit of the test whether bubblewrap works
HOW_TO_GET = Message("install bubblewrap (Debian and Ubuntu: apt install bubblewrap)")


class SandboxMode(Enum):
    """The option --sandbox. AUTO: the best kind of this machine. ON: as AUTO, an error if there is none. OFF: none."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class Kind(Enum):
    """How agents are confined; the value is the kind's name as a message."""

    BUBBLEWRAP = "bubblewrap"
    KERNEL = Message("Landlock and seccomp")
    NONE = Message("no sandbox")


@dataclass(frozen=True)
class Wrapped:
    """An interpreter in a sandbox.

    interpreter: the start of its command line
    environment: its environment variables
    folder: the working folder in which it is started
    settings: how the launcher confines the process (agent_side/launcher.py)
    """

    interpreter: list[str]
    environment: dict[str, str]
    folder: str
    settings: dict[str, Any]

    def running(self, script: Path, settings: Mapping[str, Any], *arguments: str) -> list[str]:
        """The command line that runs a host script; `settings`: further settings of the launcher."""
        given = json.dumps({**self.settings, **settings})
        return [*self.interpreter, "-u", str(LAUNCHER), given, str(script), *arguments]


def chosen(mode: SandboxMode, *, trusted: bool = False) -> Kind:
    """The kind of sandbox to use. `trusted`: the agent is ours, so it may run without a sandbox.

    If this machine has no sandbox, a stranger's agent in mode AUTO causes a warning that says what is missing. Raises
    RunnerError instead if the mode is ON, or if the runner is root and the agent is a stranger's.
    """
    if mode is SandboxMode.OFF:
        return Kind.NONE
    kind = best()
    if kind is not Kind.NONE or (trusted and mode is SandboxMode.AUTO):
        return kind
    why, how = lacking(), shown(HOW_TO_GET)
    if mode is SandboxMode.ON:
        raise RunnerError(_("--sandbox on: this machine has no sandbox ({why}); {how}").format(why=why, how=how))
    if is_root():
        sentence = _("a stranger's agent must not run as root without a sandbox ({why}); {how}, run as another user, "
                     "or trust the agent with --sandbox off")  # fmt: skip
        raise RunnerError(sentence.format(why=why, how=how))
    sentence = _("no sandbox here ({why}): agents have all your rights; {how}, or say --sandbox off to hide this")
    _warn(sentence.format(why=why, how=how))
    return kind


@functools.cache
def _warn(sentence: str) -> None:
    warnings.warn(sentence, SandboxWarning, stacklevel=2)


class SandboxWarning(UserWarning):
    """Warns that agents run without a sandbox."""


def is_root() -> bool:
    """Whether the runner's user is root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


@functools.cache
def best() -> Kind:
    """The best kind that works on this machine; NONE if no sandbox works."""
    return next((kind for kind in (Kind.BUBBLEWRAP, Kind.KERNEL) if not why_not(kind)), Kind.NONE)


def lacking() -> str:
    """Why this machine has no sandbox, as a part of a sentence."""
    return "; ".join(why_not(kind) for kind in (Kind.BUBBLEWRAP, Kind.KERNEL))


@functools.cache
def why_not(kind: Kind) -> str:
    """Why a kind does not work here, as a part of a sentence; "" if it works."""
    if sys.platform != "linux":
        return _("{kind} needs Linux").format(kind=shown(kind.value))
    if kind is Kind.BUBBLEWRAP:
        if shutil.which("bwrap") is None:
            return _("bubblewrap is not installed")
        return _why_it_fails([*_bubblewrap(sys.executable), *CLOSED, "--", sys.executable, "-I", "-S", "-c", ""])
    if kind is Kind.KERNEL:
        if platform.machine() not in seccomp.MACHINES:
            sentence = _("the seccomp filter is for x86-64 and ARM64, not {machine}")
            return sentence.format(machine=platform.machine())
        if not landlock.version():
            return _("the kernel has no Landlock (Linux 5.13 or newer)")
    return ""


def _why_it_fails(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PROBE_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return _("bubblewrap does not start: {error}").format(error=error)
    if not done.returncode:
        return ""
    said = done.stderr.strip().splitlines() or [_("exit code {code}").format(code=done.returncode)]
    return _("bubblewrap does not work: {error}").format(error=said[-1])


def wrap(
    kind: Kind, python: str, scratch: Path, *, readable: Iterable[Path] = (),
    writable: Iterable[Path] = (), memory_mb: float | None = None, processes: bool = False,
) -> Wrapped:  # fmt: skip
    """The interpreter `python` in a sandbox of this kind.

    scratch: a new folder; the working folder, except under bubblewrap, which makes its own
    readable, writable: files and folders that the agent may use besides the system's and Python's
    memory_mb: limit of resident memory, from which the limits of the address space are computed; None: no limit
    processes: whether the agent may start further processes
    """
    isolated = kind is Kind.BUBBLEWRAP
    settings: dict[str, Any] = {
        "runner": 0 if isolated else os.getpid(), "confined": kind is not Kind.NONE, "landlock": None,
        "filter": {"processes": processes, "isolated": isolated}, "limits": {},
    }  # fmt: skip
    if kind is Kind.NONE:
        kept = {k: v for k, v in os.environ.items() if k in KEPT_VARIABLES or not k.startswith(CHANGING_PREFIXES)}
        return Wrapped([python], {**kept, "PYTHONIOENCODING": "utf-8"}, str(scratch), settings)
    if not any(Path(python).is_relative_to(folder) for folder in interpreters.folders(python)):
        python = os.path.realpath(python)
    limits = settings["limits"]
    limits["RLIMIT_SIGPENDING"] = SIGNALS
    limits["RLIMIT_NOFILE"] = OPEN_FILES_OF_MANY if processes else OPEN_FILES
    if processes:
        limits["RLIMIT_NPROC"] = THREADS if isolated else THREADS + _tasks_now()
    if memory_mb is not None:
        limit = int(memory_mb * 1_000_000)
        limits["RLIMIT_AS"] = max(LEAST_ADDRESS_SPACE, ADDRESS_SPACE * limit)
        limits["RLIMIT_DATA"] = max(LEAST_DATA, DATA * limit)
    seen = [*map(Path, OURS), *readable]
    if isolated:
        prefix = [*_bubblewrap(python), *_bound(map(str, seen)), *_bound(map(str, writable), how="--bind"), *CLOSED]
        prefix += ["--perms", "0777", "--dir", OWN, "--chdir", OWN, "--as-pid-1", "--", python]
        return Wrapped(prefix, _environment(OWN), "/", settings)
    settings["landlock"] = {
        "readable": [*SYSTEM, *interpreters.folders(python), *map(str, seen)],
        "writable": [*DEVICES, str(scratch), *map(str, writable)],
        "listed": sorted({str(place.parent) for place in seen if os.path.isfile(place)}),
    }
    return Wrapped([python], _environment(str(scratch)), str(scratch), settings)


def _bubblewrap(python: str) -> list[str]:
    """The bubblewrap command with its namespaces, its own file systems, and the folders that every agent sees.

    CLOSED must follow after the last mount. /dev has no terminals, because all users share their number.
    """
    rights = ["--cap-drop", "ALL"] if is_root() else []
    return [
        "bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", *rights, "--die-with-parent", "--new-session",
        *_bound(SYSTEM), "--proc", "/proc", "--tmpfs", "/dev", *_bound(DEVICES, how="--dev-bind"), *LINKS,
        "--size", str(SCRATCH_BYTES), "--perms", "1777", "--tmpfs", ROOM, "--remount-ro", "/dev",
        *_bound(interpreters.folders(python)),
    ]  # fmt: skip


def _bound(places: Iterable[str], how: str = "--ro-bind") -> list[str]:
    """Bubblewrap's options that mount these paths where they are."""
    places = [place for place in places if os.path.exists(place)]
    above = dict.fromkeys(str(parent) for place in places for parent in reversed(Path(place).parents))
    options = [part for folder in above if folder not in ("/", "/tmp") for part in ("--perms", "0755", "--dir", folder)]
    return options + [part for place in places for part in (how, place, place)]


def _environment(home: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k in KEPT_VARIABLES or k.startswith(KEPT_PREFIXES)}
    return {**kept, "HOME": home, "TMPDIR": home, "USER": "agent", "PYTHONIOENCODING": "utf-8"}


def _tasks_now() -> int:
    """The number of processes and threads on the machine, an upper bound for the user's processes and threads."""
    return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
