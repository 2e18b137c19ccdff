"""Tries actions that are forbidden to agents, for `tengen doctor`, and writes the names of the actions that succeeded.

    doctor_probe.py CANARY RUNNER_PID RUNNER_STARTED UNUSED_FD ANSWER_FD
The sandbox must prevent reading CANARY and writing beside it. RUNNER_STARTED (field 22 of /proc/PID/stat) identifies
the runner: in a PID namespace another process may have its id. An action that succeeds leaves no lasting change.
"""

import json
import os
import socket
import stat
import sys
from typing import Any, Callable, Dict, Sequence


def main(canary: str, runner: int, started: str, answer: int) -> None:
    first, _second = socket.socketpair()
    attempts: Dict[str, Sequence[Callable[[], Any]]] = {
        "read": [lambda: open(canary).close()],
        "write": [lambda: open(canary + ".new", "w").close(),
                  lambda: [call("/tengen-probe") for call in (os.mkdir, os.rmdir)]],
        "signal": [lambda: _signal(runner, started)],
        "processes": [lambda: _look_at(runner, started), lambda: _open_memory(os.getppid())],
        "network": [lambda: socket.socket().close(), lambda: first.bind(f"\0tengen probe {os.getpid()}"),
                    lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)],  # which could send to any name
        "new processes": [lambda: os.fork() or os._exit(0)],
    }  # fmt: skip
    with open(answer, "w") as file:
        json.dump([name for name, ways in attempts.items() if any(_succeeds(way) for way in ways)], file)


def _open_memory(pid: int) -> None:
    """Open the memory of a process for writing. Raise OSError if this is refused, or /dev/null is in its place."""
    with open(f"/proc/{pid}/mem", "r+b", buffering=0) as memory:
        if stat.S_ISCHR(os.fstat(memory.fileno()).st_mode):
            raise OSError


def _signal(runner: int, started: str) -> None:
    if os.access(f"/proc/{runner}/stat", os.R_OK):
        _look_at(runner, started)
    os.kill(runner, 0)


def _look_at(runner: int, started: str) -> None:
    """Raise OSError unless the process `runner` is visible and started at `started`."""
    with open(f"/proc/{runner}/stat") as file:
        if file.read().rpartition(")")[2].split()[19] != started:
            raise OSError


def _succeeds(attempt: Callable[[], Any]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[5]))
