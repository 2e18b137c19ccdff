"""Runs our side of a line protocol on standard input and output.

A thread reads the lines, so that a command can end a search that is running. Every answer is flushed at once. A line
may come in parts, end with CRLF, or hold bytes that are no text.
"""

import os
import queue
import signal
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import BinaryIO

from local_runner.play.our_engine import OurEngine
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


class EngineSide(ABC):
    """The engine's side of a protocol: answers the lines of a match manager by our engine, and raises nothing.

    turn_seconds: time of a move if the manager gives none. `ended` is set after the last command. `engine` plays on a
    board of `size` cells on a side.
    """

    family: str
    in_a_row: int | None = None

    def __init__(self, make_engine: Callable[..., OurEngine] = OurEngine, turn_seconds: float = 5.0) -> None:
        self.ended = False
        self.engine: OurEngine | None = None
        self.size = 0
        self.turn_seconds = turn_seconds
        self._make_engine = make_engine

    def answer(self, line: Line) -> Iterator[str]:
        """The lines that answer a line; they are sent as they come."""
        try:
            yield from self.obey(line)
        except Refused as refused:
            yield from self.refusal(str(refused))
        except Exception as error:  # a manager can read one line, and no traceback
            yield from self.refusal(f"internal error: {type(error).__name__}")

    @abstractmethod
    def interrupts(self, text: str | None) -> bool:
        """Whether a line, or the end of the input (None), sets `stopped` of the lines before."""

    @abstractmethod
    def obey(self, line: Line) -> Iterator[str]:
        """The lines that answer a line. Raises Refused."""

    @abstractmethod
    def refusal(self, why: str) -> Iterator[str]:
        """The lines that refuse the last line."""

    def engine_for(self, size: int, memory: int = 0) -> OurEngine:
        """Our engine for this size of board; `memory` as in OurEngine."""
        if self.engine is None or self.size != size:
            self.engine = None  # frees the memory of the engine before
            self.engine = self._make_engine(self.family, size, size, self.in_a_row, memory)
            self.size = size
        return self.engine


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
        if side.interrupts(text):
            stopped.set()
            stopped = threading.Event()
        lines.put(Line(text, perf_counter(), stopped))
    lines.put(None)
    if side.interrupts(None):
        stopped.set()
