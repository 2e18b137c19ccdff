"""Attacks on what is counted: CPU time of ended processes, memory that no page count shows, the cost of a look."""

import contextlib
import ctypes
import mmap
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import zlib

from .clocks import WORKED, busy
from .register import CRASH, MEMORY, PLAYS_ON, TIME, attack, child, done, host_main, libc

MB = 1 << 20
kept = []


def false_clock():
    """Make the host's clocks stand still."""
    wall, cpu = time.perf_counter(), time.process_time()
    host_main().perf_counter, host_main().process_time = lambda: wall, lambda: cpu


def take_turns(place, fork):
    """Compute twice `place.late`, half of it in children of 20 ms that take the core from this process."""
    false_clock()
    for _ in range(int(place.late / 0.02)):
        fork(lambda: busy(0.02))
        busy(0.02)


@attack(TIME)
def children_nobody_waits_for(place):
    """Children compute instead of it and are reaped by the kernel, because SIGCHLD is ignored."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    take_turns(place, child)


@attack(TIME)
def grandchildren_compute(place):
    """Orphans compute instead of it."""
    take_turns(place, lambda work: child(lambda: child(work)) and os.wait())


@attack(TIME)
def threads_compute(place):
    """Threads that hold no lock compute instead of it."""
    false_clock()
    until = time.monotonic() + place.late

    def squeeze():
        while time.monotonic() < until:
            zlib.compress(b"x" * MB)

    threads = [threading.Thread(target=squeeze) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@attack(TIME)
def programs_compute(place):
    """Starts other programs that compute."""
    false_clock()
    until = time.monotonic() + place.late
    while time.monotonic() < until:
        subprocess.run([sys.executable, "-S", "-c", "sum(range(300000))"], check=False)


def tally():
    """8 bytes that all processes share: seconds of CPU in the other side's time."""
    if not kept:
        kept.append(mmap.mmap(-1, 4096))
    return kept[0]


def tell(place):
    """Tell if helpers have worked since the end of the last call; then begin to count again."""
    area = tally()
    worked = struct.unpack("d", area[:8])[0]
    if place.call > 1 and worked > WORKED:
        done(f"worked {worked:.3f} s in the other side's time")
    area[:8] = struct.pack("d", 0.0)


def chain(seconds):
    """Work 1 ms, go on in a forked process, and end; again and again."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        busy(0.001)
        tally()[:8] = struct.pack("d", struct.unpack("d", tally()[:8])[0] + 0.001)
        if libc.fork() > 0:
            libc._exit(0)
    libc._exit(0)


@attack(PLAYS_ON, TIME, at="each")
def chain_of_processes(place):
    """Every process lives 1 ms and forks the next one, so that a walk through /proc misses it."""
    tell(place)
    if place.call == 1:
        child(lambda: chain(20))
    time.sleep(0.02)
    tally()[:8] = struct.pack("d", 0.0)


@attack(PLAYS_ON, TIME, at="each")
def forks_while_it_answers(place):
    """Forks in the last moment; the child works when the call is over."""
    tell(place)
    child(lambda: chain(0.2))
    tally()[:8] = struct.pack("d", 0.0)


@attack(PLAYS_ON, TIME, CRASH, at="each")
def continues_all(place):
    """Two processes send SIGCONT to all, and continue the init's, without pause."""
    tell(place)
    if place.call == 1:

        def wake():
            until = time.monotonic() + 20
            while time.monotonic() < until:
                for pid, mark in ((-1, signal.SIGCONT), (1, signal.SIGUSR2), (os.getppid(), signal.SIGCONT)):
                    with contextlib.suppress(OSError):
                        os.kill(pid, mark)
                tally()[:8] = struct.pack("d", time.process_time() % 0.05)

        child(wake)
        child(wake)
    tally()[:8] = struct.pack("d", 0.0)


@attack(PLAYS_ON, TIME, CRASH)
def stops_all_by_the_init(place):
    """Asks the init to stop all processes, in its own call."""
    with contextlib.suppress(OSError):
        os.kill(1, signal.SIGUSR1)
    time.sleep(0.05)


@attack(PLAYS_ON, CRASH)
def ends_the_init(place):
    """Asks the init to end."""
    with contextlib.suppress(OSError):
        os.kill(1, signal.SIGTERM)
    time.sleep(0.05)


@attack(TIME)
def stops_itself(place):
    """Is stopped while it is asked."""
    os.kill(os.getpid(), signal.SIGSTOP)


@attack(CRASH, says="code 255")
def exits_with_255(place):
    """Exits with the highest code."""
    os._exit(255)


@attack(PLAYS_ON, TIME, MEMORY)
def maps_a_long_list(place):
    """Makes 60,000 mappings, whose list takes long to read, and sleeps too long."""
    false_clock()
    area = mmap.mmap(-1, 65000 * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))
    for number in range(0, 60000, 2):
        libc.mprotect(ctypes.c_void_p(start + number * 4096), ctypes.c_size_t(4096), 0)
    kept.append(area)
    time.sleep(place.late)


@attack(TIME, MEMORY)
def shared_pages_in_many_processes(place):
    """Many processes map the same pages, so that it takes long to count them, and sleeps too long."""
    false_clock()
    area = mmap.mmap(-1, int(place.memory / 4) * MB)
    for at in range(0, len(area), 4096):
        area[at] = 1
    for _ in range(12):
        child(lambda: (sum(area[at] for at in range(0, len(area), 4096)), time.sleep(3600)))
    time.sleep(place.late)


@attack(MEMORY)
def shared_memory_without_pages(place):
    """Fills shared memory and takes the pages out of its page table; the data stay."""
    for _ in range(4):
        area = mmap.mmap(-1, place.too_much // 2 * MB)
        for at in range(0, len(area), 4096):
            area[at] = 7
        start = ctypes.addressof(ctypes.c_char.from_buffer(area))
        libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(len(area)), 4)  # MADV_DONTNEED
        kept.append(area)
    time.sleep(3600)


@attack(MEMORY)
def sockets_of_many_processes(place):
    """Fills socket buffers in many processes."""

    def fill():
        try:
            while True:
                pair = socket.socketpair()
                kept.append(pair)
                for end in pair:
                    end.setblocking(False)
                    with contextlib.suppress(BlockingIOError):
                        while True:
                            end.send(b"x" * 65536)
        except OSError:
            time.sleep(3600)

    for _ in range(8):
        child(fill)
    time.sleep(3600)


@attack(MEMORY, PLAYS_ON)
def sockets_inside_sockets(place):
    """Sends full sockets through a socket and closes them, so that no process has them open."""
    near, far = socket.socketpair()
    kept.append((near, far))
    hidden = 0
    with contextlib.suppress(OSError):
        for _ in range(2000):
            first, second = socket.socketpair()
            first.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    hidden += first.send(b"x" * 65536)
            near.setblocking(False)
            ends = struct.pack("2i", first.fileno(), second.fileno())
            near.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, ends)])
            first.close()
            second.close()
    if hidden > 2 * place.memory * MB:
        done(f"hid {hidden >> 20} MB")


@attack(MEMORY)
def empty_files(place):
    """Makes 300,000 empty files."""
    with contextlib.suppress(OSError):
        for number in range(300_000):
            os.close(os.open(f"e{number}", os.O_CREAT | os.O_WRONLY))
    time.sleep(3600)


@attack(PLAYS_ON, CRASH)
def zombies(place):
    """Leaves 200 processes that have ended, and for which nobody waits."""
    for _ in range(200):
        child(lambda: None)


@attack(MEMORY, PLAYS_ON)
def sockets_with_large_buffers(place):
    """Fills 20 pairs of sockets, each of which may hold 8 MB."""
    held = 0
    for _ in range(20):
        pair = socket.socketpair()
        kept.append(pair)
        for end in pair:
            end.setblocking(False)
            with contextlib.suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
            with contextlib.suppress(BlockingIOError):
                while True:
                    held += end.send(b"x" * 65536)
    time.sleep(0.2)
    if held > place.memory * MB:
        done(f"held {held >> 20} MB")


@attack(MEMORY)
def page_tables(place):
    """Reads one byte in 2 MB of 3.5 GB that it never wrote, in 40 processes: nothing is held but the page tables."""

    def fill():
        room = mmap.mmap(-1, 3500 * MB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)  # MAP_NORESERVE
        for at in range(0, len(room), 2 * MB):
            room[at]
        time.sleep(3600)

    for _ in range(40):
        child(fill)
    time.sleep(3600)


@attack(PLAYS_ON)
def leaves_its_control_group(place):
    """Looks for the files of its control group, and for a file descriptor that leads to them."""
    for folder, _, names in os.walk("/sys/fs/cgroup"):
        if "cgroup.procs" in names:
            with contextlib.suppress(OSError):
                with open(os.path.join(folder, "cgroup.procs"), "w") as file:
                    file.write("0")
                done("moved to " + folder)
    for fd in range(3, 256):
        with contextlib.suppress(OSError):
            if "cgroup" in os.readlink(f"/proc/self/fd/{fd}"):
                done("holds a file of its group")
