"""What the runner objects to before a game starts; what goes wrong inside a game is a `records.Fault`, no exception."""


class RunnerError(Exception):
    """Something the user can mend; the message is one sentence that says how. The command line exits with code 2."""


class AgentError(RunnerError):
    """An agent that cannot be played at all: unknown, missing, no controller in it, or options it does not take."""
