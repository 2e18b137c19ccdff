"""The sandbox: restricts the files, system calls and resources that an agent's process may use.

There are three kinds, the best first:
    BUBBLEWRAP  namespaces for processes, IPC and network, and mounts with read-only system folders (the tool `bwrap`)
    KERNEL      Landlock and seccomp, which the host script applies to itself (portable/confinement.py)
    NONE        no sandbox: the agent has the rights of the user who started the runner
BUBBLEWRAP also uses seccomp, and Landlock if the kernel has it. BUBBLEWRAP and KERNEL also set resource limits. If
root started the runner, these two kinds run the agent as an unprivileged user where file permissions allow that.
`wrap` makes the command line. docs/en/explanation/trust.md says what each kind protects.
"""

import functools
import importlib
import itertools
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _, shown
from local_runner.processes import interpreters

PACKAGE = Path(__file__).resolve().parents[1]
LAUNCHER = PACKAGE / "processes" / "hosts" / "confined.py"
# Folders with our code that an agent's process loads.
OURS = [str(PACKAGE / name) for name in ("processes/hosts", "processes/portable", "agents/opponents")]
SYSTEM = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store", "/etc/alternatives",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/timezone",
]  # fmt: skip
DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]
# Environment variables that agents see. PYTHONPATH, PYTHONOPTIMIZE and such are left out, since the site has none. The
# language is left out, too: then files and output are UTF-8, as in the site's container.
KEPT_VARIABLES = ("PATH", "TZ", "LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONHASHSEED")
KEPT_PREFIXES = ("OMP_", "OPENBLAS_", "MKL_", "NUMEXPR_")
CHANGING_PREFIXES = ("PYTHON", "LC_", "LANG")  # left out even without a sandbox
SCRATCH = "tengen-agent-"  # prefix of the names of agents' scratch folders (scratch.py)
ROOMS = ["/dev/shm", "/tmp"]  # the folders under bubblewrap that an agent can write
OWN = "/tmp/tengen-own"  # the agent's working folder under bubblewrap
# The links of /dev under bubblewrap: /dev/fd -> /proc/self/fd and so on.
LINKS = [part for number, name in enumerate(("stdin", "stdout", "stderr"))
         for part in ("--symlink", f"/proc/self/fd/{number}", f"/dev/{name}")]  # fmt: skip
LINKS += ["--symlink", "/proc/self/fd", "/dev/fd"]
# The last mounts under bubblewrap: no agent writes the memory of the init, whose filter is weaker, or into /.
CLOSED = ["--ro-bind", "/dev/null", "/proc/1/mem", "--remount-ro", "/"]
# Rights of a root runner's init: it starts the agent as another user, and stops all processes of that user.
INIT_RIGHTS = ("CAP_SETUID", "CAP_SETGID", "CAP_KILL")
SCRATCH_BYTES = 64 << 20  # size limit of each of ROOMS, and of the scratch folder under KERNEL
COPIED_BYTES = 100 << 20  # largest folder that is copied because an unprivileged user cannot read the original
PROCESSES = 256  # limit of processes and threads of an agent
OPEN_FILES = 256  # limit of open files of a process
SIGNALS = 256  # limit of queued signals and of timers; the kernel counts those of all processes of the user
ADDRESS_SPACE = 16  # limit of a process's address space, as a multiple of the limit of resident memory
LEAST_ADDRESS_SPACE = 4 << 30  # bytes; least limit of the address space, since libraries reserve more than they use
# Rights by which root runs agents as other users -> bit in the kernel's sets, from <linux/capability.h>.
USER_RIGHTS = {"CAP_CHOWN": 0, "CAP_SETGID": 6, "CAP_SETUID": 7}
USERS = range(61184, 65520)  # user ids that systemd sets aside for temporary users (DynamicUser)
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
    guarded: whether its guard process (portable/guard.py) is the runner's child, not the init of a PID namespace
    orders: how the process confines itself (portable/confinement.py)
    init_filter: the seccomp filter that bubblewrap installs in the init of the PID namespace; b"" without bubblewrap
    """

    interpreter: list[str]
    environment: dict[str, str]
    folder: str
    guarded: bool
    orders: dict[str, Any] = field(default_factory=dict)
    init_filter: bytes = b""

    def running(
        self, script: Path, *arguments: str, core: int | None = None, group: int | None = None,
        imports: Iterable[Path] = (),
    ) -> list[str]:  # fmt: skip
        """The command line that runs a host script.

        core: the CPU core to pin the process to; None for any
        group: a file descriptor by which the process enters its control group; None for no group
        imports: folders from which the script imports
        """
        settings = {"core": core, "group": group, "guard_of": os.getpid() if self.guarded else 0, "orders": self.orders,
                    "imports": [str(folder) for folder in imports]}  # fmt: skip
        return [*self.interpreter, "-u", str(LAUNCHER), json.dumps(settings), str(script), *arguments]


def chosen(mode: SandboxMode, *, trusted: bool = False) -> Kind:
    """The kind of sandbox to use. `trusted`: the agent is ours, so it may run without a sandbox.

    If this machine has no sandbox, a stranger's agent in mode AUTO causes a warning that says what is missing. Raises
    RunnerError instead if the mode is ON, or if the runner is root and the agent is a stranger's.
    """
    if mode is SandboxMode.OFF:
        return Kind.NONE
    kind = best()
    if kind is not Kind.NONE and not trusted and (why := why_same_user()):
        _warn(_("agents run as the same user as the runner: {why}; tengen doctor says what that means").format(why=why))
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


@functools.cache
def why_same_user() -> str:
    """Why a root runner cannot run agents as other users, as a part of a sentence; "" if it can, or is not root."""
    if not is_root():
        return ""
    for kind in ("uid", "gid"):
        if not any(first <= USERS.start and USERS.stop <= first + count for first, count in _ids(kind)):
            return _("this container has no users {first} to {last} (/proc/self/{kind}_map)").format(
                first=USERS.start, last=USERS.stop - 1, kind=kind
            )
    held = int(Path("/proc/self/status").read_text().partition("CapEff:")[2].split()[0], 16)
    missing = [name for name, bit in USER_RIGHTS.items() if not held >> bit & 1]
    return _("root lacks {rights} here").format(rights=", ".join(missing)) if missing else ""


def _ids(kind: str) -> Iterator[tuple[int, int]]:
    """The first id and the number of ids of each range of users ("uid") or groups ("gid") of this namespace."""
    for line in Path(f"/proc/self/{kind}_map").read_text().splitlines():
        first, _outside, count = map(int, line.split())
        yield first, count


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
        if platform.machine() not in _portable("seccomp").MACHINES:
            sentence = _("the seccomp filter is for x86-64 and ARM64, not {machine}")
            return sentence.format(machine=platform.machine())
        if not _portable("landlock").version():
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
    writable: Iterable[Path] = (), memory_mb: float | None = None, trusted: bool = False,
) -> Wrapped:  # fmt: skip
    """The interpreter `python` in a sandbox of this kind.

    scratch: a new folder; the working folder, except under bubblewrap, which makes its own
    readable, writable: files and folders that the agent may use besides the system's and Python's
    memory_mb: limit of resident memory, from which the limit of the address space is computed; None: no limit
    trusted: whether the script runs only our code. It has no limit of processes: outside bubblewrap the kernel counts
        all of the user's, and an agent that starts many would keep our engine from starting a thread.
    """
    if kind is Kind.NONE:
        kept = {k: v for k, v in os.environ.items() if k in KEPT_VARIABLES or not k.startswith(CHANGING_PREFIXES)}
        return Wrapped([python], {**kept, "PYTHONIOENCODING": "utf-8"}, str(scratch), guarded=True)
    if not any(Path(python).is_relative_to(folder) for folder in interpreters.folders(python)):
        python = os.path.realpath(python)
    shown = [*map(Path, OURS), *readable]
    if kind is Kind.BUBBLEWRAP:  # bubblewrap makes a folder reachable whatever the permissions of its parent folders
        visible = all(_mode_allows(Path(folder)) for folder in interpreters.folders(python))
    else:
        visible = _others_can_read(python, *shown, *(folder.parent for folder in (scratch, *writable)))
    user = next(_users) if is_root() and visible and not why_same_user() else None
    limits = {"RLIMIT_NOFILE": OPEN_FILES, "RLIMIT_SIGPENDING": SIGNALS}
    if not trusted:
        limits["RLIMIT_NPROC"] = PROCESSES if kind is Kind.BUBBLEWRAP else PROCESSES + _tasks_now()
    if memory_mb is not None:
        limits["RLIMIT_AS"] = max(LEAST_ADDRESS_SPACE, int(ADDRESS_SPACE * memory_mb * 1_000_000))
    orders: dict[str, Any] = {
        "limits": limits, "user": user, "no_capabilities": is_root(), "seccomp": True,
        "isolated": kind is Kind.BUBBLEWRAP,
    }  # fmt: skip
    for folder in (scratch, *writable):
        if user is not None:
            os.chown(folder, user, user)
    if kind is Kind.BUBBLEWRAP:
        prefix = _bubblewrap(python)
        prefix += _bound(map(str, shown), {str(place): _readable_by(user, place, scratch) for place in shown})
        prefix += _bound(map(str, writable), how="--bind")
        prefix += [*CLOSED, "--perms", "0777", "--dir", OWN, "--chdir", OWN, "--as-pid-1", "--", python]
        if _portable("landlock").version():
            orders["landlock"] = {"readable": ["/"], "writable": [*DEVICES, *ROOMS, *map(str, writable)]}
        return Wrapped(prefix, _environment(OWN), "/", False, orders, _portable("seccomp").of_init(platform.machine()))
    orders["landlock"] = {
        "readable": [*SYSTEM, *interpreters.folders(python), *map(str, shown)],
        "writable": [*DEVICES, str(scratch), *map(str, writable)],
        "listed": sorted({str(place.parent) for place in shown if os.path.isfile(place)}),
    }
    return Wrapped([python], _environment(str(scratch)), str(scratch), True, orders)


_users = itertools.cycle(USERS[os.getpid() % len(USERS) :])  # successive agents of a root runner get different user ids


def _bubblewrap(python: str) -> list[str]:
    """The bubblewrap command with its namespaces, its own file systems, and the folders that every agent sees.

    CLOSED must follow after the last mount. /dev has no terminals, because all users share their number.
    """
    kept = (part for right in INIT_RIGHTS for part in ("--cap-add", right))
    rights = ["--cap-drop", "ALL", *kept] if is_root() else []
    rooms = (part for room in ROOMS for part in ("--size", str(SCRATCH_BYTES), "--perms", "1777", "--tmpfs", room))
    return [
        "bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", *rights, "--die-with-parent", "--new-session",
        *_bound(SYSTEM), "--proc", "/proc", "--tmpfs", "/dev", *_bound(DEVICES, how="--dev-bind"), *LINKS, *rooms,
        "--remount-ro", "/dev", *_bound(interpreters.folders(python)),
    ]  # fmt: skip


def _bound(places: Iterable[str], sources: Mapping[str, Path] | None = None, how: str = "--ro-bind") -> list[str]:
    """Bubblewrap's options that mount these paths; `sources`: path -> what to mount there instead, such as a copy."""
    places = [place for place in places if os.path.exists(place)]
    above = dict.fromkeys(str(parent) for place in places for parent in reversed(Path(place).parents))
    options = [part for folder in above if folder not in ("/", "/tmp") for part in ("--perms", "0755", "--dir", folder)]
    for place in places:
        options += [how, str((sources or {}).get(place, place)), place]
    return options


def _environment(home: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k in KEPT_VARIABLES or k.startswith(KEPT_PREFIXES)}
    return {**kept, "HOME": home, "TMPDIR": home, "USER": "agent", "PYTHONIOENCODING": "utf-8"}


def _readable_by(user: int | None, place: Path, scratch: Path) -> Path:
    """`place` itself if the unprivileged user can read it, else a readable copy in `scratch`.

    Bubblewrap mounts the copy under the original path. Raises RunnerError if a folder is larger than COPIED_BYTES.
    """
    if user is None or all(_mode_allows(path) for path in (place, *place.glob("*"))):
        return place
    copy = Path(tempfile.mkdtemp(dir=scratch)) / place.name
    if place.is_file():
        shutil.copy(place, copy)
    else:
        if sum(path.stat().st_size for path in place.rglob("*") if path.is_file()) > COPIED_BYTES:
            sentence = _("{place} is too large to copy for the sandbox; make it readable (chmod -R a+rX {place})")
            raise RunnerError(sentence.format(place=place))
        shutil.copytree(place, copy, symlinks=True, ignore=shutil.ignore_patterns(f"{SCRATCH}*", "__pycache__"))
    for path in (copy, *copy.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    return copy


def _mode_allows(path: Path) -> bool:
    """Whether users other than the owner can read this file, or list and enter this folder."""
    try:
        needed = 0o005 if path.is_dir() else 0o004
        return path.stat().st_mode & needed == needed
    except OSError:  # a symbolic link to nowhere
        return True


def _others_can_read(*places: str | Path) -> bool:
    """Whether users other than the owners can reach and read all these places."""
    real = [Path(place).resolve() for place in places]
    return all(_mode_allows(place) and all(part.stat().st_mode & 0o001 for part in place.parents) for place in real)


def _tasks_now() -> int:
    """The number of processes and threads on the machine, an upper bound for the user's processes and threads."""
    return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])


def _portable(name: str) -> ModuleType:
    return importlib.import_module(f"{__package__}.portable.{name}")
