"""Describes and starts a host script in the sandbox: its Python, its limits, its pipes, and the files that it may read.

The started process is bubblewrap or the guard (agent_side/launcher.py). On Linux the kernel kills the process when the
thread that started it ends, so that thread must outlive the process.
"""

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from local_runner.errors import RunnerError
from local_runner.game.faults import Fault
from local_runner.language.languages import _
from local_runner.processes import interpreters, sandbox, scratch
from local_runner.processes.family import Family
from local_runner.processes.sandbox import Kind, SandboxMode
from local_runner.system import files
from local_runner.system.files import reason

PRINTED_BYTES = 1 << 20  # how much of the end of the printed output `run` keeps
ANSWER_BYTES = 64 << 20  # size limit of the answer file of `run`; a larger one is ignored


@dataclass(frozen=True)
class HostScript:
    """A script of agent_side/ and how to run it.

    python: path of the interpreter
    arguments: the script's first arguments
    readable: files and folders that the script may read, besides the system's
    trusted: whether the script runs only our code, which needs no sandbox
    processes: whether the script may start further processes
    memory_mb: limit of resident memory, from which the limits of the address space are computed; None: no limit
    core: the CPU core to pin the process to; None: any core
    imports: folders from which the script imports, besides Python's
    """

    path: Path
    python: str
    mode: SandboxMode
    arguments: tuple[str, ...] = ()
    readable: tuple[Path, ...] = ()
    trusted: bool = False
    processes: bool = False
    memory_mb: float | None = None
    core: int | None = None
    imports: tuple[Path, ...] = ()

    def start(self, folder: Path, *more: str, writable: Iterable[Path] = (), **popen: Any) -> tuple[Family, Kind]:
        """Start the script in the new folder `folder`; returns its processes and the kind of its sandbox.

        `more`: further arguments; `writable`: folders that the script may write; `popen`: arguments of
        subprocess.Popen. Raises RunnerError if the sandbox is refused (see `sandbox.chosen`). Raises OSError if the
        interpreter cannot be started.
        """
        kind = sandbox.chosen(self.mode, trusted=self.trusted)
        wrapped = sandbox.wrap(
            kind, self.python, folder, readable=self.readable, writable=writable, memory_mb=self.memory_mb,
            processes=self.processes,
        )  # fmt: skip
        status, told = os.pipe()
        settings = {"core": self.core, "status": told, "imports": list(map(str, self.imports))}
        command = wrapped.running(self.path, settings, *self.arguments, *more)
        try:
            process = subprocess.Popen(
                command, cwd=wrapped.folder, env=wrapped.environment, start_new_session=True,
                **{**popen, "pass_fds": (*popen.get("pass_fds", ()), told)},
            )  # fmt: skip
        except BaseException:
            os.close(status)
            raise
        finally:
            os.close(told)
        isolated = kind is Kind.BUBBLEWRAP
        room = sandbox.ROOM if isolated else None
        return Family(process, status, inner=isolated, many=self.processes, room=room), kind


class Spawned:
    """A started host script. The script's last two arguments are the file descriptors of its ends of the pipes.

    `output`: file to which the script's stdout and stderr are appended. Raises RunnerError if the system is not Linux
    or macOS, the interpreter cannot be started, or the sandbox is refused.

    requests, replies: the runner's ends of the pipes, as file descriptors
    family: the script's processes
    disk: the scratch folder if the runner must watch its size (KERNEL), else None
    """

    def __init__(self, script: HostScript, output: Path) -> None:
        if os.name != "posix":
            sentence = _("agents in processes of their own need Linux or macOS; `tengen run-log` works anywhere")
            raise RunnerError(sentence)
        program = interpreters.path_of(script.python)
        if program is None:
            sentence = _("cannot start the agents' interpreter {python}: there is no such program")
            raise RunnerError(sentence.format(python=script.python))
        output.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(scratch.folder(scratch.AGENT))
            child_requests, self.requests = os.pipe()
            stack.callback(os.close, self.requests)
            self.replies, child_replies = os.pipe()
            stack.callback(os.close, self.replies)
            fds = (child_requests, child_replies)
            try:
                with open(output, "ab") as sink:
                    self.family, kind = replace(script, python=os.path.abspath(program)).start(
                        folder, *map(str, fds), stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, pass_fds=fds
                    )
            except OSError as error:
                sentence = _("cannot start the agents' interpreter {python}: {error}")
                raise RunnerError(sentence.format(python=script.python, error=reason(error))) from error
            finally:
                for fd in fds:
                    os.close(fd)
            self.disk = folder if kind is Kind.KERNEL else None  # bubblewrap limits the size of its folder itself
            self._resources = stack.pop_all()

    def kill(self) -> None:
        """End the process and all its descendants, and remove its scratch folder; may be called twice."""
        with self._resources:
            self.family.end()


class TooSlow(Exception):
    """The script did not end in time."""


class Ended(NamedTuple):
    """How a script ended.

    fault: its exit code or signal in words
    printed: the end of its output
    answer: the content of its answer file, or None
    """

    fault: Fault
    printed: str
    answer: bytes | None

    @property
    def code(self) -> int | None:
        """The exit code; None if a signal ended the script."""
        code = self.fault.fields.get("code")
        return int(code) if code is not None else None


def run(script: HostScript, given: str = "", seconds: float | None = None) -> Ended:
    """Run a host script until it ends; its last argument is the path of the answer file, which it may write.

    `given`: standard input of the script; `seconds`: time limit, None for no limit. Raises TooSlow if the limit passes,
    and RunnerError if the sandbox is refused (see `HostScript.start`).
    """
    with scratch.folder(scratch.AGENT) as folder:
        answer, printed = folder / "answer", folder / "printed"
        answer.touch()
        with tempfile.TemporaryFile("w+") as source, open(printed, "ab") as sink:
            source.write(given)
            source.seek(0)
            family, _kind = script.start(folder, str(answer), writable=[answer], stdin=source, stdout=sink, stderr=sink)
        try:
            family.process.wait(seconds)
            fault = family.fault()
        except subprocess.TimeoutExpired:
            raise TooSlow from None
        finally:
            family.end()
        said = (files.tail(printed, PRINTED_BYTES) or b"").decode("utf-8", "replace")
        return Ended(fault, said, _answer(answer))


def _answer(path: Path) -> bytes | None:
    """The content of the answer file; None if it is empty, no regular file any more, or larger than ANSWER_BYTES."""
    if path.is_symlink() or not path.is_file() or not 0 < path.stat().st_size <= ANSWER_BYTES:
        return None
    return path.read_bytes()
