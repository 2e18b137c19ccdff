"""Landlock: limits this process and its descendants to granted files; Linux 5.13 or newer.

Each version of Landlock adds rights that can be denied; `VERSIONS` lists them. Version 4 and later also deny TCP;
version 6 and later deny signals and abstract sockets to outside processes. Landlock does not prevent a process from
reading names and modes of files. The seccomp filter, not Landlock, prevents changes of modes, owners and times. See
Documentation/userspace-api/landlock.rst in the kernel's sources.
"""

import ctypes
import os
import stat
import struct
from typing import Iterable, List

CREATE, ADD, RESTRICT = 444, 445, 446  # numbers of landlock_create_ruleset, _add_rule, _restrict_self on all machines
ASK_VERSION, PATH_BENEATH = 1, 1
PR_SET_NO_NEW_PRIVS = 38

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REFER, TRUNCATE, IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
FIRST_RIGHTS = (1 << 13) - 1  # all rights of version 1
READ = EXECUTE | READ_FILE | READ_DIR
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE  # all other rights are rights of folders
# Version -> rights that it adds: (file rights, network rights (TCP bind, connect), scopes (abstract sockets, signals)).
VERSIONS = {1: (FIRST_RIGHTS, 0, 0), 2: (REFER, 0, 0), 3: (TRUNCATE, 0, 0), 4: (0, 3, 0), 5: (IOCTL_DEVICE, 0, 0),
            6: (0, 0, 3)}  # fmt: skip


def version() -> int:
    """The kernel's version of Landlock; 0 if Landlock is missing or switched off."""
    return max(0, _syscall(CREATE, None, 0, ASK_VERSION))


def restrict(readable: Iterable[str], writable: Iterable[str], listed: Iterable[str] = ()) -> None:
    """Deny this process all files except these paths and everything beneath them; missing paths are skipped.

    listed: folders in which only the names may be read; an import reads the names in a module's folder.

    Raises OSError if the kernel has no Landlock or refuses the rules.
    """
    known = [each for first, each in VERSIONS.items() if first <= version()]
    files, network, scopes = (sum(each[kind] for each in known) for kind in range(3))
    # An older kernel knows only the first fields and refuses the structure unless all other fields are zero.
    attributes = struct.pack("=QQQ", files, network, scopes)
    ruleset = _checked(_syscall(CREATE, attributes, len(attributes), 0))
    try:
        for paths, rights in ((readable, READ & files), (writable, files), (listed, READ_DIR & files)):
            for path in paths:
                _grant(ruleset, path, rights)
        libc = ctypes.CDLL(None, use_errno=True)
        unused = [ctypes.c_ulong(0)] * 3
        _checked(libc.prctl(PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), *unused))
        _checked(_syscall(RESTRICT, ruleset, 0))
    finally:
        os.close(ruleset)


def _grant(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= OF_FILES
        _checked(_syscall(ADD, ruleset, PATH_BENEATH, struct.pack("=Qi", rights, place), 0))
    finally:
        os.close(place)


def _syscall(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    given: List[object] = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return int(libc.syscall(ctypes.c_long(number), *given))


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
