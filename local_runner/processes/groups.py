"""Control groups of Linux (cgroup v2): the kernel counts, limits, stops and kills all processes of an agent together.

    home            a group that this runner may divide
    ├── tengen-runner   the runner itself, if the home has limits: a group with limits has no processes of its own
    └── tengen-nsI-PID-N  an agent with all its descendants; I: the inode of the runner's PID namespace, PID: the runner

The home is a group that systemd has delegated to this runner. If there is none, systemd is asked for one, which the
command `systemd-run --user --scope -p Delegate=yes` would do as well. Without systemd, the home is the runner's own
group if the runner may write there, as root often may. An agent cannot reach its group's files.
"""

import contextlib
import functools
import itertools
import os
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from local_runner.processes import procfs

LEAF, PREFIX = "tengen-runner", "tengen-"
CONTROLLERS = ("memory", "pids", "io")  # that a home should have; CPU time, freezing and killing need none
SYSTEM = Path("/sys")
ROOM = 32_000_000  # bytes above the limit at which the kernel kills; honest agents need less for page tables
ASK_SECONDS = 2.0  # time limit of the question to systemd, and of the move into the scope that it makes
REMOVE_SECONDS = 1.0  # time in which the processes of a killed group must be gone
DISK_SHARE = 10  # weight of an agent's disk traffic, with some disk schedulers; the weight of other processes is 100
DISK_SPEED = 64 << 20  # bytes a second that an agent may write to the disk of the temporary folders
PAGE_CACHE = (b"active_file", b"inactive_file")  # memory that the kernel takes back when needed

_numbers = itertools.count()


class Group:
    """The control group of one agent, made at once in the home.

    limit: bytes of memory, None for no limit; processes: largest number of processes and threads
    entrance: file descriptor into which a process writes "0" to enter the group
    Raises OSError if the group cannot be made.
    """

    def __init__(self, home: Path, limit: int | None, processes: int) -> None:
        self._folder = home / f"{_prefix()}{os.getpid()}-{next(_numbers)}"
        self._folder.mkdir()
        try:
            limits: dict[str, int | str] = {
                "pids.max": processes, "memory.oom.group": 1, "memory.swap.max": 0, "io.weight": DISK_SHARE,
                "io.bfq.weight": DISK_SHARE,
            }  # fmt: skip
            if disk := _disk(Path(tempfile.gettempdir())):
                limits["io.max"] = f"{disk} wbps={DISK_SPEED}"
            if limit is not None:
                limits["memory.max"] = limit + ROOM
            for name, value in limits.items():
                _written(self._folder / name, value)  # some are missing: their controller, swap, a disk scheduler
            self.entrance = os.open(self._folder / "cgroup.procs", os.O_WRONLY)
            self._freezer = os.open(self._folder / "cgroup.freeze", os.O_WRONLY)
            self._times = os.open(self._folder / "cpu.stat", os.O_RDONLY)
        except OSError:
            self._folder.rmdir()
            raise
        self._used = 0.0
        # The first process that moves into a group waits up to 40 ms, until all cores have noticed. This is done while
        # the agent's interpreter starts.
        threading.Thread(target=_wake, args=(home,), daemon=True).start()

    def cpu(self) -> float:
        """CPU seconds of all processes of the group so far, those that have ended included."""
        with contextlib.suppress(OSError):  # closed
            fields = os.pread(self._times, 4096, 0).split()
            self._used = int(fields[fields.index(b"usage_usec") + 1]) / 1e6
        return self._used

    def memory(self) -> int | None:
        """Bytes that the group holds, without the page cache of files; None if the memory is not counted here."""
        try:
            used, counts = int((self._folder / "memory.current").read_bytes()), self._counts("memory.stat")
        except OSError:
            return None
        return used - sum(int(counts.get(name, 0)) for name in PAGE_CACHE)

    def was_too_large(self) -> bool:
        """Whether the kernel has killed the group because of its memory."""
        try:
            return int(self._counts("memory.events").get(b"oom_kill", 0)) > 0
        except OSError:
            return False

    def is_busy(self, head: int) -> bool:
        """Whether a thread other than the main thread of the process `head` runs or waits for a core."""
        try:
            threads = (self._folder / "cgroup.threads").read_bytes().split()
        except OSError:
            return False
        return any(procfs.state(thread.decode()) == b"R" for thread in threads if int(thread) != head)

    def freeze(self, frozen: bool) -> None:
        """Stop all processes of the group, or continue them; both also reach processes that are just being started."""
        with contextlib.suppress(OSError):  # closed
            os.pwrite(self._freezer, b"1" if frozen else b"0", 0)

    def kill(self) -> None:
        """Kill all processes of the group."""
        if not _written(self._folder / "cgroup.kill", 1):  # removed, or Linux before 5.14: the guard kills them
            self.freeze(False)

    def close_entrance(self) -> None:
        """Close the entrance, once the process that uses it has been started; may be called twice."""
        if self.entrance >= 0:
            os.close(self.entrance)
        self.entrance = -1

    def remove(self) -> None:
        """Remove the group after its processes have ended; may be called twice."""
        self.close_entrance()
        for fd in (self._freezer, self._times):
            if fd >= 0:
                os.close(fd)
        self._freezer = self._times = -1
        until = time.monotonic() + REMOVE_SECONDS
        while self._folder.exists() and time.monotonic() < until:
            try:
                self._folder.rmdir()
            except OSError:  # a killed process has not quite ended
                time.sleep(0.001)

    def _counts(self, file: str) -> dict[bytes, bytes]:
        """The lines `name number` of a file of the group. Raises OSError."""
        return dict(line.split() for line in (self._folder / file).read_bytes().splitlines())


def made(limit: int | None, processes: int) -> Group | None:
    """A new group for an agent; None if this runner has no home."""
    if (place := home()) is None:
        return None
    try:
        return Group(place, limit, processes)
    except OSError:
        return None


@functools.cache
def home() -> Path | None:
    """The group in which this process makes groups; None if it may make none. The first call may ask systemd."""
    if (own := _own()) is None:
        return None
    if own.name == LEAF:  # another process of this runner has moved here
        return own.parent
    delegated = _is_delegated(own)
    if not delegated and _asked_systemd(own):
        own, delegated = _own() or own, True
    place = _divided(own, delegated=delegated)
    if place is not None:
        _remove_leftovers(place)
    return place


def counted() -> frozenset[str]:
    """What the kernel counts for this runner: "time" and the names of CONTROLLERS; nothing without a home."""
    if (place := home()) is None:
        return frozenset()
    return frozenset({"time", *_words(place / "cgroup.subtree_control") & set(CONTROLLERS)})


def _own() -> Path | None:
    """The folder of this process's group; None without cgroup v2."""
    mounts = procfs.PROC / "self/mountinfo"
    for line in mounts.read_text().splitlines() if mounts.exists() else ():
        fields = line.split()
        if fields[fields.index("-") + 1] == "cgroup2":
            inside = (procfs.PROC / "self/cgroup").read_text().partition("0::/")[2].splitlines()[0:1]
            return Path(fields[4], *inside)
    return None


def _is_delegated(own: Path) -> bool:
    """Whether systemd has delegated a group to its processes."""
    for name in ("user.delegate", "trusted.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(own, name) == b"1":
                return os.access(own / "cgroup.procs", os.W_OK)
    return False


def _asked_systemd(own: Path) -> bool:
    """Whether systemd has moved this process into a scope of its own, which is delegated to it."""
    whose = "--system" if os.geteuid() == 0 else "--user"
    if shutil.which("busctl") is None or not Path("/run/systemd/system").exists():
        return False
    service, path = "org.freedesktop.systemd1", "/org/freedesktop/systemd1"
    call = ["busctl", whose, "--quiet", "call", service, path, f"{service}.Manager", "StartTransientUnit",
            "ssa(sv)a(sa(sv))", f"{PREFIX}{os.getpid()}.scope", "fail", "2", "PIDs", "au", "1", str(os.getpid()),
            "Delegate", "b", "true", "0"]  # fmt: skip
    try:
        asked = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, timeout=ASK_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return False
    until = time.monotonic() + ASK_SECONDS
    while not asked.returncode and time.monotonic() < until:
        if _own() != own:
            return True
        time.sleep(0.001)
    return False


def _divided(own: Path, *, delegated: bool) -> Path | None:
    """`own`, with limits for its children where possible; None if this process may not make groups in it."""
    if not (os.access(own, os.W_OK) and os.access(own / "cgroup.procs", os.W_OK)):
        return None
    wanted = (_words(own / "cgroup.controllers") & set(CONTROLLERS)) - _words(own / "cgroup.subtree_control")
    if wanted and delegated:
        with contextlib.suppress(OSError):
            (own / LEAF).mkdir(exist_ok=True)
            for pid in (own / "cgroup.procs").read_text().split():
                _written(own / LEAF / "cgroup.procs", pid)
    for name in wanted:
        _written(own / "cgroup.subtree_control", f"+{name}")
    return own


def _disk(folder: Path) -> str | None:
    """The whole disk that holds a folder, as "MAJOR:MINOR"; None for a file system in memory or on several disks."""
    device = folder.stat().st_dev
    place = SYSTEM / f"dev/block/{os.major(device)}:{os.minor(device)}"
    if (place / "partition").exists():
        place = place.resolve().parent
    return next(iter(_words(place / "dev")), None)


def _wake(home: Path) -> None:
    """Move this process to where it is. The kernel then waits for all cores, and needs not wait for the next move."""
    _written((_own() or home) / "cgroup.procs", os.getpid())


def _remove_leftovers(home: Path) -> None:
    """Remove the groups of killed runners of this PID namespace; the kernel refuses to remove one with processes.

    Runners of another namespace, such as a container's, may share the home. Their process numbers mean nothing here,
    so this runner cannot tell whether they have ended. A group that they have just made has no processes yet.
    """
    for folder in home.glob(f"{_prefix()}[0-9]*-[0-9]*"):
        with contextlib.suppress(OSError):
            if not (procfs.PROC / folder.name.split("-")[2]).exists():
                folder.rmdir()


def _prefix() -> str:
    """How the names of groups begin that runners of this PID namespace make."""
    return f"{PREFIX}ns{os.stat('/proc/self/ns/pid').st_ino}-"  # older versions remove what has a number after PREFIX


def _written(file: Path, value: str | int) -> bool:
    """Write a value into a file of the kernel; False if the file does not exist or the kernel refuses the value."""
    try:
        fd = os.open(file, os.O_WRONLY)
    except OSError:
        return False
    try:
        os.write(fd, str(value).encode())
    except OSError:
        return False
    finally:
        os.close(fd)
    return True


def _words(file: Path) -> set[str]:
    try:
        return set(file.read_text().split())
    except OSError:
        return set()
