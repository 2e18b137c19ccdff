"""Attacks on other processes: the guard, the runner, the other agent, and all that can be seen."""

import contextlib
import os
import signal

from .register import CRASH, PLAYS_ON, attack, libc, processes
from .ways_out import PR_SET_PDEATHSIG, hide


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
def raises_its_own_score(place):
    """Asks the kernel to kill the runner first when memory is short."""
    for pid in processes():
        try:
            with open(f"/proc/{pid}/oom_score_adj", "w") as file:
                file.write("1000")
        except OSError:
            pass
