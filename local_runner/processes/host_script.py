"""Describes and starts a host script in the sandbox: its Python, its limits, and the files that it may read."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local_runner.errors import RunnerError
from local_runner.language.languages import _, listed
from local_runner.processes import groups, sandbox
from local_runner.processes.family import Family
from local_runner.processes.sandbox import Kind, SandboxMode, Wrapped
from local_runner.system.files import reason


@dataclass(frozen=True)
class HostScript:
    """A script of hosts/ and how to run it.

    python: path of the interpreter
    arguments: the script's first arguments
    readable: files and folders that the script may read, besides the system's
    trusted: whether the script runs only our code, which needs no sandbox
    memory_mb: limit of resident memory, from which the limit of the address space is computed; None: no limit
    core: the CPU core to pin the process to; None: any core
    imports: folders from which the script imports, besides Python's
    """

    path: Path
    python: str
    mode: SandboxMode
    arguments: tuple[str, ...] = ()
    readable: tuple[Path, ...] = ()
    trusted: bool = False
    memory_mb: float | None = None
    core: int | None = None
    imports: tuple[Path, ...] = ()

    def start(self, scratch: Path, *more: str, writable: Iterable[Path] = (), **popen: Any) -> tuple[Family, Kind]:
        """Start the script in the new folder `scratch`; returns its processes and the kind of its sandbox.

        `more`: further arguments; `writable`: folders that the script may write; `popen`: arguments of
        subprocess.Popen. Raises RunnerError if the sandbox is refused (see `sandbox.chosen`) or the readable files
        cannot be given to the script. Raises OSError if the interpreter cannot be started.
        """
        kind = sandbox.chosen(self.mode, trusted=self.trusted)
        wrapped = self._wrapped(kind, scratch, writable)
        group = groups.made(None if self.memory_mb is None else int(self.memory_mb * 1_000_000), sandbox.PROCESSES)
        entrance = [] if group is None else [group.entrance]
        command = wrapped.running(
            self.path, *self.arguments, *more, core=self.core, group=next(iter(entrance), None), imports=self.imports
        )
        try:
            with _init_filter(wrapped) as (options, fds):
                process = subprocess.Popen(
                    [command[0], *options, *command[1:]], cwd=wrapped.folder, env=wrapped.environment,
                    start_new_session=True,
                    **{**popen, "pass_fds": (*popen.get("pass_fds", ()), *fds, *entrance)},
                )  # fmt: skip
        except BaseException:
            if group is not None:
                group.remove()
            raise
        if group is not None:
            group.close_entrance()
        isolated = kind is Kind.BUBBLEWRAP
        return Family(process, inner=isolated, group=group, in_memory=sandbox.ROOMS if isolated else ()), kind

    def _wrapped(self, kind: Kind, scratch: Path, writable: Iterable[Path]) -> Wrapped:
        try:
            return sandbox.wrap(
                kind, self.python, scratch, readable=self.readable, writable=writable, memory_mb=self.memory_mb,
                trusted=self.trusted,
            )  # fmt: skip
        except OSError as error:
            faults = error.args[0] if isinstance(error, shutil.Error) else [("", "", reason(error))]
            sentence = _("the files in {folder} cannot be given to the agent: {error}; make them readable, or move the "
                         "agent into a folder of its own")  # fmt: skip
            places = listed(map(str, self.readable))
            said = "; ".join(str(fault[2]) for fault in faults)
            raise RunnerError(sentence.format(folder=places, error=said)) from error


@contextlib.contextmanager
def _init_filter(wrapped: Wrapped) -> Iterator[tuple[list[str], list[int]]]:
    """Bubblewrap's option for the init's seccomp filter, and the file descriptors to pass; [] and [] without one."""
    if not wrapped.init_filter:
        yield [], []
        return
    source, sink = os.pipe()  # a filter fits into a pipe
    try:
        with open(sink, "wb") as file:
            file.write(wrapped.init_filter)
        yield ["--seccomp", str(source)], [source]
    finally:
        os.close(source)
