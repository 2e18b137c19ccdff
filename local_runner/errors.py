"""The runner's exceptions, for mistakes of the user; what an agent does wrong in a game is a `records.Fault`."""


class RunnerError(Exception):
    """A mistake that the user can mend; the message says how. The command line prints it and exits with code 2."""


class AgentError(RunnerError):
    """An agent that cannot be loaded: unknown, missing, without a controller, or with options that it does not take."""
