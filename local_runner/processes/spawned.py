"""A host script that has been started in a sandbox, with a pipe to it and a pipe from it.

Knows processes and pipes; knows neither the messages nor any time limit. The started process is bubblewrap or the
guard (portable/guard.py). Linux and macOS only. On Linux the process dies with the thread that started it: start it
from a thread that lives longer.
"""

import contextlib
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.processes import scratch as scratches
from local_runner.processes.host_script import HostScript
from local_runner.processes.sandbox import Kind
from local_runner.system.files import reason


class Spawned:
    """A started host script. Its last two arguments are the file descriptors of its ends of the pipes.

    `output`: file that its stdout and stderr are appended to. Raises RunnerError if it cannot be started.

    requests, replies: our ends of the pipes, as file descriptors
    disk: its scratch folder if nothing limits the size of that, else None
    """

    def __init__(self, script: HostScript, output: Path) -> None:
        if os.name != "posix":
            sentence = _("agents in processes of their own need Linux or macOS; `tengen run-log` works anywhere")
            raise RunnerError(sentence)
        found = shutil.which(script.python)
        if found is None:
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
                    self.family, kind = replace(script, python=os.path.abspath(found)).start(
                        scratch, *map(str, fds), stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, pass_fds=fds
                    )
            except OSError as error:
                sentence = _("cannot start the agents' interpreter {python}: {error}")
                raise RunnerError(sentence.format(python=script.python, error=reason(error))) from error
            finally:
                for fd in fds:
                    os.close(fd)
            self.disk = scratch if kind is Kind.KERNEL else None  # bubblewrap's own folders have a size
            self._resources = stack.pop_all()

    def kill(self) -> None:
        """End the process and all its descendants, and remove its scratch folder; may be called twice."""
        self.family.end()
        self._resources.close()
