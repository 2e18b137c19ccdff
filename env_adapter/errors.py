"""What can go wrong in the referee, one class per kind of mistake.

Every message says what was wrong and what is accepted instead. All classes derive from `EnvError`; where
the platform fails with a built-in exception in the same place, ours is also that built-in.
"""


class EnvError(Exception):
    """Anything the referee objects to."""


class OptionError(EnvError, ValueError):
    """`make` was given a game, a rule set or an override that it does not know or cannot honour."""


class OpeningError(OptionError):
    """A move of the opening cannot be played, or the opening ends the game."""


class ActionError(EnvError, ValueError):
    """An answer that cannot be read: wrong lengths, or no single 1 in a one-hot list."""


class ObservationError(EnvError, ValueError):
    """A board that no player of the game can have been shown: another size, or a value out of range."""


class IllegalMove(ActionError):
    """A readable answer that names a cell where the player may not play."""


class GameOver(EnvError):
    """A step was asked of a game that has ended."""


class FullBoard(EnvError, TypeError):
    """A move on a board without a free cell; the platform fails here with a TypeError of its own."""


class ConformanceError(EnvError, AssertionError):
    """An environment broke the platform's contract; the message says which sentence of it, and where."""
