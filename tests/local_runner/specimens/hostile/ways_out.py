"""Ways out of the guard's hands, bombs of processes and threads, and other bodies for the agent."""

import contextlib
import os
import signal
import sys
import threading
import time

from .register import CRASH, GARBAGE, MEMORY, PLAYS_ON, TIME, attack, child, host_main, libc

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWPID = 0x20000, 0x10000000, 0x20000000
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


@attack(PLAYS_ON)
def many_groups(place):
    """Six children, each in a process group or session of its own, deaf to all signals that can be ignored."""

    def live(number):
        os.setsid() if number % 2 else os.setpgid(0, 0)
        for mark in range(1, 32):
            with contextlib.suppress(OSError):
                signal.signal(mark, signal.SIG_IGN)
        time.sleep(3600)

    for number in range(6):
        child(lambda number=number: live(number))


@attack(CRASH, says="closed the pipe")
def becomes_another_program(place):
    """Executes a program that knows nothing of the runner."""
    os.execv(HIDDEN[0], HIDDEN)


@attack(CRASH)
def collects_orphans_and_exits(place):
    """Becomes the parent of its orphans, has some, and exits."""
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    hide()
    hide()
    os._exit(0)


@attack(CRASH, GARBAGE)
def child_takes_its_place(place):
    """Forks; the child pretends to be the parent and goes on, the parent exits."""
    pid, getpid = os.getpid(), os.getpid
    if os.fork():
        os._exit(0)
    os.getpid = lambda: pid
    assert getpid() != pid


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


@attack(PLAYS_ON, CRASH, TIME)
def inner_namespaces(place):
    """Leaves a daemon in a user and PID namespace of its own."""
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS) == 0:
        hide()


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
