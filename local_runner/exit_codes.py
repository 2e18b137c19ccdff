"""The exit codes of the commands that play games."""

from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ended."""

    CLEAN = 0  # everything was played
    FAULT = 1  # an agent was at fault; a tournament counts only a crash that ended it
    USAGE = 2  # the user has to change something; a RunnerError says what
    INTERRUPTED = 130  # by Ctrl-C
