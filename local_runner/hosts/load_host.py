"""Keeps the machine busy until its runner ends: what an agent meets on a machine that it does not have to itself.

Python 3.7 syntax, standard library only; started by `processes/load.py`, says "ready" once it is at it:
    load_host.py hog RUNNER_PID CORE        computes without pause on a core (-1: any)
    load_host.py memory RUNNER_PID CORE     takes most of the free memory, and keeps writing all over it
"""

import ctypes
import os
import random
import signal
import sys
from typing import Iterator

PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
SHARE = 0.8  # of the memory that is available
CHUNK = 1 << 24  # bytes
PAGE = 4096


def hog() -> Iterator[None]:
    """Compute."""
    while True:
        yield


def press_memory() -> Iterator[None]:
    """Write into pages here and there, so that all of them are wanted."""
    chunks = [bytearray(CHUNK) for _ in range(int(available() * SHARE) // CHUNK)]
    while True:
        for chunk in chunks:
            for place in range(random.randrange(PAGE), CHUNK, PAGE):
                chunk[place] ^= 1
            yield


def available() -> int:
    """Bytes that can be had without swapping; 1 GB where the system does not tell."""
    try:
        with open("/proc/meminfo") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))
    except OSError:
        return 10**9


def main() -> None:
    kind, runner, core = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
        if os.getppid() != runner:  # it died before the line above
            os._exit(1)
        if core >= 0:
            os.sched_setaffinity(0, {core})
    work = {"hog": hog, "memory": press_memory}[kind]()
    next(work)
    print("ready", flush=True)
    for _ in work:
        pass


if __name__ == "__main__":
    main()
