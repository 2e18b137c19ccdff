"""The table of hostile attacks. Each is a function of a `Place`; its docstring says what it tries.

An attack may return the answer; if it returns None, the agent plays `free_cell`. Python 3.7 and standard library.
"""

import ctypes
import os
import sys
from typing import Any, Callable, Dict, NamedTuple, Tuple

DONE = b"ATTACK DONE: "  # an attack that has succeeded prints this, since a witness cannot see all of it
SECRET = "tengen-secret-"  # how all secrets of the witness begin
MARK = "tengen-attack"  # in the name of all that an attack leaves behind outside of its own folder

# How a game may end: the values of records.Reason. `PLAYS_ON`: the attack has no effect.
PLAYS_ON, CRASH, TIME, MEMORY, SHAPE = "by the rules", "crash", "time", "memory", "bad shape"
GARBAGE, ILLEGAL = "garbage in the runner's pipe", "illegal move"

libc = ctypes.CDLL(None, use_errno=True)


class Place(NamedTuple):
    """What an attack knows of the machine and of the game.

    host: folder with files of the runner's user; runner: the runner's process; port: a TCP and UDP port where the
    witness listens; seconds: limit of a call, after 1.5 times that it may be killed; memory: limit, MB
    rows, cols: the sizes of the action spaces; observation: the agent's; call: 1, 2, 3 ...
    """

    host: str
    runner: int
    port: int
    seconds: float
    memory: float
    rows: int = 0
    cols: int = 0
    observation: Any = None
    call: int = 0

    @property
    def late(self) -> float:
        """Seconds: more than the limit, but not enough to be killed."""
        return 1.3 * self.seconds

    @property
    def too_much(self) -> int:
        """MB: more than the limit."""
        return int(1.7 * self.memory)

    def free_cell(self) -> Any:
        """The answer that plays the first free cell."""
        board = self.observation["state_map"]
        cells = [(r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell[0] == 0]
        row, col = cells[0] if cells else (0, 0)
        return [[int(i == row) for i in range(self.rows)], [int(i == col) for i in range(self.cols)]]


class Attack(NamedTuple):
    """An attack: what it does, how its game may end, words of the sentence about a lost game, and when it is done.

    at: "load" while the agent is loaded, "call" in the first call, "each" in every call
    """

    do: Callable[[Place], Any]
    reasons: Tuple[str, ...]
    says: str
    at: str


ATTACKS: Dict[str, Attack] = {}


def attack(
    *reasons: str, says: str = "", at: str = "call"
) -> Callable[[Callable[[Place], Any]], Callable[[Place], Any]]:
    """Put a function into the table."""

    def enter(do: Callable[[Place], Any]) -> Callable[[Place], Any]:
        ATTACKS[do.__name__] = Attack(do, reasons, says, at)
        return do

    return enter


def done(what: str) -> None:
    """Say that an attack has succeeded."""
    os.write(1, DONE + what.encode("utf-8", "replace") + b"\n")


def child(work: Callable[[], Any]) -> int:
    """Run `work` in a forked child, which ends without going back to the host; 0 if there can be no child."""
    try:
        pid = os.fork()
    except OSError:
        return 0
    if pid == 0:
        try:
            work()
        finally:
            os._exit(0)
    return pid


def processes() -> Any:
    """The ids of all processes that can be seen, except this one; if none can be seen, those that may be there."""
    own = os.getpid()
    try:
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        pids = [os.getppid(), *range(max(2, own - 200), own + 50)]
    return [pid for pid in pids if pid != own]


def host_main() -> Any:
    """The module of the host script, in whose process the agent runs."""
    return sys.modules["__main__"]


def is_root():
    """Whether this process has capabilities outside of a user namespace of its own."""
    with open("/proc/self/status") as status, open("/proc/self/uid_map") as uids:
        rights = next(int(line.split()[1], 16) for line in status if line.startswith("CapEff"))
        return bool(rights) and uids.read().split() == ["0", "0", "4294967295"]
