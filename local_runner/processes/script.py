"""Runs a host script to its end in the sandbox."""

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from local_runner.processes import sandbox, scratch
from local_runner.processes.family import Family
from local_runner.processes.sandbox import Kind, SandboxMode
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


def run(
    script: Path, arguments: Sequence[str], given: str = "", *, python: str, readable: Sequence[Path],
    seconds: float | None, mode: SandboxMode, trusted: bool,
) -> Ended:  # fmt: skip
    """Run a host script; its last argument is the path of a file that it may write.

    `given`: its standard input; `seconds`: its time, None for any; `trusted`: it runs only our code.
    Raises TooSlow, and RunnerError as `sandbox.chosen` and `sandbox.wrap` do.
    """
    kind = sandbox.chosen(mode, trusted=trusted)
    with scratch.folder(scratch.AGENT) as folder:
        answers, printed = folder / "answers", folder / "printed"
        answers.mkdir()
        wrapped = sandbox.wrap(kind, python, folder, readable=readable, writable=[answers])
        command = wrapped.running(script, *arguments, str(answers / "answer"))
        with tempfile.TemporaryFile("w+") as source, open(printed, "ab") as sink:
            source.write(given)
            source.seek(0)
            process = subprocess.Popen(
                command, stdin=source, stdout=sink, stderr=sink, cwd=wrapped.folder, env=wrapped.environment,
                start_new_session=True,
            )  # fmt: skip
        family = Family(process, inner=kind is Kind.BUBBLEWRAP)
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise TooSlow from None
        finally:
            family.end()
        said = (files.tail(printed, PRINTED_BYTES) or b"").decode("utf-8", "replace")
        return Ended(code, said, _answer(answers / "answer"))


def _answer(path: Path) -> bytes | None:
    """A file that the script wrote, unless it is a link or something else, or too large."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > ANSWER_BYTES:
        return None
    return path.read_bytes()
