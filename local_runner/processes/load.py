"""What keeps the machine busy while games are played, to see whether an agent answers in time all the same."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

from local_runner.errors import RunnerError

HOST = Path(__file__).parents[1] / "hosts" / "load_host.py"


class Load(Enum):
    """Nothing; another process that computes on the agents' core; or one that wants most of the memory."""

    ALONE = "alone"
    HOG = "hog"
    MEMORY = "memory"


@contextmanager
def running(load: Load, core: int | None) -> Iterator[None]:
    """Keep the machine busy meanwhile; a hog on `core`, None for any. Raises RunnerError where that cannot be done."""
    if load is Load.ALONE:
        yield
        return
    where = core if load is Load.HOG and core is not None else -1
    command = [sys.executable, str(HOST), load.value, str(os.getpid()), str(where)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline() != b"ready\n":
                raise RunnerError(f"this machine cannot be kept busy by {load.value}")
            yield
        finally:
            process.kill()
