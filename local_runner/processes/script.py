"""Runs a host script to its end in the sandbox."""

import math
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from local_runner.processes import sandbox, scratch
from local_runner.processes.family import Family
from local_runner.processes.sandbox import Kind, SandboxMode
from local_runner.system import files

PRINTED_BYTES = 1 << 20  # of the printed output, the end that is kept
LOOK_SECONDS = 0.5  # between two looks at the steps
ANSWER_BYTES = 64 << 20  # largest file that is taken as an answer


class TooSlow(Exception):
    """The script did not end in time."""


class Ended(NamedTuple):
    """How a script ended: its exit code, the end of what it printed, and the file that it wrote, if any."""

    code: int
    printed: str
    answer: bytes | None


def run(
    script: Path, arguments: Sequence[str], given: str = "", *, python: str, readable: Sequence[Path],
    seconds: float | None, mode: SandboxMode, trusted: bool, stepped: Callable[[int], None] | None = None,
) -> Ended:  # fmt: skip
    """Run a host script; its last argument is the path of a file that it may write.

    `given`: its standard input; `seconds`: its time, None for any; `trusted`: it runs only our code. `stepped` is told
    now and then how many bytes the file ANSWER_steps has. Raises TooSlow, and RunnerError as `sandbox.chosen` and
    `sandbox.wrap` do.
    """
    kind = sandbox.chosen(mode, trusted=trusted)
    with ExitStack() as undo:
        folder = undo.enter_context(scratch.folder(scratch.AGENT))
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
            code = _ended(process, seconds, answers / "answer_steps", stepped)
        finally:
            family.end()
        said = (files.tail(printed, PRINTED_BYTES) or b"").decode("utf-8", "replace")
        return Ended(code, said, _answer(answers / "answer"))


def _ended(
    process: subprocess.Popen[bytes], seconds: float | None, steps: Path, stepped: Callable[[int], None] | None
) -> int:
    """Wait for the end; returns the exit code. Raises TooSlow."""
    end, code = math.inf if seconds is None else monotonic() + seconds, None
    while code is None:
        with suppress(subprocess.TimeoutExpired):
            code = process.wait(max(0.0, min(LOOK_SECONDS, end - monotonic())))
        if stepped is not None:
            stepped(files.size(steps))
        if code is None and monotonic() >= end:
            raise TooSlow
    return code


def _answer(path: Path) -> bytes | None:
    """A file that the script wrote, unless it is a link or something else, or too large."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > ANSWER_BYTES:
        return None
    return path.read_bytes()
