"""Deeds against processes: ways out of the guard's hands, and blows at the guard, the runner and the other agent."""

import ctypes
import fcntl
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

from .register import CRASH, GARBAGE, MEMORY, PLAYS_ON, TIME, child, deed, done, libc, processes

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
PTRACE_ATTACH, PTRACE_SEIZE = 16, 0x4206
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


def strike(mark, pids):
    for pid in pids:
        try:
            os.kill(pid, mark)
        except OSError:
            pass


@deed(PLAYS_ON)
def daemon_without_environment(place):
    """Leaves a process in a session of its own, whose environment is empty."""
    hide()


@deed(PLAYS_ON, CRASH)
def kills_the_guard(place):
    """Takes off the tie to its parent, kills it, and leaves a daemon."""
    hide()
    libc.prctl(PR_SET_PDEATHSIG, 0)
    strike(signal.SIGKILL, [os.getppid()] if os.getppid() > 1 else [])
    hide()


@deed(PLAYS_ON, CRASH)
def stops_the_guard(place):
    """Stops its parent, so that it kills nobody, and leaves a daemon."""
    hide()
    libc.prctl(PR_SET_PDEATHSIG, 0)
    strike(signal.SIGSTOP, [os.getppid()])


@deed(PLAYS_ON, CRASH, TIME)
def stops_the_guard_again_and_again(place):
    """A daemon stops the guard whenever it runs."""
    guard = os.getppid()
    for _ in range(3):
        child(lambda: (os.setsid(), [strike(signal.SIGSTOP, [guard]) or time.sleep(0.001) for _ in range(20000)]))


@deed(PLAYS_ON, CRASH)
def kills_all_it_may(place):
    """kill(-1, SIGKILL)."""
    strike(signal.SIGKILL, [-1])


@deed(PLAYS_ON, CRASH, TIME)
def stops_all_it_may(place):
    """kill(-1, SIGSTOP)."""
    strike(signal.SIGSTOP, [-1])


@deed(PLAYS_ON, CRASH)
def kills_all_it_sees(place):
    """SIGKILL to every process in /proc, highest number first."""
    libc.prctl(PR_SET_PDEATHSIG, 0)
    strike(signal.SIGKILL, sorted(processes(), reverse=True))


@deed(PLAYS_ON, CRASH)
def kills_the_runner(place):
    """SIGKILL to the runner's process."""
    if place.runner != os.getpid():
        strike(signal.SIGKILL, [place.runner])


@deed(PLAYS_ON, CRASH)
def stops_the_runner(place):
    """SIGSTOP to the runner's process, and to all threads of it."""
    if place.runner != os.getpid():
        strike(signal.SIGSTOP, [place.runner])


@deed(PLAYS_ON, CRASH)
def interrupts_the_runner(place):
    """Ctrl-C for the runner, as if its user had pressed it."""
    if place.runner != os.getpid():
        strike(signal.SIGINT, [place.runner])


@deed(PLAYS_ON, CRASH)
def kills_its_ancestors(place):
    """Climbs up the parents in /proc and kills them all."""
    libc.prctl(PR_SET_PDEATHSIG, 0)
    pid, ancestors = os.getppid(), []
    while pid > 1:
        ancestors.append(pid)
        try:
            with open("/proc/%d/stat" % pid) as stat:
                pid = int(stat.read().rpartition(")")[2].split()[1])
        except OSError:
            break
    strike(signal.SIGKILL, reversed(ancestors))


def other_agents():
    for pid in processes():
        try:
            with open("/proc/%d/cmdline" % pid, "rb") as line:
                if b"agent_host.py" in line.read() and pid != os.getppid():
                    yield pid
        except OSError:
            pass


@deed(PLAYS_ON)
def kills_the_other_agent(place):
    """SIGKILL to every other agent's process."""
    strike(signal.SIGKILL, other_agents())


@deed(PLAYS_ON)
def stops_the_other_agent(place):
    """SIGSTOP to every other agent's process, which then loses by time."""
    strike(signal.SIGSTOP, other_agents())


@deed(PLAYS_ON, CRASH)
def traces_the_others(place):
    """Attaches to every process as a debugger, which stops it."""
    for pid in processes():
        if libc.ptrace(PTRACE_ATTACH, pid, None, None) == 0 and pid != os.getppid():
            done("attached to process %d" % pid)


@deed(PLAYS_ON, CRASH)
def limits_the_others(place):
    """Takes files, CPU time and memory from every process by prlimit."""
    for pid in processes():
        for kind, amount in ((resource.RLIMIT_NOFILE, 4), (resource.RLIMIT_CPU, 1), (resource.RLIMIT_AS, 1 << 20)):
            try:
                resource.prlimit(pid, kind, (amount, amount))
            except (OSError, ValueError):
                pass


@deed(PLAYS_ON)
def slows_the_others(place):
    """Pins every process to one core, at the lowest priority."""
    for pid in processes():
        for act in (lambda: os.sched_setaffinity(pid, {min(os.sched_getaffinity(0))}),
                    lambda: os.setpriority(os.PRIO_PROCESS, pid, 19),
                    lambda: os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))):
            try:
                act()
            except OSError:
                pass


@deed(PLAYS_ON, CRASH)
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


@deed(PLAYS_ON)
def many_groups(place):
    """Twenty children, each in a process group or session of its own, deaf to all signals that can be ignored."""

    def live(number):
        os.setsid() if number % 2 else os.setpgid(0, 0)
        for mark in range(1, 32):
            try:
                signal.signal(mark, signal.SIG_IGN)
            except OSError:
                pass
        time.sleep(3600)

    for number in range(20):
        child(lambda number=number: live(number))


@deed(CRASH, says="closed the pipe")
def becomes_another_program(place):
    """Executes a program that knows nothing of the runner."""
    os.execv(HIDDEN[0], HIDDEN)


@deed(TIME)
def becomes_another_program_with_the_pipes(place):
    """Executes a program that keeps the pipes open and never answers."""
    for fd in range(3, 64):
        try:
            os.set_inheritable(fd, True)
        except OSError:
            pass
    os.execv(HIDDEN[0], HIDDEN)


@deed(CRASH)
def collects_orphans_and_exits(place):
    """Becomes the parent of its orphans, has some, and exits."""
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    hide()
    hide()
    os._exit(0)


@deed(PLAYS_ON, CRASH)
def child_takes_its_place(place):
    """Forks; the child pretends to be the parent and goes on, the parent exits."""
    pid, getpid = os.getpid(), os.getpid
    if os.fork():
        os._exit(0)
    os.getpid = lambda: pid
    assert getpid() != pid


@deed(PLAYS_ON)
def child_plays_for_it(place):
    """Forks; the child pretends to be the parent and plays, the parent waits, deaf and unmeasured."""
    pid = os.getpid()
    if os.fork():
        while True:
            time.sleep(3600)
    os.getpid = lambda: pid


@deed(PLAYS_ON, CRASH, TIME, MEMORY)
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


@deed(PLAYS_ON, CRASH, TIME, MEMORY)
def spawn_bomb(place):
    """Starts programs by vfork without end, each in a session of its own."""
    try:
        for _ in range(MANY):
            subprocess.Popen(["sleep", "3600"], start_new_session=True, env={"PATH": os.environ.get("PATH", "/bin")})
    except OSError:
        pass


@deed(PLAYS_ON, CRASH, TIME, MEMORY)
def thread_bomb(place):
    """Starts threads without end."""
    try:
        for _ in range(MANY):
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    except (RuntimeError, MemoryError):
        pass


@deed(PLAYS_ON, CRASH, TIME)
def inner_namespaces(place):
    """Leaves a daemon in a user and PID namespace of its own."""
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS) == 0:
        hide()


@deed(TIME)
def stops_itself(place):
    """SIGSTOP to itself."""
    os.kill(os.getpid(), signal.SIGSTOP)


@deed(TIME, CRASH)
def stops_itself_and_the_guard(place):
    """Stops the guard and itself, so that nobody reads SIGTERM."""
    hide()
    libc.prctl(PR_SET_PDEATHSIG, 0)
    os.kill(os.getppid(), signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGSTOP)


@deed(CRASH, GARBAGE, PLAYS_ON)
def killed_by_its_own_child(place):
    """A daemon kills the agent between two calls."""
    agent = os.getpid()
    child(lambda: (os.setsid(), time.sleep(0.05), os.kill(agent, signal.SIGKILL)))


@deed(PLAYS_ON, CRASH)
def raises_its_own_score(place):
    """Asks the kernel to kill the runner first when memory is short."""
    for pid in processes():
        try:
            with open("/proc/%d/oom_score_adj" % pid, "w") as file:
                file.write("1000")
        except OSError:
            pass
    ctypes.set_errno(0)
