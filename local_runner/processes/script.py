"""Runs a host script in the sandbox and waits until it ends."""

import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from local_runner.game.faults import Fault
from local_runner.processes import scratch
from local_runner.processes.exit_code import fault_of_code
from local_runner.processes.host_script import HostScript
from local_runner.system import files

PRINTED_BYTES = 1 << 20  # how much of the end of the printed output is kept
ANSWER_BYTES = 64 << 20  # size limit of the answer file; a larger one is ignored


class TooSlow(Exception):
    """The script did not end in time."""


class Ended(NamedTuple):
    """How a script ended.

    code: its exit code
    fault: what the exit code means
    printed: the end of its output
    answer: the content of its answer file, or None
    """

    code: int
    fault: Fault
    printed: str
    answer: bytes | None


def run(script: HostScript, given: str = "", seconds: float | None = None) -> Ended:
    """Run a host script; its last argument is the path of the answer file, which it may write.

    `given`: standard input of the script; `seconds`: time limit, None for no limit. Raises TooSlow if the limit passes,
    and RunnerError if the sandbox is refused (see `HostScript.start`).
    """
    with scratch.folder(scratch.AGENT) as folder:
        answers, printed = folder / "answers", folder / "printed"
        answers.mkdir()
        with tempfile.TemporaryFile("w+") as source, open(printed, "ab") as sink:
            source.write(given)
            source.seek(0)
            answer = answers / "answer"
            family, _ = script.start(folder, str(answer), writable=[answers], stdin=source, stdout=sink, stderr=sink)
        try:
            code = family.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise TooSlow from None
        finally:
            family.end()
        said = (files.tail(printed, PRINTED_BYTES) or b"").decode("utf-8", "replace")
        return Ended(code, fault_of_code(code, inner=family.inner), said, _answer(answer))


def _answer(path: Path) -> bytes | None:
    """The content of the answer file; None if the path is not a regular file or the file exceeds ANSWER_BYTES."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > ANSWER_BYTES:
        return None
    return path.read_bytes()
