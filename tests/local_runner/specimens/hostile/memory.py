"""Attacks that take memory: at once, slowly, in children, in shared memory, and where no process shows it."""

import contextlib
import fcntl
import mmap
import os
import socket
import time

from .register import CRASH, MEMORY, PLAYS_ON, attack, child, done, host_main, libc

MB = 1 << 20
pile = []


def touched(megabytes, flags=mmap.MAP_PRIVATE):
    """Memory of which every page is used."""
    area = mmap.mmap(-1, megabytes * MB, flags=flags | mmap.MAP_ANONYMOUS)
    for place in range(0, megabytes * MB, 4096):
        area[place] = 1
    return area


@attack(MEMORY)
def ten_gigabytes_at_once(place):
    """Allocates and fills 10 GB in one go."""
    pile.append(b"x" * (10240 * MB))


@attack(MEMORY)
def memory_in_children(place):
    """Ten children take a quarter of the limit each."""
    for _ in range(10):
        child(lambda: (pile.append(b"x" * int(place.memory / 4 * MB)), time.sleep(3600)))
    time.sleep(3600)


@attack(MEMORY)
def shared_memory(place):
    """Takes shared anonymous memory."""
    pile.append(touched(place.too_much, mmap.MAP_SHARED))
    time.sleep(3600)


@attack(MEMORY)
def spike_between_two_looks(place):
    """Takes too much memory for some milliseconds and tells lies about its peak."""
    host_main().memory = lambda: {"rss_kb": 1000, "peak_kb": 1000}
    touched(place.too_much).close()


@attack(MEMORY, PLAYS_ON, CRASH)
def memory_in_pipes(place):
    """Puts data into pipes and sockets, which the kernel keeps for it."""
    written = 0
    try:
        for _ in range(2000):
            end = os.pipe()[1]
            os.set_blocking(end, False)
            with contextlib.suppress(OSError):
                fcntl.fcntl(end, 1031, 1 << 20)  # F_SETPIPE_SZ
            written += os.write(end, b"x" * MB)
    except OSError:
        pass
    try:
        for _ in range(2000):
            near, far = socket.socketpair()
            pile.append((near, far))
            near.setblocking(False)
            while True:
                try:
                    written += near.send(b"x" * 65536)
                except BlockingIOError:
                    break
    except OSError:
        pass
    if written > 2 * place.memory * MB:
        done(f"hid {written >> 20} MB")


@attack(MEMORY, PLAYS_ON)
def memory_in_the_others_time(place):
    """A child takes too much when the call is over, and gives it back before the next."""
    child(lambda: (time.sleep(0.03), touched(2 * place.too_much), time.sleep(0.05)))


@attack(MEMORY)
def memory_nobody_may_look_at(place):
    """Takes away the right to look into its process, by the name of a dead one, and takes too much memory."""
    libc.prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
    libc.prctl(15, b") Z 1 1 (\n) R", 0, 0, 0)  # PR_SET_NAME
    pile.append(touched(place.too_much))
    time.sleep(3600)
