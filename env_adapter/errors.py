"""The exceptions of the referee, one class for each kind of mistake.

Every message says what is wrong and what is accepted. All classes derive from `EnvError`; most also derive from a
built-in exception such as ValueError.
"""


class EnvError(Exception):
    """The base class of all exceptions of the referee."""


class OptionError(EnvError, ValueError):
    """`make` does not know the game, the rule set or the override, or cannot apply it.

    template, fields: the message without its advice, for callers that translate it
    advice: the end of the message, which names an argument of `make`
    """

    def __init__(self, template: str, advice: str = "", **fields: object) -> None:
        fault = template.format(**fields) if fields else template
        super().__init__(f"{fault}; {advice}" if advice else fault)
        self.template, self.fields = template, fields


class OpeningError(OptionError):
    """A move of the opening cannot be played, or the opening ends the game."""


class ActionError(EnvError, ValueError):
    """An answer has a wrong length, or one of its one-hot lists does not hold exactly one 1."""


class ObservationError(EnvError, ValueError):
    """A board that was given for checking has a wrong size or a value out of range."""


class IllegalMove(ActionError):
    """A well-formed answer names an illegal cell."""


class GameOver(EnvError):
    """`step` was called after the end of a game."""


class FullBoard(EnvError, TypeError):
    """A move was made on a board without a free cell. The platform raises TypeError here."""
