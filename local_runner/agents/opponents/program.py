"""A program (engine) that answers lines, and the manager that gets an agent's moves from it: a subclass per protocol.

`entry_points` makes an agent's functions. A fault is raised as EngineFault; `processes/process.py` tells its
subclasses apart by their names. It is no Exception: a fault while options are set is not taken for a wrong option.
"""

import os
import select
import shlex
import subprocess
from time import monotonic
from typing import Any, Callable, Dict, List, Optional, Tuple

from .observed import Cell, Seen, legal_cells, look, one_hots

HERE = os.path.dirname(os.path.abspath(__file__))
COPY = os.path.join(HERE, "engine")  # where a run's copy of the program's folder lies
MOST_LINE = 4096  # most characters of a line that are read; the rest is dropped
MOST_BYTES = 1 << 20  # most that a program may write for one answer
MOST_SAID = 100  # most characters of a line that a message quotes
EXIT_SECONDS = 0.3  # time limit for a program to end
DEATH_SECONDS = 1.0  # wait for the exit code after the program has closed its output
MOST_NUMBER = 10**6  # largest number of an option


class EngineFault(BaseException):
    """A fault of the program."""


class EngineEnded(EngineFault):
    """The program has ended, or has closed its pipes."""


class EngineAnswer(EngineFault):
    """The program's answer is not one that the protocol allows."""


class Program:
    """A running program.

    command: the program and its arguments; their paths are absolute
    home: the program's own folder, which is its working folder; "" if it has none
    """

    def __init__(self, command: List[str], home: str) -> None:
        if home and os.path.isdir(COPY):
            command = [_moved(part, home) for part in command]
            home = COPY
        self.name = os.path.basename(command[0])
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=home or None, bufsize=0
            )
        except OSError as error:
            raise EngineEnded(f"{self.name} does not start: {error.strerror}") from None
        assert self.process.stdin is not None and self.process.stdout is not None
        self._into, self._out = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self._into, False)
        self._data = b""
        self._last = ""  # the last line that was sent

    def send(self, line: str) -> None:
        """Send a line. Raises EngineEnded if the program reads no more."""
        self._last = line
        data = line.encode() + b"\n"
        while data:
            try:
                data = data[os.write(self._into, data) :]
            except BlockingIOError:  # the program does not read; the runner ends this process when the time is over
                select.select([], [self._into], [], 0.1)
            except OSError:
                raise self._death() from None

    def line(self, until: Optional[float] = None) -> Optional[str]:
        """The next line that is not empty; None if there is none until the monotonic() time `until`; None: wait.

        Raises EngineEnded if the program has closed its output, and EngineAnswer if it writes without end.
        """
        while True:
            head, end, rest = self._data.partition(b"\n")
            if end:
                self._data = rest
                text = head[:MOST_LINE].decode("utf-8", "replace").strip("\ufeff \t\r\0")
                if text:
                    return text
                continue
            left = None if until is None else max(0.0, until - monotonic())
            if not select.select([self._out], [], [], left)[0]:
                return None
            chunk = os.read(self._out, 65536)
            if not chunk:
                raise self._death()
            self._data += chunk
            if len(self._data) > MOST_BYTES and b"\n" not in self._data:
                raise EngineAnswer(f"wrote more than {MOST_BYTES >> 20} MB without an answer")

    def refused(self, answer: str, why: str = "") -> EngineAnswer:
        """The fault of a wrong answer to the last line."""
        text = f"answered {short(self._last)} with {short(answer)}"
        return EngineAnswer(text + (": " + why if why else ""))

    def end(self, farewell: str) -> None:
        """Send the protocol's last command, and wait EXIT_SECONDS for the end."""
        try:
            self.send(farewell)
            self.process.wait(EXIT_SECONDS)
        except (EngineFault, subprocess.TimeoutExpired):
            self.process.kill()

    def _death(self) -> EngineEnded:
        try:
            code = self.process.wait(DEATH_SECONDS)
        except subprocess.TimeoutExpired:
            return EngineEnded(f"{self.name} closed its output after {short(self._last)}")
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        return EngineEnded("{} ended with {} after {}".format(self.name, how, short(self._last) or "its start"))


class Manager:
    """The manager of one program, for one player: the manager's side of a protocol.

    options: of the user; raises ValueError or TypeError for a wrong one
    seconds, memory_mb: limits of a call, and of the memory in MB
    thought: what the program reported of its last search, as `last_thought` returns it
    """

    farewell = "quit"  # the protocol's last command

    def __init__(self, options: Dict[str, Any], seconds: float, memory_mb: float) -> None:
        self.seconds = seconds
        self.program: Any = None
        self.thought: Optional[Dict[str, Any]] = None

    def begin(self, program: Any) -> None:
        """Get a program ready, an object with the methods of Program. Raises EngineFault."""
        self.program = program

    def follow(self, seen: Seen) -> bool:
        """Store a position that the platform has shown; returns whether its player may be to move."""
        return not seen.idle

    def choose(self, seen: Seen) -> Cell:
        """The program's move; the player is to move, and has a legal move. Raises EngineFault."""
        raise NotImplementedError

    def wait(self) -> None:
        """Called off turn, while the opponent is to move; by default nothing is done."""

    def answer(self, observation: Any, action_space: Any) -> List[List[int]]:
        """The answer to a call of the platform. An empty observation means that the game is over: the program ends."""
        self.thought, cell = None, (0, 0)
        seen = look(observation) if observation is not None else None
        if observation is None:
            self.program.end(self.farewell)
        elif seen is not None and self.follow(seen) and legal_cells(seen):
            cell = self.choose(seen)
        else:
            self.wait()
        return one_hots(cell, action_space)


def entry_points(protocol: Callable[..., Manager]) -> Tuple[Callable[..., None], Callable[..., Any], Callable[[], Any]]:
    """The functions `configure`, `my_controller` and `last_thought` of a module that plays by a program.

    `program`, `arguments`, `home`, `reads`, `call_seconds` and `memory_mb` are options that agents/spec.py and
    processes/process.py set.
    """
    managers: List[Manager] = []

    def configure(**options: Any) -> None:
        """Start the program. Raises ValueError or TypeError for a wrong option, EngineFault if it does not start."""
        options.pop("reads", None)
        command = [str(options.pop("program")), *shlex.split(str(options.pop("arguments", "")))]
        home = str(options.pop("home", ""))
        seconds, memory_mb = number(options, "call_seconds", 1.0), number(options, "memory_mb", 500.0)
        managers[:] = [protocol(options, seconds, memory_mb)]
        managers[0].begin(Program(command, home))

    def my_controller(observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
        """The platform's entry point."""
        return managers[0].answer(observation, action_space)

    def last_thought() -> Optional[Dict[str, Any]]:
        """What the program told of its last move: figures, line, last message, all messages; None if it told none."""
        return managers[0].thought if managers else None

    return configure, my_controller, last_thought


def number(options: Dict[str, Any], name: str, default: float, most: float = MOST_NUMBER) -> float:
    """A number taken out of the options. Raises ValueError for anything but a number from 0 to `most`."""
    value = options.pop(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
        raise ValueError(f"{name} is {value!r}; wanted: a number from 0 to {most:g}")
    return value


def short(text: str) -> str:
    """A text in quotes, at most MOST_SAID characters."""
    text = "".join(sign if sign.isprintable() else "?" for sign in text)
    return repr(text if len(text) <= MOST_SAID else text[: MOST_SAID - 3] + "...")


def _moved(part: str, home: str) -> str:
    """A path in the program's folder, as a path in the copy of that folder; any other text unchanged."""
    inside = part == home or part.startswith(home.rstrip(os.sep) + os.sep)
    return os.path.join(COPY, os.path.relpath(part, home)) if inside else part
