"""What the exit code of an agent's process means."""

import signal

from local_runner.game.faults import Fault, FaultKind

SIGNALLED = 128  # if a signal ends the agent, bubblewrap exits with this plus the signal's number
LAST_SIGNAL = 64  # the highest number of a signal on Linux


def fault_of_code(code: int, *, inner: bool) -> Fault:
    """The fault of a process that has ended; `code`: the exit code, or the negative number of a signal.

    `inner`: whether the process was in a PID namespace, whose init exits with SIGNALLED + the number of a signal.
    """
    if inner and SIGNALLED < code <= SIGNALLED + LAST_SIGNAL:
        code = SIGNALLED - code
    if code >= 0:
        return Fault(FaultKind.EXITED, {"code": code})
    try:
        name = signal.strsignal(-code) or ""
    except ValueError:  # a system with fewer signals
        name = ""
    return Fault(FaultKind.KILLED, {"number": -code, "name": name})
