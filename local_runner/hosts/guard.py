"""Stands over an agent's process, so that nothing which the agent starts outlives it, however the runner ends.

Used by agent_host.py under the agent's interpreter: Python 3.7 syntax, standard library only. On Linux the guard is the
one to whom orphans fall (a subreaper), and dies of nothing that happens to them; elsewhere it knows only the process
group. What it is told by signals: SIGTERM, from the runner or for the runner's death, SIGCHLD for the agent's.
"""

import contextlib
import ctypes
import os
import signal
import sys
from typing import List, Optional

ON_LINUX = sys.platform == "linux"
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # <linux/prctl.h>
HEARD = {signal.SIGTERM, signal.SIGCHLD}


def stand(runner: int) -> None:
    """Return in a child process, in a session of its own; this process becomes its guard and ends with it."""
    signal.signal(signal.SIGCHLD, lambda *_: None)  # so that no system throws the signal away while it is blocked
    heard_before = signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)
    guard = os.getpid()
    if ON_LINUX:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    tie(runner, signal.SIGTERM)
    agent = os.fork()
    if agent:
        _watch_over(agent)
    os.setsid()
    tie(guard, signal.SIGKILL)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, heard_before)


def tie(parent: int, mark: int) -> None:
    """Be sent the signal `mark` when the parent dies; Linux only."""
    if ON_LINUX:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(mark))
        if os.getppid() != parent:  # it died before the line above
            os._exit(1)


def _watch_over(agent: int) -> None:
    """Wait for the agent's end or for SIGTERM, end everything, and end as the agent did."""
    os.closerange(3, 256)  # the pipes are the agent's
    status = None
    while status is None and signal.sigwait(HEARD) != signal.SIGTERM:
        with contextlib.suppress(ChildProcessError):
            status = _reap(agent)
    _end_all(agent)
    if status is None:
        os._exit(1)
    if os.WIFSIGNALED(status):
        killed_by = os.WTERMSIG(status)
        with contextlib.suppress(OSError):  # SIGKILL has no other handler
            signal.signal(killed_by, signal.SIG_DFL)
        os.kill(os.getpid(), killed_by)
    os._exit(os.WEXITSTATUS(status))


def _reap(agent: int) -> Optional[int]:
    """Bury the dead; the agent's status if it is among them."""
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid in (0, agent):
            return status if pid else None


def _end_all(agent: int) -> None:
    """Kill until there is nobody left: whose parent has just died is a child of the guard by then."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(agent, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:
            for child in _children():
                os.kill(child, signal.SIGKILL)
            os.wait()


def _children() -> List[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as children:
            return [int(child) for child in children.read().split()]
    except OSError:  # not Linux
        return []
