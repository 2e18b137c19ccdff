"""Attacks in the agent's own working folder and output: for whoever clears it up, and for the disk."""

import contextlib
import os
import shutil
import threading
import time

from .register import CRASH, MEMORY, PLAYS_ON, TIME, attack, done

MB = 1 << 20
FULL = 512  # MB that nobody may write into an agent's private folder
written = []


@attack(PLAYS_ON)
def working_folder_is_a_link(place):
    """Replaces its working folder by a symbolic link to the host's files, for whoever clears it up."""
    folder = os.getcwd()
    with contextlib.suppress(OSError):
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)
        os.symlink(place.host, folder)


@attack(PLAYS_ON)
def working_folder_races_with_a_link(place):
    """A thread exchanges a folder and a link to the host again and again, while the folder is cleared up."""

    def exchange():
        with contextlib.suppress(OSError):
            while True:
                os.mkdir("inner")
                os.rmdir("inner")
                os.symlink(place.host, "inner")
                os.unlink("inner")

    threading.Thread(target=exchange, daemon=True).start()


@attack(PLAYS_ON)
def cannot_be_removed(place):
    """Makes folders with files in them and takes its own rights to them away."""
    with contextlib.suppress(OSError):
        os.makedirs("a/b")
        open("a/b/file", "w").close()
        os.chmod("a/b", 0)
        os.chmod("a", 0)
        os.chmod(".", 0)


@attack(PLAYS_ON, TIME, MEMORY)
def too_deep_to_be_removed(place):
    """Makes 3000 folders, each in the one before."""
    with contextlib.suppress(OSError):
        for _ in range(3000):
            os.mkdir("d")
            os.chdir("d")


@attack(PLAYS_ON)
def names_nobody_expects(place):
    """Files whose names have newlines, escapes, right-to-left marks, bytes that are no text, and 255 bytes."""
    for name in (b"a\nb", b"\x1b[2J", "\u202egpj.exe".encode(), b"\xff\xfe", b"-rf", b"*", b"x" * 255, b"'\"$(id)"):
        with contextlib.suppress(OSError):
            open(name, "w").close()
            os.mkdir(name + b"d")


@attack(PLAYS_ON, TIME, MEMORY, at="each")
def fills_the_disk(place):
    """Writes two files of 60 MB in every call, if it may."""
    with contextlib.suppress(OSError):
        for number in range(2):
            with open(f"big{place.call}-{number}", "wb", buffering=0) as file:
                for _ in range(15):
                    written.append(file.write(b"x" * (4 * MB)))
    if sum(written) > FULL * MB:
        done(f"wrote {sum(written) >> 20} MB")


@attack(CRASH, says="ValueError")
def locks_its_output(place):
    """Takes the runner's right to read what it printed, and crashes."""
    for fd in (1, 2):
        with contextlib.suppress(OSError):
            os.fchmod(fd, 0)
    raise ValueError("read this")


@attack(PLAYS_ON)
def makes_its_output_a_program(place):
    """Makes the file of its output a program that anybody may run with the rights of the runner's user."""
    with contextlib.suppress(OSError):
        os.write(1, b"#!/bin/sh\nid\n")
        os.fchmod(1, 0o6755)


@attack(PLAYS_ON, TIME)
def holds_on_to_its_files(place):
    """A thread keeps making files in its working folder while the runner clears it up."""

    def make():
        for number in range(10**6):
            with contextlib.suppress(OSError):
                os.close(os.open(f"late{number}", os.O_CREAT | os.O_WRONLY))
            time.sleep(0.0001)

    threading.Thread(target=make, daemon=True).start()
