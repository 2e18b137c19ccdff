"""Words amounts, such as "1 move" and "2 moves". A Kind has two messages: for the number 1, and for other numbers."""

from typing import TypeAlias

from local_runner.language.languages import CHINESE, Message, current

Kind: TypeAlias = tuple[Message, Message]

MOVES: Kind = (Message("1 move"), Message("{n} moves"))
PLIES: Kind = (Message("1 ply"), Message("{n} plies"))
STEPS: Kind = (Message("1 step"), Message("{n} steps"))
LINES: Kind = (Message("1 line of text"), Message("{n} lines of text"))
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


def brief(number: float) -> str:
    """A large number, shortened in the current language: 950, 12 k, 3.4 M; in Chinese 950, 1.2 万, 3.4 亿.

    `briefIn` of words.js does the same for the page.

    >>> brief(950), brief(7792), brief(151_000), brief(3_400_000)
    ('950', '7.8 k', '151 k', '3.4 M')
    """
    step, exact, units = 1000, 10, ["", " k", " M", " G"]
    if current() == CHINESE:
        step, exact, units = 10_000, 100, ["", " 万", " 亿"]
    power = 0
    while number >= step and power < len(units) - 1:
        number, power = number / step, power + 1
    return f"{number:,.{int(power > 0 and number < exact)}f}{units[power]}"
