"""Keeps the machine busy during games, to measure whether an agent answers in time on a busy machine."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _
from local_runner.processes import busy

SCRIPT = Path(__file__).with_name("busy.py")


class Load(Enum):
    """The load: none, a process that computes on the agents' core (HOG), or one that fills most of the memory."""

    ALONE = "alone"
    HOG = "hog"
    MEMORY = "memory"

    @property
    def title(self) -> Message:
        """The load's name as a translatable message."""
        return {Load.ALONE: Message("alone"), Load.HOG: Message("hog"), Load.MEMORY: Message("memory")}[self]

    @property
    def announcement(self) -> str:
        """A sentence about what the load takes from this machine, in the current language; "" for ALONE."""
        if self is Load.MEMORY:
            sentence = _(
                "the load memory fills {size:,.0f} MB, {share:.0%} of the free memory, until the games are over"
            )
            return sentence.format(size=busy.SHARE * busy.available() / 1e6, share=busy.SHARE)
        return _("the load hog computes on the agent's core until the games are over") if self is Load.HOG else ""


@contextmanager
def running(load: Load, core: int | None) -> Iterator[None]:
    """Run the load inside a `with`; HOG runs on `core` (None: any core).

    Raises RunnerError if the load does not start.
    """
    if load is Load.ALONE:
        yield
        return
    where = core if load is Load.HOG and core is not None else -1
    command = [sys.executable, str(SCRIPT), load.value, str(os.getpid()), str(where)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline() != b"ready\n":
                sentence = _("the load {load!r} did not start on this machine; choose another --load")
                raise RunnerError(sentence.format(load=load.value))
            yield
        finally:
            process.kill()
