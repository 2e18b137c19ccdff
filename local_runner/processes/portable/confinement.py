"""Confines the process that calls it, before a stranger's code runs in it: limits, user, Landlock and seccomp.

`processes/sandbox.py` writes the orders and a host script carries them out. Bubblewrap may have done a part outside.
Confinement is irrevocable and covers all future descendants. Without orders the process stays as it is.
"""

import ctypes
import os
import resource
from types import ModuleType
from typing import Any, Callable, Dict

PR_CAPBSET_DROP = 24  # <linux/prctl.h>
CAPABILITY_VERSION_3 = 0x20080522  # <linux/capability.h>
MAX_CAPABILITY = 63


def confine(orders: Dict[str, Any], load: Callable[[str], ModuleType]) -> None:
    """Carry out the orders; `load` gives a module of portable/.

    limits: soft and hard limit by name, such as "RLIMIT_NPROC"; a lower hard limit stays
    user: user and group id to take, without other groups; None: stay
    no_capabilities: whether root, who stays root, gives up all special rights
    landlock: {"readable": paths, "writable": paths}; None: all files
    seccomp: whether to install the filter
    isolated: whether the process has a PID namespace of its own

    Raises OSError or ValueError if the kernel refuses.
    """
    for name, value in orders.get("limits", {}).items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        lower = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (lower, lower))
    if orders.get("user") is not None:
        os.setgroups([])
        os.setresgid(*[orders["user"]] * 3)
        os.setresuid(*[orders["user"]] * 3)
    elif orders.get("no_capabilities"):
        drop_capabilities()
    if orders.get("landlock"):
        own = f"/proc/{os.getpid()}"  # to measure its own memory
        load("landlock").restrict([*orders["landlock"]["readable"], own], orders["landlock"]["writable"])
    if orders.get("seccomp"):
        load("seccomp").install(orders["isolated"])


def drop_capabilities() -> None:
    """Give up all capabilities for good, also those that root would get back by running a program."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in range(MAX_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability), *[ctypes.c_ulong(0)] * 3)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    if libc.capset(header, (ctypes.c_uint32 * 6)()):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
