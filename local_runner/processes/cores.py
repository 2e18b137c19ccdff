"""CPU cores that agents have to themselves: two matches at once on one machine do not share them.

A claimed core is a socket's name, which only one process can have and which the system frees when that process ends,
however it ends. Linux only; elsewhere no core is ever claimed.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager


@contextmanager
def claimed(count: int) -> Iterator[list[int | None]]:
    """`count` cores that nobody else has claimed, the machine's last first; None for any, where too few are left."""
    with ExitStack() as claims:
        cores: list[int | None] = []
        for core in reversed(_available()):
            claim = claims.enter_context(socket.socket(socket.AF_UNIX))
            try:
                claim.bind(f"\0tengen core {core}")
            except OSError:  # somebody else's
                continue
            cores.append(core)
            if len(cores) == count:
                break
        yield cores + [None] * (count - len(cores))


def _available() -> list[int]:
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
