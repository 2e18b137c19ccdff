"""A host script that has been started in a sandbox, with a pipe to it and a pipe from it.

Knows processes and pipes; knows neither what is said through them nor any limit of time. `sandbox.py` chooses what the
started process is: bubblewrap, or the guard (portable/guard.py). Linux and macOS only. On Linux the process dies with
the thread that started it: start it from a thread that lives longer.
"""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.processes import sandbox
from local_runner.processes import scratch as scratches
from local_runner.processes.family import Family
from local_runner.processes.sandbox import Kind, SandboxMode, Wrapped
from local_runner.system.files import reason


class Spawned:
    """A started host script.

    `output`: file that its stdout and stderr are appended to; `core`: CPU core that it is pinned to, None for any;
    `memory_mb`: what the limit of its address space follows from; `readable`: files and folders that it may read;
    `trusted`: our code, which needs no sandbox; `arguments`: of the script, before the two file descriptors.
    Raises RunnerError if it cannot be started.

    requests, replies: our ends of the pipes, as file descriptors
    disk: its scratch folder if nothing limits the size of that, else None
    """

    def __init__(
        self, host: Path, python: str, output: Path, mode: SandboxMode, core: int | None = None, *,
        memory_mb: float | None = None, readable: Sequence[Path] = (), trusted: bool = False,
        arguments: Sequence[str] = (),
    ) -> None:  # fmt: skip
        if os.name != "posix":
            sentence = _("agents in processes of their own need Linux or macOS; `tengen run-log` works anywhere")
            raise RunnerError(sentence)
        found = shutil.which(python)
        if found is None:
            raise RunnerError(
                _("cannot start the agents' interpreter {python}: there is no such program").format(python=python)
            )
        kind = sandbox.chosen(mode, trusted=trusted)
        output.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as undo:
            scratch = undo.enter_context(scratches.folder(scratches.AGENT))
            child_requests, self.requests = os.pipe()
            undo.callback(os.close, self.requests)
            self.replies, child_replies = os.pipe()
            undo.callback(os.close, self.replies)
            fds = (child_requests, child_replies)
            try:
                wrapped = _wrapped(kind, os.path.abspath(found), scratch, readable, memory_mb)
                command = wrapped.running(host, *arguments, *map(str, fds), core=core)
                self.process = _spawn(command, wrapped, fds, output)
            except OSError as error:
                sentence = _("cannot start the agents' interpreter {python}: {error}")
                raise RunnerError(sentence.format(python=python, error=reason(error))) from error
            finally:
                for fd in fds:
                    os.close(fd)
            self.family = Family(self.process, inner=kind is Kind.BUBBLEWRAP)
            self.disk = scratch if kind is Kind.KERNEL else None  # bubblewrap's own folders have a size
            self._undo = undo.pop_all()

    def kill(self) -> None:
        """End the process and all its descendants, and remove its scratch folder; may be called twice."""
        self.family.end()
        self._undo.close()


def _wrapped(kind: Kind, python: str, scratch: Path, readable: Sequence[Path], memory_mb: float | None) -> Wrapped:
    """`sandbox.wrap`; raises RunnerError if the agent's files cannot be shown to it."""
    try:
        return sandbox.wrap(kind, python, scratch, readable=readable, memory_mb=memory_mb)
    except OSError as error:
        faults = error.args[0] if isinstance(error, shutil.Error) else [("", "", reason(error))]
        sentence = _("the files in {folder} cannot be given to the agent: {error}; make them readable, or move the "
                     "agent into a folder of its own")  # fmt: skip
        places = ", ".join(map(str, readable))
        raise RunnerError(sentence.format(folder=places, error="; ".join(str(fault[2]) for fault in faults))) from error


def _spawn(command: Sequence[str], wrapped: Wrapped, fds: tuple[int, int], output: Path) -> "subprocess.Popen[bytes]":
    with open(output, "ab") as sink:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
            cwd=wrapped.folder,
            env=wrapped.environment,
            pass_fds=fds,
            start_new_session=True,
        )
