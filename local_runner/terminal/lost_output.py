"""When a command's output cannot be written: nobody reads it, as in `tengen games | head -1`, or a disk is full.

The first write that fails raises OutputLost. It is no Exception, so handlers of errors let it pass, and the command
ends. Later writes do nothing: clean-ups and Python's last flush may still write. Terminals are not changed.
"""

import io
import os
import sys
from typing import Any


class OutputLost(BaseException):
    """The output of the command cannot be written: `why`, "" if nobody reads it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def watch() -> None:
    """Let stdout and stderr raise OutputLost where they would raise an OSError."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and stream is getattr(sys, f"__{name}__") and not stream.isatty():
            stream.flush()
            output = io.BufferedWriter(_Output(stream.fileno(), "wb", closefd=False))
            text = io.TextIOWrapper(output, stream.encoding, stream.errors, line_buffering=stream.line_buffering)
            setattr(sys, name, text)


def flush() -> None:
    """Write what is still kept back."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


class _Output(io.FileIO):
    """The file of a stream, until a write fails; then that of /dev/null."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), self.fileno())
            raise OutputLost("" if isinstance(error, BrokenPipeError) else error.strerror or str(error)) from None
