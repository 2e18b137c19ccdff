"""A script that keeps the machine busy until the runner ends, to simulate other users of an agent's machine.

`load.py` starts the script. The script prints "ready" when the load is running:
    busy.py hog RUNNER_PID CORE        computes without pause on a core (-1: any core)
    busy.py memory RUNNER_PID CORE     allocates most of the free memory and keeps writing into it
"""

import ctypes
import os
import random
import signal
import sys
from collections.abc import Iterator

PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
SHARE = 0.8  # part of the available memory that is allocated
CHUNK = 1 << 24  # bytes
PAGE = 4096  # bytes


def hog() -> Iterator[None]:
    """Use a core without pause: the caller loops over this generator."""
    while True:
        yield


def press_memory() -> Iterator[None]:
    """Allocate most of the free memory and write into every page repeatedly, so that no page is swapped out."""
    chunks = [bytearray(CHUNK) for _ in range(int(available() * SHARE) // CHUNK)]
    while True:
        for chunk in chunks:
            for place in range(random.randrange(PAGE), CHUNK, PAGE):
                chunk[place] ^= 1
            yield


def available() -> int:
    """Bytes that can be allocated without swapping; 1 GB on systems without /proc/meminfo."""
    try:
        with open("/proc/meminfo") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))
    except OSError:
        return 10**9


def main() -> None:
    kind, runner, core = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
        if os.getppid() != runner:  # the runner died before prctl was called
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
