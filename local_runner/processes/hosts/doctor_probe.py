"""Tries actions that no agent may do, and writes the names of those that succeeded; `tengen doctor` runs it.

    doctor_probe.py CANARY RUNNER_PID RUNNER_STARTED ANSWER
CANARY is a file of the user's; the probe must not be able to write beside it. RUNNER_STARTED is field 22 of the
runner's /proc/PID/stat: in a PID namespace another process may have the same id. Every attempt is harmless if it succeeds.
"""

import json
import os
import resource
import socket
import sys
from typing import Any, Callable, Dict

FEW = 20_000  # processes; systems limit a user to more by default


def main(canary: str, runner: int, started: str, answer: str) -> None:
    attempts: Dict[str, Callable[[], Any]] = {
        "read": lambda: open(canary).close(),
        "write": lambda: open(canary + ".new", "w").close(),
        "signal": lambda: _signal(runner, started),
        "processes": lambda: _look_at(runner, started),
        "network": lambda: socket.socket().close(),
        "limits": _be_unlimited,
    }
    with open(answer, "w") as file:
        json.dump([name for name, attempt in attempts.items() if _succeeds(attempt)], file)


def _signal(runner: int, started: str) -> None:
    if os.access(f"/proc/{runner}/stat", os.R_OK):
        _look_at(runner, started)
    os.kill(runner, 0)


def _look_at(runner: int, started: str) -> None:
    """Raise OSError unless the runner is visible under its id."""
    with open(f"/proc/{runner}/stat") as file:
        if file.read().rpartition(")")[2].split()[19] != started:
            raise OSError


def _be_unlimited() -> None:
    """Raise OSError if the number of processes is limited to few."""
    most = resource.getrlimit(resource.RLIMIT_NPROC)[0]
    if most != resource.RLIM_INFINITY and most < FEW:
        raise OSError


def _succeeds(attempt: Callable[[], Any]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
