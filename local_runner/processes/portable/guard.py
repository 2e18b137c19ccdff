"""The guard process: the parent of an agent's process. The guard kills all processes that the agent started.

    runner ── guard ── agent ── descendants of the agent

The process that calls `stand` becomes the guard and forks the agent. On Linux the guard is a subreaper: the kernel
makes the guard the parent of orphaned descendants, so the guard finds them all. On other systems the guard kills only
the agent's process group. The guard acts on two signals: SIGTERM (from the runner, or from the kernel when the runner
dies) and SIGCHLD (a child has ended).

Under bubblewrap the guard is the init of a PID namespace. The kernel kills all processes of the namespace when the init
ends, and protects the init from their SIGKILL and SIGSTOP. The init also acts on STOP_ALL, and on CONTINUE_ALL from
outside of the namespace. A signal to all processes (`kill(-1)`) reaches every process of the namespace except the init
at once, even one that is being made.
"""

import contextlib
import ctypes
import os
import signal
import sys
from typing import List, Optional, Tuple

ON_LINUX = sys.platform == "linux"
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # <linux/prctl.h>
PR_SET_DUMPABLE = 4
SIGNALLED = 128  # if a signal ends the agent, the init of a PID namespace exits with this plus the signal's number
# If both have come, the init takes the lower number first. So it ends with the stop.
CONTINUE_ALL, STOP_ALL = signal.SIGUSR1, signal.SIGUSR2
OUTSIDE = (0, 0)  # code (SI_USER) and sender of a signal from a process outside of the PID namespace
AWAITED = {signal.SIGTERM, signal.SIGCHLD, STOP_ALL, CONTINUE_ALL}


def stand(runner: int) -> None:
    """Fork: the function returns in the child, which has its own session; the parent is the guard and never returns.

    `runner`: the process id of the guard's parent; 0 for the init of a PID namespace, whose parent is outside.
    """
    signal.signal(signal.SIGCHLD, lambda *_: None)  # without a handler, some systems drop the blocked SIGCHLD
    mask_before = signal.pthread_sigmask(signal.SIG_BLOCK, AWAITED)
    guard = os.getpid()
    if ON_LINUX:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    if runner:
        tie(runner, signal.SIGTERM)
    agent = os.fork()
    if agent:
        _watch_over(agent, is_init=not runner)
    os.setsid()
    tie(guard, signal.SIGKILL)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask_before)


def tie(parent: int, mark: int) -> None:
    """Make the kernel send this process the signal `mark` when its parent dies; does nothing outside Linux."""
    if ON_LINUX:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(mark))
        if os.getppid() != parent:  # the parent died before prctl was called
            os._exit(1)


def _watch_over(agent: int, *, is_init: bool) -> None:
    """Wait until the agent ends or SIGTERM comes, kill all descendants, and exit with the agent's code or signal."""
    os.closerange(3, 256)  # the guard must not keep the agent's pipes open
    if is_init:
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # no process of the namespace may open the init's memory
    status = None
    while status is None:
        mark, sender = _next_signal()
        if mark == signal.SIGTERM:
            break
        if mark == signal.SIGCHLD:
            with contextlib.suppress(ChildProcessError):
                status = _reap(agent)
        elif is_init and (mark == STOP_ALL or sender == OUTSIDE):
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGSTOP if mark == STOP_ALL else signal.SIGCONT)
    if not is_init:
        _end_all(agent)
    if status is None:
        os._exit(1)
    if os.WIFSIGNALED(status):
        killed_by = os.WTERMSIG(status)
        if is_init:  # which no signal of its own ends
            os._exit(SIGNALLED + killed_by)
        with contextlib.suppress(OSError):  # SIGKILL's handler cannot be set
            signal.signal(killed_by, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, AWAITED)  # otherwise SIGTERM would not end the guard
        os.kill(os.getpid(), killed_by)
    os._exit(os.WEXITSTATUS(status))


def _next_signal() -> Tuple[int, Tuple[int, int]]:
    """Wait for one of AWAITED; returns its number, its code and the process that sent it, (0, -1) outside Linux."""
    if not ON_LINUX:
        return signal.sigwait(AWAITED), (0, -1)
    info = signal.sigwaitinfo(AWAITED)
    return info.si_signo, (info.si_code, info.si_pid)


def _reap(agent: int) -> Optional[int]:
    """Reap children that have ended; returns the agent's exit status if the agent has ended, else None."""
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid in (0, agent):
            return status if pid else None


def _end_all(agent: int) -> None:
    """Kill children until none is left. The children of a killed process become the guard's and are killed next."""
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
