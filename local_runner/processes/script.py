"""Runs a host script to its end in the sandbox."""

import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from local_runner.processes import scratch
from local_runner.processes.host_script import HostScript
from local_runner.system import files

PRINTED_BYTES = 1 << 20  # of the printed output, the end that is kept
ANSWER_BYTES = 64 << 20  # largest file that is taken as an answer


class TooSlow(Exception):
    """The script did not end in time."""


class Ended(NamedTuple):
    """How a script ended: its exit code, the end of its printed text, and the content of its file if it wrote one."""

    code: int
    printed: str
    answer: bytes | None


def run(script: HostScript, given: str = "", seconds: float | None = None) -> Ended:
    """Run a host script; its last argument is the path of a file that it may write.

    `given`: its standard input; `seconds`: its time, None for any. Raises TooSlow, and RunnerError as
    `HostScript.start` does.
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
        return Ended(code, said, _answer(answer))


def _answer(path: Path) -> bytes | None:
    """A file that the script wrote, unless it is a link or something else, or too large."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > ANSWER_BYTES:
        return None
    return path.read_bytes()
