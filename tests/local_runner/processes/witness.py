"""A host for hostile agents, and what has changed on it afterwards.

A witness lays out a folder as a user's machine has it: a home, a project, a database, a hostile agent and its victim,
with secrets in all of them. After a game it says what the agent has reached. Linux only.
"""

import contextlib
import ctypes
import hashlib
import json
import os
import resource
import shutil
import signal
import socket
import time
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from uuid import uuid4

from local_runner.processes import procfs

SPECIMENS = Path(__file__).parents[1] / "specimens" / "hostile"
HELPER = "multiprocessing.resource_tracker"  # Python's own, started by whoever runs the trial
MARK = "tengen-attack"  # as in the specimens' register.py, like the next two
SECRET = "tengen-secret-is-"
DONE, NEWLINE = b"ATTACK DONE: ", b"\n"
OWN_FILES = ("games.jsonl", ".ray")  # how the names of the files begin that a runner and Ray may make on the host
OWN_TEMPORARY = ("ray",)  # Ray keeps its logs
SETTLE_SECONDS = 3.0  # time in which the last processes of a game must end
MARKED = ("/", "/etc", "/usr", "/usr/local/bin", "/var", "/var/tmp", "/dev/shm", "/dev/mqueue", "/tmp", "/run", "/opt",
          "~root", "~")  # fmt: skip
PR_SET_CHILD_SUBREAPER = 36

VICTIM = '''"""Plays the first free cell, slowly, with a thread, and has a secret."""
import threading, time
SECRET = "{secret}"
def my_controller(observation, action_space, is_act_continuous=False):
    thread = threading.Thread(target=time.sleep, args=({wait},))
    thread.start()
    thread.join()
    board = observation["state_map"]
    cells = [(r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell[0] == 0]
    row, col = cells[0] if cells else (0, 0)
    return [[int(i == row) for i in range(action_space[0].n)], [int(i == col) for i in range(action_space[1].n)]]
'''


class Witness:
    """A host in `folder`, which must be new, for games of one attack, which `arm` names.

    `wait`: seconds per call of the victim.

    Until `__exit__` this process inherits the orphans of its descendants.
    """

    def __init__(self, folder: Path, wait: float) -> None:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.secret = SECRET + uuid4().hex
        self.host = folder / "host"
        self.temporary = folder / "temporary"
        self.agents = self.host / "agents"
        self.home = self.host / "home"
        self._lay_out(wait)
        self._server = self._listen()
        self._before: dict[str, object] = {}
        self._strangers = frozenset(procfs.children(os.getpid()))  # such as a browser that other tests need

    def __enter__(self) -> "Witness":
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.close()
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)

    @property
    def environment(self) -> dict[str, str]:
        """What the runner's environment must have besides its own."""
        return {"HOME": str(self.home), "TMPDIR": str(self.temporary), "TENGEN_TEST_TOKEN": self.secret}

    @property
    def hostile(self) -> str:
        """The hostile agent, named by its folder, so that it sees all its files."""
        return str(self.agents / "hostile")

    @property
    def victim(self) -> str:
        """The other agent."""
        return str(self.agents / "victim" / "submission.py")

    def arm(self, attack: str, runner: int, seconds: float, memory: float) -> None:
        """Tell the hostile agent what to do: `runner`: the process to attack; its limits for a call, memory in MB."""
        port = self._server.getsockname()[1]
        about = {"host": str(self.host), "runner": runner, "port": port, "seconds": seconds, "memory": memory}
        (self.agents / "hostile" / "attack.json").write_text(json.dumps({"attack": attack, **about}))
        self._before = self._state()

    def complaints(self, printed: Sequence[Path]) -> list[str]:
        """What an agent has done to this host, one sentence each; `printed`: the files of what it printed."""
        found = [f"process {pid} is left: {line}" for pid, line in self._orphans()]
        after = self._state()
        for what, before in self._before.items():
            if after[what] != before:
                found.append(f"{what} changed: {_difference(before, after[what])}")
        found += [
            f"{path.relative_to(self.temporary)!s:.80} is left in the temporary folder"
            for path in list(self.temporary.iterdir())[:3]
            if path.name not in OWN_TEMPORARY
        ]
        with contextlib.suppress(BlockingIOError):
            self._server.accept()[0].close()
            found.append("it could connect to this machine")
        for path in printed:
            if path.stat().st_mode & 0o7111:
                found.append(f"{path.name} can be run: {path.stat().st_mode:o}")
            text = path.read_bytes() if os.access(path, os.R_OK) else b""
            if self.secret.encode() in text:
                found.append("it read a secret")
            found += [f"it says: {said.partition(NEWLINE)[0].decode()}" for said in text.split(DONE)[1:]]
        return found

    def _lay_out(self, wait: float) -> None:
        files = {
            "home/notes.txt": self.secret,
            "home/.ssh/id_rsa": self.secret,
            "home/.config/app/token": self.secret,
            "project/code.py": f"TOKEN = {self.secret!r}\n",
            "project/data/pool.jsonl": "SQLite format 3\0" + self.secret,
            "agents/victim/submission.py": VICTIM.format(secret=self.secret, wait=wait),
            "logs/game.json": "{}",
        }
        for name, content in files.items():
            path = self.host / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        (self.host / "link").symlink_to("home")
        shutil.copytree(SPECIMENS, self.agents / "hostile", ignore=shutil.ignore_patterns("__pycache__"))
        (self.agents / "hostile" / "weights.txt").symlink_to("../../home/notes.txt")
        self.temporary.mkdir()

    def _listen(self) -> socket.socket:
        server = socket.socket()
        server.bind(("127.0.0.1", 0))
        server.listen(8)
        server.setblocking(False)
        return server

    def _state(self) -> dict[str, object]:
        """All that must be the same after a game."""
        pid = os.getpid()
        return {
            "the host's files": fingerprint(self.host),
            "the marks in system folders": sorted(str(path) for path in _marked()),
            "the runner's limits": [resource.prlimit(pid, kind) for kind in range(16)],
            "the runner's cores": os.sched_getaffinity(pid),
            "the runner's priority": (os.getpriority(os.PRIO_PROCESS, pid), os.sched_getscheduler(pid)),
            "the runner's score when memory is short": _read(f"/proc/{pid}/oom_score_adj"),
            "the runner's mounts": _read(f"/proc/{pid}/mountinfo"),
            "the runner's folder": os.getcwd(),
            "the runner's handling of signals": [signal.getsignal(mark) for mark in (signal.SIGINT, signal.SIGTERM)],
        }

    def _orphans(self) -> list[tuple[int, str]]:
        """The processes that are left after the time to settle, which are ended then."""
        until = time.perf_counter() + SETTLE_SECONDS
        while (left := self._living()) and time.perf_counter() < until:
            time.sleep(0.02)
        named = [(pid, _read(f"/proc/{pid}/cmdline").replace("\0", " ")[:200]) for pid in left]
        while left := self._living():
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)
        return named

    def _living(self) -> list[int]:
        """The descendants of this process that have not ended, without those that were there before.

        Those that have ended are reaped if they are ours.
        """
        left = []
        for pid in _descendants(os.getpid(), self._strangers):
            state = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
            if state and state[0] == "Z" and int(state[1]) == os.getpid():
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
            elif state and state[0] != "Z" and HELPER not in _read(f"/proc/{pid}/cmdline"):
                left.append(pid)
        return left


def fingerprint(folder: Path) -> dict[str, tuple[object, ...]]:
    """Kind, rights and owner of everything in a folder but OWN_FILES; of files also size, time, links and content."""
    found: dict[str, tuple[object, ...]] = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        if any(part.startswith(OWN_FILES) for part in path.relative_to(folder).parts):
            continue
        try:
            about = path.lstat()
        except OSError:  # it is gone
            continue
        state: tuple[object, ...] = oct(about.st_mode), about.st_uid, os.listxattr(path, follow_symlinks=False)
        if path.is_file() and not path.is_symlink():
            content = hashlib.sha256(path.read_bytes()).hexdigest() if os.access(path, os.R_OK) else ""
            state += about.st_size, about.st_mtime_ns, about.st_nlink, content
        found[str(path.relative_to(folder))] = state
    return found


def _descendants(pid: int, without: Set[int]) -> Iterator[int]:
    """All descendants of a process but some children and their descendants."""
    for child in procfs.children(pid):
        if child not in without:
            yield child
            yield from procfs.descendants(child)


def _marked() -> Iterator[Path]:
    for folder in MARKED:
        with contextlib.suppress(OSError):
            yield from Path(folder).expanduser().glob(f"{MARK}*")


def _read(path: str) -> str:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""


def _difference(before: object, after: object) -> str:
    if isinstance(before, dict) and isinstance(after, dict):
        lost, new = sorted(before.keys() - after.keys()), sorted(after.keys() - before.keys())
        other = sorted(name for name in before.keys() & after.keys() if before[name] != after[name])
        kinds = (("removed", lost), ("new", new), ("changed", other))
        return "; ".join(f"{kind} {names[:4]}" for kind, names in kinds if names)
    return f"{before!r:.200} became {after!r:.200}"
