"""Attacks about time: work in the other side's time, work that the host does not measure, and false clocks.

`place.late` lies between the limit and the time at which an agent is killed.
"""

import mmap
import os
import resource
import signal
import struct
import time

from . import answers
from .register import CRASH, PLAYS_ON, TIME, attack, child, done, host_main

WORKED = 0.05  # seconds of CPU in the other side's time that a witness is told of
counter = []


def busy(seconds):
    """Use so much CPU time, however busy the machine is."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def compare(used):
    """Tell if `used`, the CPU seconds of a helper, have grown since the end of the last call."""
    grown = used() - counter[-1] if counter else 0.0
    if grown > WORKED:
        done(f"worked {grown:.3f} s in the other side's time")


@attack(PLAYS_ON, at="each")
def child_in_the_others_time(place):
    """A child in a session of its own computes without pause."""
    if place.call == 1:
        area = mmap.mmap(-1, 4096)

        def work():
            os.setsid()
            until = time.time() + 60
            while time.time() < until:
                area[:8] = struct.pack("d", time.process_time())

        child(work)
        counter[:] = [area, 0.0]
    area = counter[0]

    def used():
        return struct.unpack("d", area[:8])[0]

    compare(used)
    counter[1:] = [used()]


@attack(TIME)
def false_clock(place):
    """Replaces the host's clocks by ones that stand still, and thinks too long."""
    wall, cpu = time.perf_counter(), time.process_time()
    host_main().perf_counter, host_main().process_time = lambda: wall, lambda: cpu
    busy(place.late)


@attack(TIME)
def false_clock_and_sleep(place):
    """Replaces the host's clocks by ones that stand still, and waits too long without computing."""
    wall, cpu = time.perf_counter(), time.process_time()
    host_main().perf_counter, host_main().process_time = lambda: wall, lambda: cpu
    time.sleep(place.late)


@attack(TIME)
def false_reply(place):
    """Changes what the host writes: no time, no memory."""
    main = host_main()
    write = main.write_reply
    main.write_reply = lambda fd, number, reply: write(fd, number, dict(reply, seconds=0.0, cpu=0.0, peak_kb=1))
    busy(place.late)


@attack(TIME)
def thinks_in_its_last_thought(place):
    """Answers at once; `last_thought` thinks."""
    answers.thought[:] = [lambda: busy(place.late)]


@attack(TIME)
def thinks_when_it_is_thrown_away(place):
    """Answers at once; an object of the answer thinks when it is deleted."""

    class Late(list):
        def __del__(self):
            busy(place.late)

    rows, cols = place.free_cell()
    return [Late(rows), cols]


@attack(TIME, PLAYS_ON)
def thinks_when_it_is_continued(place):
    """Thinks in its handler of SIGCONT, before the host reads the next request; a control group sends no SIGCONT."""
    signal.signal(signal.SIGCONT, lambda *_: busy(place.late))


@attack(CRASH)
def interrupt_after_the_answer(place):
    """A timer raises an exception in the host when the call is over."""

    def strike(*_):
        raise KeyboardInterrupt("after the answer")

    signal.signal(signal.SIGALRM, strike)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)


@attack(PLAYS_ON)
def other_priority(place):
    """Asks for the highest priority, real time, all cores, and unlimited everything."""
    for act in (lambda: os.nice(-20), lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))):
        try:
            act()
            done("got a higher priority")
        except OSError:
            pass
    for kind in (resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC, resource.RLIMIT_CORE):
        try:
            hard = resource.getrlimit(kind)[1]
            resource.setrlimit(kind, (resource.RLIM_INFINITY,) * 2)
            if hard != resource.RLIM_INFINITY:
                done(f"lifted the limit {kind}")
        except (OSError, ValueError):
            pass
