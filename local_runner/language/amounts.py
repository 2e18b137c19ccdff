"""Words amounts, such as "1 move" and "2 moves". A Kind has two messages: for the number 1, and for other numbers."""

from typing import TypeAlias

from local_runner.language.languages import Message

Kind: TypeAlias = tuple[Message, Message]

MOVES: Kind = (Message("1 move"), Message("{n} moves"))
PLIES: Kind = (Message("1 ply"), Message("{n} plies"))
STEPS: Kind = (Message("1 step"), Message("{n} steps"))
GAMES: Kind = (Message("1 game"), Message("{n} games"))
DISCS: Kind = (Message("1 disc"), Message("{n} discs"))
CALLS: Kind = (Message("1 call"), Message("{n} calls"))


def amount(number: int, kind: Kind) -> Message:
    """The number with its noun, as a Message, which may also fill a field of another Message.

    >>> amount(1, PLIES), amount(0, PLIES)
    ('1 ply', '0 plies')
    """
    one, more = kind
    return one if number == 1 else Message(more, n=number)
