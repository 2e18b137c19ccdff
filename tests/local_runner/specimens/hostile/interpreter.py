"""Attacks inside the interpreter: ends of the process, exceptions that misbehave, changes to the host's own modules."""

import atexit
import builtins
import contextlib
import ctypes
import os
import signal
import sys
import threading
import time

from .pipes import ends
from .register import CRASH, GARBAGE, ILLEGAL, MEMORY, PLAYS_ON, SHAPE, TIME, attack, child, host_main


@attack(CRASH, says="signal")
def overwrites_its_memory(place):
    """Writes over the interpreter's own objects."""
    ctypes.memset(id(None), 0, 16)
    ctypes.memset(id(sys.modules), 255, 4096)


@attack(CRASH, MEMORY)
def endless_chain_of_errors(place):
    """Raises an exception with 20,000 causes."""
    error = ValueError("first")
    for _ in range(20000):
        link = ValueError("next")
        link.__cause__ = error
        error = link
    raise error


@attack(PLAYS_ON)
def last_words(place):
    """Registers functions that hang, fork and print when the interpreter ends."""
    atexit.register(time.sleep, 3600)
    atexit.register(lambda: child(lambda: time.sleep(3600)))
    threading.Thread(target=time.sleep, args=(3600,)).start()


@attack(ILLEGAL)
def replaces_the_judge_by_a_liar(place):
    """Replaces the function that judges its answers: every cell is (0, 0)."""
    host_main().judge = lambda *_: {"cell": [0, 0]}


@attack(GARBAGE, CRASH)
def replaces_json(place):
    """Replaces the function that writes replies by one that writes what is no JSON."""
    host_main().json.dumps = lambda *_, **__: "{'seconds': 0}"


@attack(PLAYS_ON, CRASH, SHAPE, GARBAGE, ILLEGAL)
def replaces_builtins(place):
    """Replaces len, isinstance, list and range for everybody."""
    answer = place.free_cell()
    builtins.len = lambda thing: 3
    builtins.isinstance = lambda *_: True
    builtins.list = builtins.range = lambda *_: [1, 0, 0]
    return answer


@attack(CRASH, PLAYS_ON)
def closes_its_output(place):
    """Closes standard output and error, then raises."""
    sys.stdout.close()
    with contextlib.suppress(OSError):
        os.close(1)
        os.close(2)
    raise ValueError("unheard")


@attack(GARBAGE, CRASH, PLAYS_ON)
def wakes_up_in_the_pipe(place):
    """Asks Python to write the number of every signal into the reply pipe."""
    fd = ends()[1][0]
    os.set_blocking(fd, False)
    signal.signal(signal.SIGUSR1, lambda *_: None)
    signal.set_wakeup_fd(fd, warn_on_full_buffer=False)
    os.kill(os.getpid(), signal.SIGUSR1)


@attack(PLAYS_ON, TIME)
def floods_its_output(place):
    """Prints until nothing more can be printed, 10 GB at most."""
    with contextlib.suppress(OSError):
        for _ in range(10240):
            os.write(1, b"flood\n" * (1 << 17))


@attack(CRASH, says="ValueError")
def prints_no_text(place):
    """Prints escape codes, invalid UTF-8, zeros and binary data, and raises."""
    os.write(1, b"\x1b[2J\x1b[31m\xff\xfe\0\r\n\x9b" + bytes(range(256)) * 100 + "\u202e\u2028".encode())
    raise ValueError("\x1b[2J\x00\u202e\r")


@attack(CRASH, TIME, says="")
def hides_behind_the_import_lock(place):
    """A thread holds the import lock, the GIL's turn and a lock of the logging module."""
    import _imp

    _imp.acquire_lock()
    threading.Thread(target=lambda: all(number == 0 for number in iter(int, 1)), daemon=True).start()
    time.sleep(3600)
