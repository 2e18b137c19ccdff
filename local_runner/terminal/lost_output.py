"""Ends a command whose output cannot be written: its reader has gone (`tengen games | head -1`) or a disk is full.

The first write that fails raises OutputLost. OutputLost is no subclass of Exception, so `except Exception` does not
catch it, and the command ends. Later writes go to /dev/null, because clean-up code and Python's last flush may write.
Streams that are terminals are not changed.
"""

import io
import os
import sys
from typing import Any


class OutputLost(BaseException):
    """The output of the command cannot be written. `why`: the system's message, "" if the reader has gone."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def watch() -> None:
    """Let stdout and stderr raise OutputLost instead of OSError, unless they are terminals."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and stream is getattr(sys, f"__{name}__") and not stream.isatty():
            stream.flush()
            output = io.BufferedWriter(_Output(stream.fileno(), "wb", closefd=False))
            text = io.TextIOWrapper(output, stream.encoding, stream.errors, line_buffering=stream.line_buffering)
            setattr(sys, name, text)


def flush() -> None:
    """Write the buffered output of stdout and stderr. Raises OutputLost if that fails."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


class _Output(io.FileIO):
    """The file of a stream. After a failed write, the file descriptor refers to /dev/null."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), self.fileno())
            raise OutputLost("" if isinstance(error, BrokenPipeError) else error.strerror or str(error)) from None
