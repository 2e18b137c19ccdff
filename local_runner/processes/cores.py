"""Claims of CPU cores, so that two matches on one machine do not pin their agents to the same core.

To claim a core, a process binds a socket to a name in Linux's abstract namespace. Only one process can bind a name, and
the kernel frees the name when that process ends. On other systems no core is claimed.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager


@contextmanager
def claimed(count: int) -> Iterator[list[int | None]]:
    """Claim `count` free cores inside a `with`, the highest numbers first.

    If fewer cores are free, the list is filled up with None, which means any core.
    """
    with ExitStack() as claims:
        cores: list[int | None] = []
        for core in sorted(os.sched_getaffinity(0), reverse=True) if hasattr(os, "sched_getaffinity") else []:
            claim = claims.enter_context(socket.socket(socket.AF_UNIX))
            try:
                claim.bind(f"\0tengen core {core}")
            except OSError:  # claimed by another process
                continue
            cores.append(core)
            if len(cores) == count:
                break
        yield cores + [None] * (count - len(cores))
