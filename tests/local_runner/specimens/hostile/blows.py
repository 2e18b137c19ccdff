"""Blows at other processes: the guard, the runner, the other agent, and all that can be seen."""

import contextlib
import fcntl
import os
import resource
import signal
import socket
import time

from .register import CRASH, GARBAGE, PLAYS_ON, attack, child, done, libc, processes
from .ways_out import PR_SET_PDEATHSIG, hide

PTRACE_ATTACH = 16


def strike(mark, pids):
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, mark)


@attack(PLAYS_ON, CRASH)
def kills_the_guard(place):
    """Takes off the tie to its parent, kills it, and leaves a daemon."""
    hide()
    libc.prctl(PR_SET_PDEATHSIG, 0)
    strike(signal.SIGKILL, [os.getppid()] if os.getppid() > 1 else [])
    hide()


@attack(PLAYS_ON, CRASH)
def stops_the_guard(place):
    """Stops its parent, so that it kills nobody, and leaves a daemon."""
    hide()
    libc.prctl(PR_SET_PDEATHSIG, 0)
    strike(signal.SIGSTOP, [os.getppid()])


@attack(PLAYS_ON, CRASH)
def kills_all_it_may(place):
    """kill(-1, SIGKILL)."""
    strike(signal.SIGKILL, [-1])


@attack(PLAYS_ON, CRASH)
def kills_the_runner(place):
    """SIGKILL to the runner's process."""
    if place.runner != os.getpid():
        strike(signal.SIGKILL, [place.runner])


@attack(PLAYS_ON, CRASH)
def kills_its_ancestors(place):
    """Climbs up the parents in /proc and kills them all."""
    libc.prctl(PR_SET_PDEATHSIG, 0)
    pid, ancestors = os.getppid(), []
    while pid > 1:
        ancestors.append(pid)
        try:
            with open(f"/proc/{pid}/stat") as stat:
                pid = int(stat.read().rpartition(")")[2].split()[1])
        except OSError:
            break
    strike(signal.SIGKILL, reversed(ancestors))


def other_agents():
    for pid in processes():
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as line:
                if b"agent_host.py" in line.read() and pid != os.getppid():
                    yield pid
        except OSError:
            pass


@attack(PLAYS_ON)
def kills_the_other_agent(place):
    """SIGKILL to every other agent's process."""
    strike(signal.SIGKILL, other_agents())


@attack(PLAYS_ON, CRASH)
def traces_the_others(place):
    """Attaches to every process as a debugger, which stops it."""
    for pid in processes():
        if libc.ptrace(PTRACE_ATTACH, pid, None, None) == 0 and pid != os.getppid():
            done(f"attached to process {pid}")


@attack(PLAYS_ON, CRASH)
def limits_the_others(place):
    """Takes files, CPU time and memory from every process by prlimit."""
    for pid in processes():
        for kind, amount in ((resource.RLIMIT_NOFILE, 4), (resource.RLIMIT_CPU, 1), (resource.RLIMIT_AS, 1 << 20)):
            with contextlib.suppress(OSError, ValueError):
                resource.prlimit(pid, kind, (amount, amount))


@attack(PLAYS_ON)
def slows_the_others(place):
    """Pins every process to one core, at the lowest priority."""
    for pid in processes():
        for act, how in (
            (os.sched_setaffinity, (pid, {min(os.sched_getaffinity(0))})),
            (os.setpriority, (os.PRIO_PROCESS, pid, 19)),
            (os.sched_setscheduler, (pid, os.SCHED_IDLE, os.sched_param(0))),
        ):
            with contextlib.suppress(OSError):
                act(*how)


@attack(PLAYS_ON, CRASH)
def signals_by_a_file(place):
    """F_SETOWN: a socket whose input sends SIGKILL to the runner and to the guard."""
    for pid in (place.runner, os.getppid()):
        try:
            near, far = socket.socketpair()
            fcntl.fcntl(near, fcntl.F_SETOWN, pid)
            fcntl.fcntl(near, 10, signal.SIGKILL)  # F_SETSIG
            fcntl.fcntl(near, fcntl.F_SETFL, fcntl.fcntl(near, fcntl.F_GETFL) | os.O_ASYNC)
            far.send(b"!")
        except OSError:
            pass


@attack(CRASH, GARBAGE, PLAYS_ON)
def killed_by_its_own_child(place):
    """A daemon kills the agent between two calls."""
    agent = os.getpid()
    child(lambda: (os.setsid(), time.sleep(0.05), os.kill(agent, signal.SIGKILL)))


@attack(PLAYS_ON, CRASH)
def raises_its_own_score(place):
    """Asks the kernel to kill the runner first when memory is short."""
    for pid in processes():
        try:
            with open(f"/proc/{pid}/oom_score_adj", "w") as file:
                file.write("1000")
        except OSError:
            pass
