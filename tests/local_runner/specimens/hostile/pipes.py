"""Attacks against the two pipes: forged, partial, slow and doubled replies, and the pipes themselves."""

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

from .register import CRASH, GARBAGE, PLAYS_ON, TIME, attack, done

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


@attack(GARBAGE, says="wrote into the pipe")
def answers_twice(place):
    """Writes a valid reply; the host's own follows."""
    send(frame(place.call + 1, cell=cell_of(place.free_cell())))


@attack(GARBAGE, says="wrote into the pipe", at="load")
def answers_before_it_is_loaded(place):
    """Writes the reply to the loading before the host does, with a Python that does not exist."""
    send(frame(1, python="9.9.9"))


@attack(TIME, says="no answer")
def answers_half(place):
    """Writes half a reply and waits."""
    send(frame(place.call + 1, b"{}" * 500)[:500])
    time.sleep(3600)


@attack(TIME, says="no answer")
def answers_byte_by_byte(place):
    """Writes a valid reply, one byte in 20 ms, so that the runner always has something to read."""
    for byte in frame(place.call + 1, cell=cell_of(place.free_cell()), thought={"long": "x" * 900}):
        send(bytes([byte]))
        time.sleep(0.02)


@attack(TIME, at="each")
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


@attack(CRASH)
def dups_over_the_pipes(place):
    """Puts /dev/null in the place of all descriptors."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in range(3, 64):
        if fd != null:
            os.dup2(null, fd)


@attack(PLAYS_ON, CRASH)
def makes_the_pipes_small(place):
    """Shrinks both pipes to one page, so that a request does not fit."""
    for fd in functools.reduce(operator.iadd, ends(), []):
        with contextlib.suppress(OSError):
            fcntl.fcntl(fd, 1031, 4096)  # F_SETPIPE_SZ


@attack(TIME, CRASH, GARBAGE, PLAYS_ON)
def reads_the_request_away(place):
    """A thread reads the next request before the host does."""
    requests = ends()[0]
    threading.Thread(target=lambda: [os.read(fd, 1 << 16) for fd in requests], daemon=True).start()
    sys.setswitchinterval(1e-6)


@attack(GARBAGE, CRASH, TIME, PLAYS_ON)
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
