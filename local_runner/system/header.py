"""The header of results: versions, commit, Python, CPU."""

import importlib.metadata
import os
import platform
import subprocess
import time
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parents[2]


class Header(TypedDict):
    """Facts about a machine and a version of the project. An unknown commit or CPU is "".

    tengen, python: versions
    cores: number of physical cores
    begun: the time as YYYY-MM-DDThh:mm:ssZ
    """

    tengen: str
    commit: str
    python: str
    system: str
    machine: str
    cpu: str
    cores: int
    begun: str


def header() -> Header:
    """The header of this machine, now."""
    return {
        "tengen": importlib.metadata.version("tengen"), "commit": commit(), "python": platform.python_version(),
        "system": platform.platform(), "machine": platform.node(), "cpu": cpu(), "cores": physical_cores(),
        "begun": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }  # fmt: skip


def commit() -> str:
    """The commit of this git checkout, with a + if files have changed since; "" if this is no checkout."""
    try:
        command = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 and (ROOT / ".git").exists() else ""


def cpu() -> str:
    """The processor's name."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            return next(line.partition(":")[2].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def physical_cores() -> int:
    """The number of physical cores that this process may use. On Linux, logical processors of one core count once."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    shared = Path("/sys/devices/system/cpu").glob("cpu[0-9]*/topology/thread_siblings_list")
    cores = len({path.read_text("ascii") for path in shared})
    return min(allowed, cores or allowed)
