"""The runner's exceptions, which report mistakes of the user. An agent's mistake in a game is a `faults.Fault`."""


class TengenError(Exception):
    """The base class of all exceptions that `import tengen` raises for a mistake that the user can mend."""


class RunnerError(TengenError):
    """A mistake that the user can mend; the message says how. The command line prints the message and exits with 2."""


class AgentError(RunnerError):
    """An agent cannot be loaded: it is unknown, its file or controller is missing, or it does not take the options."""


class Unplayable(RunnerError):
    """A move may not be made now. The message says why."""
