"""The sandbox: restricts the files, system calls and resources that an agent's process may use.

There are two kinds of sandbox; a process has one of them. With Bubblewrap, the process has namespaces and mounts of its
own. With Landlock, it applies the kernel's rules on files to itself (agent_side/launcher.py). In both kinds the process
has limits of resources, none of root's capabilities, and the same filter on system calls.
docs/en/explanation/trust.md says what each kind protects.
"""

import functools
import os
import platform
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Literal

from local_runner.errors import RunnerError
from local_runner.language.languages import SEMICOLON, Message, _, shown
from local_runner.processes import interpreters, procfs
from local_runner.processes.agent_side import kernel
from local_runner.system import files
from local_runner.system.checks import member

PACKAGE = Path(__file__).resolve().parents[1]
# Folders with our code that an agent's process loads.
OURS = [PACKAGE / "processes" / "agent_side", PACKAGE / "agents" / "opponents"]
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
ROOM = "/tmp"  # the folder in memory under bubblewrap, the only one that an agent can write
OWN = "/tmp/tengen-own"  # the agent's working folder under bubblewrap
LINKS = [part for name, place in {"stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
                                  "fd": "/proc/self/fd", "shm": ROOM}.items()
         for part in ("--symlink", place, f"/dev/{name}")]  # fmt: skip
# The last mounts under bubblewrap: no agent resets its peak memory in /proc/self, writes other memory there, or into /.
CLOSED = ["--remount-ro", "/proc", "--remount-ro", "/"]
SCRATCH_BYTES = 64 << 20  # size limit of ROOM, and of the scratch folder under Landlock
INODE_BYTES = 2 << 10  # bytes that the kernel needs for a file in memory, without content
THREADS = 256  # limit of threads of an agent, and of processes of one that may have some
OPEN_FILES, OPEN_FILES_OF_MANY = 64, 256  # limit of open files of a process; the second if an agent may have processes
SIGNALS = 256  # limit of queued signals and of timers; the kernel counts them over all processes of the user
# Limits of memory that the process asks for, as multiples of the limit of resident memory, and their least values in
# bytes, since libraries reserve more than they use: the address space bounds page tables, the data bound the machine.
ADDRESS_SPACE, LEAST_ADDRESS_SPACE = 16, 4 << 30
DATA, LEAST_DATA = 4, 1 << 30
PROBE_SECONDS = 20.0  # time limit of a test whether a sandbox works
HOW_TO_GET = (Message("install bubblewrap (Debian and Ubuntu: apt install bubblewrap)") if sys.platform == "linux" else
              Message("run strangers' agents in a virtual machine with Linux"))  # fmt: skip
SandboxName = Literal["auto", "on", "off"]


class SandboxMode(Enum):
    """The option --sandbox. AUTO: the machine's best sandbox. ON: as AUTO, an error if there is none. OFF: none."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


def sandbox_mode(name: SandboxName | SandboxMode) -> SandboxMode:
    """The sandbox mode with this name. Raises RunnerError for another name."""
    return name if isinstance(name, SandboxMode) else member(SandboxMode, _("sandbox mode"), name)


@dataclass(frozen=True)
class HostScript:
    """A script of agent_side/ and how to run it."""

    path: Path
    python: str  # path of the interpreter
    mode: SandboxMode
    arguments: tuple[str, ...] = ()  # the script's first arguments
    readable: tuple[Path, ...] = ()  # files and folders that the script may read, besides the system's
    trusted: bool = False  # whether the script runs only our code, which needs no sandbox
    processes: bool = False  # whether the script may start further processes
    memory_mb: float | None = None  # limit of resident memory and base of the other limits of memory; None: no limit
    core: int | None = None  # the CPU core to pin the process to; None: any core
    imports: tuple[Path, ...] = ()  # folders from which the script imports, besides Python's


class Sandbox:
    """No sandbox; the base class of the sandboxes."""

    title: Message | str = Message("no sandbox")
    confined = False  # whether the system call filter and the limits are set
    isolated = False  # whether the agent has namespaces of its own

    def why_not(self) -> str:
        """Why this sandbox does not work here, as a part of a sentence; "" if it works."""
        return ""

    def interpreter(self, script: HostScript) -> list[str]:
        """The start of the script's command line."""
        return [_visible(script.python) if self.confined else script.python]

    def environment(self, scratch: Path) -> dict[str, str]:
        """The script's environment variables. `scratch`: a new folder, in which the process starts."""
        prefixes = KEPT_PREFIXES if self.confined else CHANGING_PREFIXES
        kept = {name: value for name, value in os.environ.items()
                if name in KEPT_VARIABLES or name.startswith(prefixes) == self.confined}  # fmt: skip
        home = OWN if self.isolated else str(scratch)
        own = {"HOME": home, "TMPDIR": home, "USER": "agent"} if self.confined else {}
        return {**kept, **own, "PYTHONIOENCODING": "utf-8"}

    def file_bytes(self, agent: int, scratch: Path) -> tuple[int, int]:
        """What an agent has written into the sandbox's folder: bytes in memory and in files; `agent`: its process."""
        return 0, 0

    def settings(self, script: HostScript, scratch: Path) -> dict[str, Any]:
        """How agent_side/launcher.py confines the process."""
        files = OPEN_FILES_OF_MANY if script.processes else OPEN_FILES
        limits = {"RLIMIT_SIGPENDING": SIGNALS, "RLIMIT_NOFILE": files} if self.confined else {}
        if self.confined and script.processes:
            others = Path("/proc/loadavg").read_text().split()[3].partition("/")[2]  # number of all tasks
            limits["RLIMIT_NPROC"] = THREADS if self.isolated else THREADS + int(others)
        if self.confined and script.memory_mb is not None:
            limit = int(script.memory_mb * 1_000_000)
            limits["RLIMIT_AS"] = max(LEAST_ADDRESS_SPACE, ADDRESS_SPACE * limit)
            limits["RLIMIT_DATA"] = max(LEAST_DATA, DATA * limit)
        return {
            "confined": self.confined, "landlock": None,
            "filter": {"processes": script.processes, "isolated": self.isolated}, "limits": limits,
            "core": script.core, "imports": list(map(str, script.imports)),
        }  # fmt: skip


class Bubblewrap(Sandbox):
    """Namespaces, in which the agent has a folder in memory. What it writes there counts as its memory."""

    title = "bubblewrap"
    confined = isolated = True

    @functools.cache  # noqa: B019 (there is one object of this class)
    def why_not(self) -> str:
        """Run an empty program in the sandbox."""
        if sys.platform != "linux":
            return _("{kind} needs Linux").format(kind=shown(self.title))
        if shutil.which("bwrap") is None:
            return _("bubblewrap is not installed")
        command = [*self._command(sys.executable), *CLOSED, "--", sys.executable, "-I", "-S", "-c", ""]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PROBE_SECONDS)
        except (OSError, subprocess.TimeoutExpired) as error:
            return _("bubblewrap does not start: {error}").format(error=error)
        said = done.stderr.strip().splitlines() or [_("exit code {code}").format(code=done.returncode)]
        return _("bubblewrap does not work: {error}").format(error=said[-1]) if done.returncode else ""

    def interpreter(self, script: HostScript) -> list[str]:
        """The command of bubblewrap; CLOSED follows after the last mount."""
        python = _visible(script.python)
        mounts = [*_bound([*OURS, *script.readable]), *CLOSED]
        own = ["--perms", "0777", "--dir", OWN, "--chdir", OWN, "--as-pid-1", "--", python]
        return [*self._command(python), *mounts, *own]

    def file_bytes(self, agent: int, scratch: Path) -> tuple[int, int]:
        """The size of the files in memory; 0 if they cannot be seen. Folders are entered if they may be too deep."""
        room = Path("/proc", str(agent), "root", ROOM.lstrip("/"))
        try:
            usage = os.statvfs(room)
            number = usage.f_files - usage.f_ffree
            used = (usage.f_blocks - usage.f_bfree) * usage.f_frsize + INODE_BYTES * number
            return used, files.tree_bytes(room, SCRATCH_BYTES) if number > files.DEEP else 0
        except OSError:
            return 0, 0

    def _command(self, python: str) -> list[str]:
        """Bubblewrap with its namespaces, its file systems (/dev without terminals), and the folders that all see."""
        rights = ["--cap-drop", "ALL"] if is_root() else []
        return [
            "bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", *rights, "--new-session",
            *_bound(SYSTEM), "--proc", "/proc", "--tmpfs", "/dev", *_bound(DEVICES, how="--dev-bind"), *LINKS,
            "--size", str(SCRATCH_BYTES), "--perms", "1777", "--tmpfs", ROOM, "--remount-ro", "/dev",
            *_bound(interpreters.folders(python)),
        ]  # fmt: skip


class Landlock(Sandbox):
    """Rules of the kernel for files. The agent has the scratch folder, whose size is limited by counting."""

    title = Message("Landlock and seccomp")
    confined = True

    def why_not(self) -> str:
        """Ask the kernel."""
        if sys.platform != "linux":
            return _("{kind} needs Linux").format(kind=shown(self.title))
        if platform.machine() not in kernel.MACHINES:
            return _("the seccomp filter is for x86-64 and ARM64, not {machine}").format(machine=platform.machine())
        return "" if kernel.landlock_version() else _("the kernel has no Landlock (Linux 5.13 or newer)")

    def settings(self, script: HostScript, scratch: Path) -> dict[str, Any]:
        """The rules for files."""
        seen = [*OURS, *script.readable]
        rules = {
            "readable": [*SYSTEM, *interpreters.folders(script.python), *map(str, seen)],
            "writable": [*DEVICES, str(scratch)],
            "listed": sorted({str(place.parent) for place in seen if os.path.isfile(place)}),
        }
        os.utime(scratch, (0, 0))  # a later time of the last change then shows that the agent has written here
        return {**super().settings(script, scratch), "landlock": rules}

    def file_bytes(self, agent: int, scratch: Path) -> tuple[int, int]:
        """The size of the scratch folder, with the deleted files that the agent holds."""
        if not scratch.stat().st_mtime:  # still 0: the agent has made no file there
            return 0, 0
        deleted = procfs.deleted_bytes(agent, str(scratch), SCRATCH_BYTES)
        return 0, deleted + files.tree_bytes(scratch, SCRATCH_BYTES)


BUBBLEWRAP, LANDLOCK, NONE = KINDS = Bubblewrap(), Landlock(), Sandbox()


def chosen(mode: SandboxMode, *, trusted: bool = False) -> Sandbox:
    """The sandbox to use. `trusted`: the agent is ours, so it may run without a sandbox.

    If this machine has no sandbox, a stranger's agent in mode AUTO causes a warning that says what is missing. Raises
    RunnerError instead if the mode is ON, or if the runner is root and the agent is a stranger's.
    """
    if mode is SandboxMode.OFF:
        return NONE
    box = best()
    if box.confined or (trusted and mode is SandboxMode.AUTO):
        return box
    why, how = shown(SEMICOLON).join(kind.why_not() for kind in (BUBBLEWRAP, LANDLOCK)), shown(HOW_TO_GET)
    if mode is SandboxMode.ON:
        raise RunnerError(_("--sandbox on: this machine has no sandbox ({why}); {how}").format(why=why, how=how))
    if is_root():
        sentence = _("a stranger's agent must not run as root without a sandbox ({why}); {how}, run as another user, "
                     "or trust the agent with --sandbox off")  # fmt: skip
        raise RunnerError(sentence.format(why=why, how=how))
    sentence = _("no sandbox here ({why}): agents have all your rights; {how}, or say --sandbox off to hide this")
    warn_once(sentence.format(why=why, how=how))
    return box


class SandboxWarning(UserWarning):
    """Warns that agents run without a sandbox."""


# Python itself forgets which warnings it has shown whenever a `warnings.catch_warnings` begins or ends.
warn_once = functools.cache(functools.partial(warnings.warn, category=SandboxWarning))


def is_root() -> bool:
    """Whether the runner's user is root."""
    return os.geteuid() == 0


@functools.cache
def best() -> Sandbox:
    """The best sandbox that works on this machine; NONE if no other works."""
    return next(box for box in KINDS if not box.why_not())


def _visible(python: str) -> str:
    """The path of an interpreter in the folders that agents see."""
    shown_there = any(Path(python).is_relative_to(folder) for folder in interpreters.folders(python))
    return python if shown_there else os.path.realpath(python)


def _bound(places: Iterable[str | Path], how: str = "--ro-bind") -> list[str]:
    """Bubblewrap's options that mount these paths where they are."""
    paths = [str(place) for place in places if os.path.exists(place)]
    above = dict.fromkeys(str(parent) for path in paths for parent in reversed(Path(path).parents))
    options = [part for folder in above if folder not in ("/", "/tmp") for part in ("--perms", "0755", "--dir", folder)]
    return options + [part for path in paths for part in (how, path, path)]
