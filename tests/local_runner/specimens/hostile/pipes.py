"""Deeds against the two pipes: forged, partial, slow and doubled replies, and the pipes themselves."""

import contextlib
import fcntl
import functools
import json
import operator
import os
import pickle
import stat
import struct
import sys
import threading
import time

from .register import CRASH, GARBAGE, PLAYS_ON, TIME, deed, done, host_main

HEADER = struct.Struct(">4sII")


def ends():
    """The descriptors of the request pipe (to read) and of the reply pipe (to write)."""
    found = {os.O_RDONLY: [], os.O_WRONLY: []}
    for fd in range(3, 256):
        try:
            if stat.S_ISFIFO(os.fstat(fd).st_mode):
                found[fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE].append(fd)
        except (OSError, KeyError):
            pass
    return found[os.O_RDONLY], found[os.O_WRONLY]


def send(data):
    for fd in ends()[1]:
        rest = data
        while rest:
            rest = rest[os.write(fd, rest) :]


def frame(number, body=None, size=None, **fields):
    body = json.dumps(dict({"seconds": 0.0, "cpu": 0.0}, **fields)).encode() if body is None else body
    return HEADER.pack(b"tgn1", number, len(body) if size is None else size) + body


def cell_of(answer):
    return [part.index(1) for part in answer]


@deed(GARBAGE, says="wrote into the pipe")
def answers_twice(place):
    """Writes a valid reply; the host's own follows."""
    send(frame(place.call + 1, cell=cell_of(place.free_cell())))


@deed(GARBAGE, says="wrote into the pipe")
def answers_the_next_call_already(place):
    """Writes a valid reply with the number of the next call."""
    send(frame(place.call + 2, cell=[0, 0]))


@deed(GARBAGE, says="wrote into the pipe")
def answers_a_call_that_is_over(place):
    """Writes a valid reply with the number of the first request."""
    send(frame(1, cell=[0, 0]))


@deed(GARBAGE, says="wrote into the pipe", at="load")
def answers_before_it_is_loaded(place):
    """Writes the reply to the loading before the host does, with a Python that does not exist."""
    send(frame(1, python="9.9.9"))


@deed(GARBAGE, says="wrote into the pipe")
def answers_too_large(place):
    """Announces a reply of a gigabyte and sends zeros."""
    send(frame(place.call + 1, b"0" * 100000, size=1 << 30))


@deed(TIME, says="no answer")
def answers_half(place):
    """Writes half a reply and waits."""
    send(frame(place.call + 1, b"{}" * 500)[:500])
    time.sleep(3600)


@deed(TIME, says="no answer")
def answers_byte_by_byte(place):
    """Writes a valid reply, one byte in 20 ms, so that the runner always has something to read."""
    for byte in frame(place.call + 1, cell=cell_of(place.free_cell()), thought={"long": "x" * 900}):
        send(bytes([byte]))
        time.sleep(0.02)


@deed(TIME, GARBAGE)
def answers_without_end(place):
    """Announces a megabyte and writes it, byte by byte, as fast as it can."""
    send(frame(place.call + 1, b"", size=1 << 20))
    while True:
        send(b" ")


@deed(GARBAGE, says="wrote into the pipe")
def answers_with_a_pickle(place):
    """Writes a pickle that runs a command in whoever loads it."""

    class Command:
        def __reduce__(self):
            return os.mkdir, (os.path.join(place.host, "pickled"),)

    send(frame(place.call + 1, pickle.dumps(Command())))
    time.sleep(60)


@deed(TIME, at="each")
def answers_for_the_host(place):
    """Thinks for longer than the limit, says that it took no time, and reads the next request itself."""
    requests = ends()[0][0]
    number = place.call + 1
    while True:
        until = time.thread_time() + place.late
        while time.thread_time() < until:
            pass
        send(frame(number, cell=cell_of(place.free_cell())))
        header = os.read(requests, HEADER.size)
        _, number, size = HEADER.unpack(header)
        data = b""
        while len(data) < size:
            data += os.read(requests, size - len(data))
        place = place._replace(observation=pickle.loads(data)["observation"])


@deed(GARBAGE)
def sends_a_megabyte_of_thoughts(place):
    """Writes a valid reply with a thought just below the size limit, which every record would hold."""
    send(frame(place.call + 1, cell=cell_of(place.free_cell()), thought={"x": "y" * 1000000}))
    write, main = host_main().write_reply, host_main()

    def once(*_):
        main.write_reply = write

    main.write_reply = once


@deed(GARBAGE)
def boasts_of_endless_faults(place):
    """Writes a reply whose fields have impossible types and values."""
    send(frame(place.call + 1, cell=[0, 0], inner_faults=-1, siblings=[[]], wrote="no"))
    time.sleep(60)


@deed(GARBAGE)
def answers_in_utf_16(place):
    """Writes a valid object in another encoding."""
    send(frame(place.call + 1, json.dumps({"seconds": 0.0, "cell": [9, 9]}).encode("utf-16")))
    time.sleep(60)


@deed(GARBAGE)
def answers_with_infinity(place):
    """Writes numbers that are none."""
    send(frame(place.call + 1, b'{"seconds": -Infinity, "cell": [0, 0]}'))
    time.sleep(60)


@deed(GARBAGE, CRASH)
def repeats_the_keys(place):
    """Writes an object that has the cell twice."""
    send(frame(place.call + 1, b'{"seconds": 0, "cell": [0, 0], "cell": [true, 0]}'))
    time.sleep(60)


@deed(CRASH)
def dups_over_the_pipes(place):
    """Puts /dev/null in the place of all descriptors."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in range(3, 64):
        if fd != null:
            os.dup2(null, fd)


@deed(CRASH)
def swaps_the_pipes(place):
    """Exchanges the two ends, so that the host reads from where it should write."""
    reads, writes = ends()
    for one, other in zip(reads, writes):
        spare = os.dup(one)
        os.dup2(other, one)
        os.dup2(spare, other)


@deed(CRASH)
def closes_all_and_goes_on(place):
    """Closes every descriptor and answers."""
    os.closerange(0, 4096)


@deed(PLAYS_ON, CRASH)
def makes_the_pipes_impatient(place):
    """Makes both pipes non-blocking, for whoever shares them."""
    for fd in functools.reduce(operator.iadd, ends(), []):
        os.set_blocking(fd, False)


@deed(PLAYS_ON, CRASH)
def makes_the_pipes_small(place):
    """Shrinks both pipes to one page, so that a request does not fit."""
    for fd in functools.reduce(operator.iadd, ends(), []):
        with contextlib.suppress(OSError):
            fcntl.fcntl(fd, 1031, 4096)  # F_SETPIPE_SZ


@deed(TIME, CRASH, GARBAGE, PLAYS_ON)
def reads_the_request_away(place):
    """A thread reads the next request before the host does."""
    requests = ends()[0]
    threading.Thread(target=lambda: [os.read(fd, 1 << 16) for fd in requests], daemon=True).start()
    sys.setswitchinterval(1e-6)


@deed(TIME, CRASH, GARBAGE, PLAYS_ON)
def turns_the_pipes_round(place):
    """Opens both pipes the other way round through /proc: reads its replies, writes requests to itself."""
    for fd, mode in ((ends()[1][0], os.O_RDONLY), (ends()[0][0], os.O_WRONLY)):
        try:
            other = os.open(f"/proc/self/fd/{fd}", mode | os.O_NONBLOCK)
            if mode == os.O_WRONLY:
                os.write(other, frame(place.call + 2, b"\x80\x04N."))
        except OSError:
            pass


@deed(GARBAGE, CRASH, TIME, PLAYS_ON)
def fills_every_pipe_it_finds(place):
    """Writes into the open files of all processes that it can see."""
    for pid in os.listdir("/proc"):
        if not pid.isdigit() or int(pid) == os.getpid():
            continue
        try:
            names = os.listdir(f"/proc/{pid}/fd")
        except OSError:
            continue
        for name in names:
            try:
                fd = os.open(f"/proc/{pid}/fd/{name}", os.O_WRONLY | os.O_NONBLOCK)
                if stat.S_ISFIFO(os.fstat(fd).st_mode) and os.write(fd, b"tgn1garbage"):
                    done(f"wrote into a pipe of process {pid}")
            except OSError:
                pass
