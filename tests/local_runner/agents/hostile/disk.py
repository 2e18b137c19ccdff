"""Deeds against the file system. `place.host` is a folder that belongs to the runner's user."""

import contextlib
import ctypes
import os
import resource
import shutil
import socket
import stat
import sys
import threading
import time

from .register import CRASH, MARK, MEMORY, PLAYS_ON, TIME, deed, done, libc, processes

MB = 1 << 20
FULL = 512                              # MB that nobody may write into an agent's private folder
OWN = os.path.dirname(os.path.abspath(__file__))


def files(folder):
    for where, _, names in os.walk(folder):
        for name in names:
            yield os.path.join(where, name)


@deed(PLAYS_ON)
def changes_the_folder_and_removes_the_old_one(place):
    """Goes to / and removes the folder that it was started in."""
    old = os.getcwd()
    os.chdir("/")
    shutil.rmtree(old, ignore_errors=True)


@deed(PLAYS_ON)
def removes_the_host(place):
    """Deletes all files of the runner's user that it was told of."""
    shutil.rmtree(place.host, ignore_errors=True)


@deed(PLAYS_ON)
def removes_what_it_was_called_by(place):
    """Deletes its own folder and the one of the other agents, found by its own path."""
    for path in files(os.path.dirname(OWN) if OWN.startswith(place.host) else os.getcwd()):
        with contextlib.suppress(OSError):
            os.unlink(path)


@deed(PLAYS_ON)
def renames_its_folder(place):
    """Renames its own folder, the working folder and the host's."""
    for folder in (OWN if OWN.startswith(place.host) else place.host, os.getcwd(), place.host):
        with contextlib.suppress(OSError):
            os.rename(folder, folder + "." + MARK)


@deed(PLAYS_ON)
def overwrites_the_host(place):
    """Writes into every file that it was told of."""
    for path in files(place.host):
        for how in ("r+b", "ab", "wb"):
            with contextlib.suppress(OSError), open(path, how) as file:
                file.write(b"DEED")


@deed(PLAYS_ON)
def poisons_the_caches(place):
    """Puts compiled code beside its own files and the other agent's, for the next game."""
    for folder in {os.path.dirname(path) for path in files(place.host)} | {OWN}:
        with contextlib.suppress(OSError):
            os.makedirs(os.path.join(folder, "__pycache__"), exist_ok=True)
            with open(os.path.join(folder, "__pycache__", MARK + ".pyc"), "wb") as file:
                file.write(b"DEED")


@deed(PLAYS_ON)
def writes_everywhere(place):
    """Leaves a file in every folder where that works."""
    for folder in ("/", "/etc", "/usr", "/usr/local/bin", "/var", "/var/tmp", "/dev/shm", "/tmp", "/run", "/opt", "/root",
                   os.path.expanduser("~"), sys.prefix, os.path.dirname(os.__file__), place.host, OWN,
                   os.path.dirname(os.path.abspath(sys.modules["__main__"].__file__))):
        with contextlib.suppress(OSError), open(os.path.join(folder, MARK), "w") as file:
            file.write("DEED")


@deed(PLAYS_ON)
def links_to_the_host(place):
    """Reaches the host's files by symbolic links and hard links in its working folder."""
    for number, path in enumerate(list(files(place.host))):
        for link in (os.symlink, os.link):
            with contextlib.suppress(OSError):
                link(path, "link%d" % number)
                with open("link%d" % number, "ab") as file:
                    file.write(b"DEED")


@deed(PLAYS_ON)
def working_folder_is_a_link(place):
    """Replaces its working folder by a symbolic link to the host's files, for whoever clears it up."""
    folder = os.getcwd()
    with contextlib.suppress(OSError):
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)
        os.symlink(place.host, folder)


@deed(PLAYS_ON)
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


@deed(PLAYS_ON)
def cannot_be_removed(place):
    """Makes folders with files in them and takes its own rights to them away."""
    with contextlib.suppress(OSError):
        os.makedirs("a/b")
        open("a/b/file", "w").close()
        os.chmod("a/b", 0)
        os.chmod("a", 0)
        os.chmod(".", 0)


@deed(PLAYS_ON)
def too_deep_to_be_removed(place):
    """Makes 3000 folders, each in the one before."""
    with contextlib.suppress(OSError):
        for _ in range(3000):
            os.mkdir("d")
            os.chdir("d")


@deed(PLAYS_ON)
def names_nobody_expects(place):
    """Files whose names have newlines, escapes, right-to-left marks, bytes that are no text, and 255 bytes."""
    for name in (b"a\nb", b"\x1b[2J", "\u202egpj.exe".encode(), b"\xff\xfe", b"-rf", b"*", b"x" * 255, b"'\"$(id)"):
        with contextlib.suppress(OSError):
            open(name, "w").close()
            os.mkdir(name + b"d")


@deed(PLAYS_ON, TIME, MEMORY)
def many_small_files(place):
    """Makes files until the time or the disk is over, 30,000 at most."""
    with contextlib.suppress(OSError):
        for number in range(30000):
            os.close(os.open("f%d" % number, os.O_CREAT | os.O_WRONLY))


@deed(PLAYS_ON, TIME, MEMORY)
def fills_the_disk(place):
    """Writes 60 MB files until the disk is full, 900 MB at most."""
    written = 0
    with contextlib.suppress(OSError):
        for number in range(15):
            with open("big%d" % number, "wb", buffering=0) as file:
                for _ in range(15):
                    written += file.write(b"x" * (4 * MB))
    if written > FULL * MB:
        done("wrote %d MB" % (written >> 20))


@deed(PLAYS_ON)
def huge_sparse_file(place):
    """Makes a file of a petabyte that takes no space."""
    with contextlib.suppress(OSError):
        with open("sparse", "wb") as file:
            file.truncate(1 << 50)
        done("made a file of a petabyte")


@deed(PLAYS_ON)
def pipes_and_devices(place):
    """Makes a named pipe, a socket, and the devices of memory and disk."""
    with contextlib.suppress(OSError):
        os.mkfifo("fifo")
        os.mkfifo(os.path.join(place.host, "fifo"))
    with contextlib.suppress(OSError):
        socket.socket(socket.AF_UNIX).bind("socket")
    for kind, device in ((stat.S_IFCHR, os.makedev(1, 1)), (stat.S_IFBLK, os.makedev(254, 0))):
        with contextlib.suppress(OSError):
            os.mknod("device%d" % kind, kind | 0o666, device)
            os.close(os.open("device%d" % kind, os.O_RDWR))
            done("opened a device")


@deed(PLAYS_ON)
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


@deed(PLAYS_ON)
def immutable_file(place):
    """Makes a file that root cannot remove (chattr +i)."""
    import fcntl

    with contextlib.suppress(OSError), open("immutable", "w") as file:
        fcntl.ioctl(file, 0x40086602, ctypes.c_ulong(0x10))  # FS_IOC_SETFLAGS, FS_IMMUTABLE_FL
        done("made a file immutable")


@deed(PLAYS_ON, CRASH)
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


@deed(PLAYS_ON)
def writes_into_the_kernel(place):
    """Opens the kernel's settings in /proc/sys, /sys and the control groups to write."""
    for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/pid_max", "/proc/sysrq-trigger", "/dev/mem", "/dev/kmsg",
                 "/sys/power/state", "/sys/fs/cgroup/cgroup.procs", "/proc/sys/vm/drop_caches"):
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_WRONLY))
            done("opened " + path)
    for where, folders, _ in os.walk("/sys/fs/cgroup"):
        with contextlib.suppress(OSError):
            os.mkdir(os.path.join(where, MARK))
            done("made a control group in " + where)
        del folders[20:]


@deed(PLAYS_ON)
def shared_memory_files(place):
    """Leaves files in /dev/shm and POSIX message queues."""
    for number in range(20):
        with contextlib.suppress(OSError), open("/dev/shm/%s-%d" % (MARK, number), "wb") as file:
            file.write(b"x" * MB)
    libc.mq_open(("/" + MARK).encode(), os.O_CREAT | os.O_RDWR, 0o600, None)


@deed(CRASH, says="signal")
def dumps_core(place):
    """Allows itself a core file and aborts."""
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
    os.abort()


@deed(PLAYS_ON)
def through_the_roots_of_others(place):
    """Reaches the host's files through /proc/PID/root and /proc/PID/cwd of all processes."""
    for pid in processes():
        for door in ("root", "cwd"):
            for path in list(files(place.host)) or [os.path.join(place.host, MARK)]:
                with contextlib.suppress(OSError), open("/proc/%d/%s/%s" % (pid, door, path), "ab") as file:
                    file.write(b"DEED")
            with contextlib.suppress(OSError), open("/proc/%d/%s%s/%s" % (pid, door, place.host, MARK), "w") as file:
                file.write("DEED")


@deed(CRASH, says="ValueError")
def locks_its_output(place):
    """Takes the runner's right to read what it printed, and crashes."""
    for fd in (1, 2):
        with contextlib.suppress(OSError):
            os.fchmod(fd, 0)
    raise ValueError("read this")


@deed(PLAYS_ON)
def rewrites_its_output(place):
    """Opens the file of its output again, cuts it, and makes it 60 MB of nothing."""
    with contextlib.suppress(OSError):
        fd = os.open("/proc/self/fd/1", os.O_RDWR)
        os.ftruncate(fd, 0)
        os.ftruncate(fd, 60 * MB)


@deed(PLAYS_ON, TIME)
def holds_on_to_its_files(place):
    """A thread keeps making files in its working folder while the runner clears it up."""
    def make():
        for number in range(10**6):
            with contextlib.suppress(OSError):
                os.close(os.open("late%d" % number, os.O_CREAT | os.O_WRONLY))
            time.sleep(0.0001)

    threading.Thread(target=make, daemon=True).start()


@deed(PLAYS_ON)
def locks_the_hosts_files(place):
    """Locks every file of the host that it can open, as a database would be locked."""
    import fcntl

    for path in files(place.host):
        with contextlib.suppress(OSError):
            fcntl.flock(os.open(path, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
            done("locked " + os.path.basename(path))
