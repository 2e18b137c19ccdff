"""Attacks against the files of others. `place.host` is a folder that belongs to the runner's user."""

import contextlib
import os
import shutil
import socket
import stat
import sys

from .register import CRASH, MARK, PLAYS_ON, attack, done, host_main, libc, processes

MB = 1 << 20
kept = []
OWN = os.path.dirname(os.path.abspath(__file__))
SYSTEM = ("/", "/etc", "/usr", "/usr/local/bin", "/var", "/var/tmp", "/dev/shm", "/tmp", "/run", "/opt")
SETTINGS = ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/dev/mem", "/dev/kmsg",
            "/sys/power/state", "/sys/fs/cgroup/cgroup.procs", "/proc/sys/vm/drop_caches")  # fmt: skip


def files(folder):
    for where, _, names in os.walk(folder):
        for name in names:
            yield os.path.join(where, name)


@attack(PLAYS_ON)
def removes_the_host(place):
    """Deletes all files of the runner's user that it was told of."""
    shutil.rmtree(place.host, ignore_errors=True)


@attack(PLAYS_ON)
def renames_its_folder(place):
    """Renames its own folder, the working folder and the host's."""
    for folder in (OWN if OWN.startswith(place.host) else place.host, os.getcwd(), place.host):
        with contextlib.suppress(OSError):
            os.rename(folder, folder + "." + MARK)


@attack(PLAYS_ON)
def overwrites_the_host(place):
    """Writes into every file that it was told of."""
    for path in files(place.host):
        for how in ("r+b", "ab", "wb"):
            with contextlib.suppress(OSError), open(path, how) as file:
                file.write(b"ATTACK")


@attack(PLAYS_ON)
def writes_everywhere(place):
    """Leaves a file in every folder where that works."""
    python = (sys.prefix, os.path.dirname(os.__file__), os.path.dirname(os.path.abspath(host_main().__file__)))
    for folder in (*SYSTEM, *python, os.path.expanduser("~root"), os.path.expanduser("~"), place.host, OWN):
        with contextlib.suppress(OSError), open(os.path.join(folder, MARK), "w") as file:
            file.write("ATTACK")


@attack(PLAYS_ON)
def links_to_the_host(place):
    """Reaches the host's files by symbolic links and hard links in its working folder."""
    for number, path in enumerate(list(files(place.host))):
        for link in (os.symlink, os.link):
            with contextlib.suppress(OSError):
                link(path, f"link{number}")
                with open(f"link{number}", "ab") as file:
                    file.write(b"ATTACK")


@attack(PLAYS_ON)
def pipes_and_devices(place):
    """Makes a named pipe, a socket, and the devices of memory and disk."""
    with contextlib.suppress(OSError):
        os.mkfifo("fifo")
        os.mkfifo(os.path.join(place.host, "fifo"))
    with contextlib.suppress(OSError):
        socket.socket(socket.AF_UNIX).bind("socket")
    for kind, device in ((stat.S_IFCHR, os.makedev(1, 1)), (stat.S_IFBLK, os.makedev(254, 0))):
        with contextlib.suppress(OSError):
            os.mknod(f"device{kind}", kind | 0o666, device)
            os.close(os.open(f"device{kind}", os.O_RDWR))
            done("opened a device")


@attack(PLAYS_ON)
def changes_rights(place):
    """Makes its files setuid, the host's files public and its folders closed."""
    with contextlib.suppress(OSError):
        shutil.copy(sys.executable, "root")
        os.chmod("root", 0o6777)
    for path in [*files(place.host), place.host]:
        with contextlib.suppress(OSError):
            os.chmod(path, 0o6777)
        with contextlib.suppress(OSError):
            os.utime(path, (0, 0))
        with contextlib.suppress(OSError):
            os.setxattr(path, "user." + MARK, b"1")


@attack(PLAYS_ON, CRASH)
def mounts(place):
    """Mounts a file system over the host's files, and takes /proc and /tmp off."""
    for flags in (0, 0x10000000 | 0x20000):  # as it is; in a user and mount namespace of its own
        if flags:
            libc.unshare(flags)
        if libc.mount(b"tmpfs", place.host.encode(), b"tmpfs", 0, None) == 0 and not flags:
            done("mounted a file system")
        for target in (b"/proc", b"/tmp", b"/dev/shm"):
            if libc.umount2(target, 2) == 0 and not flags:
                done("unmounted " + target.decode())


@attack(PLAYS_ON)
def writes_into_the_kernel(place):
    """Opens the kernel's settings in /proc/sys, /sys and the control groups to write."""
    for path in SETTINGS:
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_WRONLY))
            done("opened " + path)
    for where, folders, _ in os.walk("/sys/fs/cgroup"):
        with contextlib.suppress(OSError):
            os.mkdir(os.path.join(where, MARK))
            done("made a control group in " + where)
        del folders[20:]


@attack(PLAYS_ON)
def shared_memory_files(place):
    """Leaves files in /dev/shm and POSIX message queues."""
    for number in range(20):
        with contextlib.suppress(OSError), open(f"/dev/shm/{MARK}-{number}", "wb") as file:
            file.write(b"x" * MB)
    libc.mq_open(("/" + MARK).encode(), os.O_CREAT | os.O_RDWR, 0o600, None)


@attack(PLAYS_ON)
def through_the_roots_of_others(place):
    """Reaches the host's files through root and cwd of all processes in /proc."""
    for pid in processes():
        for door in ("root", "cwd"):
            for path in list(files(place.host)) or [os.path.join(place.host, MARK)]:
                with contextlib.suppress(OSError), open(f"/proc/{pid}/{door}/{path}", "ab") as file:
                    file.write(b"ATTACK")
            with contextlib.suppress(OSError), open(f"/proc/{pid}/{door}{place.host}/{MARK}", "w") as file:
                file.write("ATTACK")
