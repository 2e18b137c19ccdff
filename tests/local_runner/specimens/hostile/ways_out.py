"""Attacks on the control over an agent: processes that leave it, too many of them, and a way to the network."""

import contextlib
import os
import socket
import sys
import threading
import time

from .register import CRASH, MEMORY, PLAYS_ON, TIME, attack, child, done, host_main, libc

PR_SET_PDEATHSIG = 1
MANY = 3000
HIDDEN = [sys.executable, "-c", "import time; time.sleep(3600)"]


def hide():
    """Leave a daemon: a new session, no parent, no environment."""

    def leave():
        os.setsid()
        libc.prctl(PR_SET_PDEATHSIG, 0)
        if os.fork() == 0:
            os.execve(HIDDEN[0], HIDDEN, {})

    pid = child(leave)
    if pid:
        os.waitpid(pid, 0)


@attack(PLAYS_ON)
def daemon_without_environment(place):
    """Leaves a process in a session of its own, whose environment is empty."""
    hide()


@attack(CRASH, says="closed the pipe")
def becomes_another_program(place):
    """Executes a program that knows nothing of the runner."""
    os.execv(HIDDEN[0], HIDDEN)


@attack(PLAYS_ON)
def child_plays_for_it(place):
    """Forks; the child pretends to be the parent, its CPU clock included, and plays; the parent waits."""
    pid, used = os.getpid(), time.process_time()
    if os.fork():
        while True:
            time.sleep(3600)
    os.getpid = lambda: pid
    host_main().process_time = lambda: used + time.process_time()


@attack(PLAYS_ON, CRASH, TIME, MEMORY)
def fork_bomb(place):
    """Forks without end; every child does the same."""

    def breed():
        until = time.time() + 3
        while time.time() < until:
            try:
                os.fork()
            except OSError:
                time.sleep(0.01)

    child(breed)


@attack(PLAYS_ON, CRASH, TIME, MEMORY)
def thread_bomb(place):
    """Starts threads without end."""
    try:
        for _ in range(MANY):
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    except (RuntimeError, MemoryError):
        pass


@attack(PLAYS_ON, CRASH, TIME, MEMORY)
def outruns_its_pursuers(place):
    """Eight chains of processes: each forks the next and exits, so that it is gone when it is looked for."""

    def run():
        os.setsid()
        libc.prctl(PR_SET_PDEATHSIG, 0)
        fork, leave = libc.fork, libc._exit
        until = time.time() + 20
        while time.time() < until:
            if fork() > 0:
                leave(0)

    for _ in range(8):
        child(run)


@attack(PLAYS_ON)
def takes_all_the_users_processes(place):
    """Threads and processes up to the limit of its user, so that the other agent can start none."""
    try:
        while True:
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    except (RuntimeError, MemoryError):
        pass


@attack(PLAYS_ON)
def connects(place):
    """Connects to a server on this machine."""
    for family, where in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        with contextlib.suppress(OSError), socket.socket(family) as link:
            link.settimeout(0.2)
            link.connect((where, place.port))
            done("connected to " + where)
