"""Keeps the machine busy until its runner ends: what an agent meets on a machine that it does not have to itself.

Python 3.7 syntax, standard library only; started by `bench/load.py`:
    load_host.py hog CORE         computes without pause on a core (-1: any)
    load_host.py memory CORE      takes most of the free memory and keeps writing all over it
"""

import os
import random
import signal
import sys

sys.path[:] = [folder for folder in sys.path if folder != os.path.dirname(os.path.abspath(__file__))]

SHARE = 0.8  # of the memory that is available
CHUNK = 1 << 24  # bytes
PAGE = 4096


def hog() -> None:
    """Compute."""
    while True:
        pass


def press_memory() -> None:
    """Write into pages here and there, so that all of them are wanted."""
    chunks = [bytearray(CHUNK) for _ in range(int(available() * SHARE) // CHUNK)]
    print("ready", flush=True)
    while True:
        for chunk in chunks:
            for start in range(random.randrange(PAGE), CHUNK, PAGE):
                chunk[start] ^= 1


def available() -> int:
    """Bytes that can be had without swapping."""
    with open("/proc/meminfo") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))


if __name__ == "__main__":
    kind, core, runner = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))  # PR_SET_PDEATHSIG
        if os.getppid() != runner:
            sys.exit(1)
        if core >= 0:
            os.sched_setaffinity(0, {core})
    {"hog": hog, "memory": press_memory}[kind]()
