"""The exceptions of the referee, one class for each kind of mistake.

Every message says what is wrong and what is accepted. All classes derive from `EnvError`, and from the built-in
exception that the platform raises in the same place.
"""


class EnvError(Exception):
    """The base class of all exceptions of the referee."""


class OptionError(EnvError, ValueError):
    """`make` does not know the game, the rule set or the override, or cannot apply it.

    `template`, `fields`: the message without its advice, for those who translate it; the advice names a setting of
    `make`
    """

    def __init__(self, template: str, advice: str = "", **fields: object) -> None:
        fault = template.format(**fields) if fields else template
        super().__init__(f"{fault}; {advice}" if advice else fault)
        self.template, self.fields = template, fields


class OpeningError(OptionError):
    """A move of the opening cannot be played, or the opening ends the game."""


class ActionError(EnvError, ValueError):
    """An answer that cannot be read: a wrong length, or not exactly one 1 in a one-hot list."""


class ObservationError(EnvError, ValueError):
    """A board that is no board of the game: a wrong size, or a value out of range."""


class IllegalMove(ActionError):
    """A well-formed answer that names an illegal cell."""


class GameOver(EnvError):
    """A step after the end of a game."""


class FullBoard(EnvError, TypeError):
    """A move on a board without a free cell; the platform raises TypeError here."""


class ConformanceError(EnvError, AssertionError):
    """An environment broke a rule of the platform's contract; the message names the rule and the step."""
