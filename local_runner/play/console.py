"""Runs our side of a line protocol on standard input and output.

A thread reads the lines, so that a command can end a search that is running. Every answer is flushed at once. A line
may come in parts, end with CRLF, or hold bytes that are no text.
"""

import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import BinaryIO, Protocol

from local_runner.system.exit_codes import ExitCode

MOST_LINE = 1 << 16  # bytes; a longer line is read as several lines


class Refused(Exception):
    """A command cannot be obeyed; the text is the reason for the manager."""


@dataclass(frozen=True)
class Line:
    """A line without its end, and the perf_counter() value at which the line arrived, or the answer before it ended.

    `stopped` is set when a later line that interrupts has arrived, even if this line is not answered yet.
    """

    text: str
    arrived: float
    stopped: threading.Event = field(default_factory=threading.Event)


class EngineSide(Protocol):
    """The engine's side of GTP or of the Gomocup protocol: answers the lines of a match manager.

    `answer`: the lines that answer a line; they are sent as they come. `ended` is set after the last command.
    `interrupts`: whether a line, or the end of the input (None), ends the search that is running. `stop`: ends the
    search that is running; called from another thread. A search may also look at `Line.stopped`.
    """

    ended: bool

    def answer(self, line: Line) -> Iterator[str]: ...
    def interrupts(self, text: str | None) -> bool: ...
    def stop(self) -> None: ...


def run(side: EngineSide, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer the lines of `source` until `side` has ended, or `source` has; a `sink` that is closed ends it, too."""
    lines: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
    answered = 0.0  # perf_counter() value at the end of the last answer
    threading.Thread(target=_read, args=(side, source, lines), daemon=True).start()
    with suppress(BrokenPipeError):
        while not side.ended and (line := lines.get()) is not None:
            for answer in side.answer(replace(line, arrived=max(line.arrived, answered))):
                sink.write(answer.encode("utf-8", "replace") + b"\n")
                sink.flush()
            answered = perf_counter()


def run_here(side: EngineSide) -> None:
    """Run a side on this process's standard input and output, then end the process without waiting for the reader.

    A signal that acts as Ctrl-C ends the process at once, with exit code 130, also during a search.
    """
    for mark in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):  # Windows has no SIGHUP
        if signal.getsignal(mark) is signal.default_int_handler:
            signal.signal(mark, lambda *_signal: os._exit(ExitCode.INTERRUPTED))
    sink = os.fdopen(os.dup(1), "wb")
    sys.stdout.flush()
    os.dup2(2, 1)  # whatever else is printed must not come between the answers
    run(side, sys.stdin.buffer, sink)
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(0)  # the reader may be waiting for a line


def _read(side: EngineSide, source: BinaryIO, lines: "queue.SimpleQueue[Line | None]") -> None:
    stopped = threading.Event()  # of all lines since the last one that interrupts
    while data := source.readline(MOST_LINE):
        text = data.decode("utf-8", "replace").strip("\ufeff \t\r\n\0")
        if interrupts := side.interrupts(text):
            stopped.set()
            stopped = threading.Event()
        lines.put(Line(text, perf_counter(), stopped))
        if interrupts:
            side.stop()
    lines.put(None)
    if side.interrupts(None):
        stopped.set()
        side.stop()
