"""What happens when the reader of a command's output goes away, as in `tengen games | head -1`: the command ends.

The first write to the closed pipe raises ReaderGone, which no handler of errors takes for one. Later writes do nothing,
so that whatever cleans up, and Python's own last flush, can write on. Terminals and files stay as they are.
"""

import io
import os
import stat
import sys
from typing import Any


class ReaderGone(BaseException):
    """Nobody reads what the command prints."""


def watch() -> None:
    """Let stdout and stderr raise ReaderGone where they would raise BrokenPipeError."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and stream is getattr(sys, f"__{name}__") and _is_pipe(stream):
            stream.flush()
            watched = io.BufferedWriter(_Pipe(stream.fileno()))
            text = io.TextIOWrapper(
                watched, stream.encoding, stream.errors, line_buffering=stream.line_buffering,
                write_through=stream.write_through,
            )  # fmt: skip
            setattr(sys, name, text)


def flush() -> None:
    """Write what is still kept back."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _is_pipe(stream: Any) -> bool:
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


class _Pipe(io.RawIOBase):
    """Writes to a file descriptor until nobody reads it."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._gone = False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._handle

    def write(self, data: Any) -> int:
        if self._gone:
            return len(data)
        try:
            return os.write(self._handle, data)
        except BrokenPipeError:
            self._gone = True
            raise ReaderGone from None
