"""The exceptions for mistakes of the user. Each message is one sentence that says what to do."""

from local_runner.errors import AgentError, TengenError, Unplayable

__all__ = ["AgentError", "TengenError", "Unplayable"]
