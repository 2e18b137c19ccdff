"""Confines the calling process before a stranger's code runs in it: resource limits, user, Landlock and seccomp.

`processes/sandbox.py` writes the orders, and hosts/confined.py carries them out. Bubblewrap, if used, has confined the
process before. Confinement is irrevocable and covers all future descendants. Empty orders change nothing.
"""

import ctypes
import os
import resource
from types import ModuleType
from typing import Any, Callable, Dict

PR_CAPBSET_DROP = 24  # <linux/prctl.h>
CAPABILITY_VERSION_3 = 0x20080522  # <linux/capability.h>
MAX_CAPABILITY = 63  # the kernel's capability sets have 64 bits


def confine(orders: Dict[str, Any], load: Callable[[str], ModuleType]) -> None:
    """Carry out the orders; `load` returns a module of portable/ by its name. The orders are:

    limits: resource name, such as "RLIMIT_NPROC" -> new soft and hard limit; a lower hard limit is kept
    user: user and group id to change to, without other groups; None: keep the user
    no_capabilities: whether to drop all capabilities if `user` is None, so that root stays root without special rights
    landlock: {"readable": paths, "writable": paths}; None: do not restrict files
    seccomp: whether to install the seccomp filter
    isolated: whether the process has its own PID namespace

    Raises OSError or ValueError if the kernel refuses an order.
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
        own = f"/proc/{os.getpid()}"  # readable, so that the process can measure its own memory
        files = orders["landlock"]
        load("landlock").restrict([*files["readable"], own], files["writable"], files.get("listed", ()))
    if orders.get("seccomp"):
        load("seccomp").install(orders["isolated"])


def drop_capabilities() -> None:
    """Drop all capabilities irrevocably, including the bounding set from which root regains them by exec."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in range(MAX_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability), *[ctypes.c_ulong(0)] * 3)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    if libc.capset(header, (ctypes.c_uint32 * 6)()):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
