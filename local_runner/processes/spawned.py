"""Starts a host script in a sandbox, with one pipe for requests and one for replies.

The started process is bubblewrap or the guard (portable/guard.py). Linux and macOS only. On Linux the kernel kills the
process when the thread that started it ends, so that thread must outlive the process.
"""

import contextlib
import os
import subprocess
from dataclasses import replace
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.processes import interpreters
from local_runner.processes import scratch as scratches
from local_runner.processes.host_script import HostScript
from local_runner.processes.sandbox import Kind
from local_runner.system.files import reason


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
            scratch = stack.enter_context(scratches.folder(scratches.AGENT))
            child_requests, self.requests = os.pipe()
            stack.callback(os.close, self.requests)
            self.replies, child_replies = os.pipe()
            stack.callback(os.close, self.replies)
            fds = (child_requests, child_replies)
            try:
                with open(output, "ab") as sink:
                    self.family, kind = replace(script, python=os.path.abspath(program)).start(
                        scratch, *map(str, fds), stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, pass_fds=fds
                    )
            except OSError as error:
                sentence = _("cannot start the agents' interpreter {python}: {error}")
                raise RunnerError(sentence.format(python=script.python, error=reason(error))) from error
            finally:
                for fd in fds:
                    os.close(fd)
            self.disk = scratch if kind is Kind.KERNEL else None  # bubblewrap limits the size of its folders itself
            self._resources = stack.pop_all()

    def kill(self) -> None:
        """End the process and all its descendants, and remove its scratch folder; may be called twice."""
        with self._resources:
            self.family.end()
