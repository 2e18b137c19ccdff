"""Starts host scripts in the sandbox: one that answers over pipes, or one that runs until it ends.

The started process is bubblewrap or the guard (agent_side/launcher.py). On Linux the kernel kills the process when the
thread that started it ends, so that thread must outlive the process.
"""

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from local_runner.errors import RunnerError
from local_runner.game.faults import Fault
from local_runner.language.languages import _
from local_runner.processes import interpreters, sandbox, scratch
from local_runner.processes.family import Family
from local_runner.processes.sandbox import HostScript
from local_runner.system import files
from local_runner.system.files import reason

LAUNCHER = sandbox.OURS[0] / "launcher.py"
PRINTED_BYTES = 1 << 20  # how much of the end of the printed output `run` keeps
ANSWER_BYTES = 64 << 20  # size limit of the answer file of `run`; a larger one is ignored


def _started(script: HostScript, folder: Path, *more: str, writable: Iterable[Path] = (), **popen: Any) -> Family:
    """Start a script in the new folder `folder`; returns its processes.

    `more`: further arguments; `writable`: files that the script may write; `popen`: arguments of subprocess.Popen.
    Raises RunnerError if the sandbox is refused (see `sandbox.chosen`), and OSError if the interpreter cannot be
    started.
    """
    box = sandbox.chosen(script.mode, trusted=script.trusted)
    wrapped = box.wrap(script, folder, writable)
    status, told = os.pipe()
    settings = json.dumps({**wrapped.settings, "status": told})
    command = [*wrapped.interpreter, "-u", str(LAUNCHER), settings, str(script.path), *script.arguments, *more]
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
    return Family(process, status, box, many=script.processes, harmless=script.trusted or not script.processes)


class Spawned:
    """A started host script. The script's last two arguments are the file descriptors of its ends of the pipes.

    `output`: file to which the script's stdout and stderr are appended. Raises RunnerError if the system is not Linux
    or macOS, the interpreter cannot be started, or the sandbox is refused.

    requests, replies: the runner's ends of the pipes, as file descriptors
    family: the script's processes
    folder: the script's scratch folder
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
            self.folder = stack.enter_context(scratch.folder(scratch.AGENT))
            child_requests, self.requests = os.pipe()
            stack.callback(os.close, self.requests)
            self.replies, child_replies = os.pipe()
            stack.callback(os.close, self.replies)
            fds = (child_requests, child_replies)
            try:
                with open(output, "ab") as sink:
                    self.family = _started(
                        replace(script, python=os.path.abspath(program)), self.folder, *map(str, fds),
                        stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, pass_fds=fds,
                    )  # fmt: skip
            except OSError as error:
                sentence = _("cannot start the agents' interpreter {python}: {error}")
                raise RunnerError(sentence.format(python=script.python, error=reason(error))) from error
            finally:
                for fd in fds:
                    os.close(fd)
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
    answer: the content of its answer file; None if it is empty, no regular file any more, or larger than ANSWER_BYTES
    """

    fault: Fault
    printed: str
    answer: bytes | None


def run(script: HostScript, given: str = "", seconds: float | None = None) -> Ended:
    """Run a host script until it ends; its last argument is the path of the answer file, which it may write.

    `given`: standard input of the script; `seconds`: time limit, None for no limit. Raises TooSlow if the limit passes,
    and RunnerError if the sandbox is refused.
    """
    with scratch.folder(scratch.AGENT) as folder:
        answer, printed = folder / "answer", folder / "printed"
        answer.touch()
        with tempfile.TemporaryFile("w+") as source, open(printed, "ab") as sink:
            source.write(given)
            source.seek(0)
            family = _started(script, folder, str(answer), writable=[answer], stdin=source, stdout=sink, stderr=sink)
        try:
            family.process.wait(seconds)
            fault = family.fault()
        except subprocess.TimeoutExpired:
            raise TooSlow from None
        finally:
            family.end()
        said = (files.tail(printed, PRINTED_BYTES) or b"").decode("utf-8", "replace")
        told = answer.is_file() and not answer.is_symlink() and 0 < answer.stat().st_size <= ANSWER_BYTES
        return Ended(fault, said, answer.read_bytes() if told else None)
