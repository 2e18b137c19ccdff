"""Checks of values that a program gives: names of members of an enum, and numbers."""

from enum import Enum
from numbers import Integral, Real
from typing import TypeVar

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.language.suggestions import unknown

Named = TypeVar("Named", bound=Enum)
MOST = 2**31 - 1  # greatest count of games, rounds, nodes and so on


def member(kind: type[Named], what: str, name: str) -> Named:
    """The member of an enum with this value. `what`: the kind of thing that has these values, translated."""
    named = {each.value: each for each in kind}
    if name not in named:
        raise RunnerError(unknown(what, str(name), named))
    return named[name]


def check_number(least: float, **given: object) -> None:
    """Raise RunnerError for a value that is not a number of at least `least`; None is allowed."""
    for name, value in given.items():
        if value is not None and not (isinstance(value, Real) and float(value) >= least):
            sentence = _("{option} must be a number of at least {least}, not {given}")
            raise RunnerError(sentence.format(option=name, least=least, given=repr(value)))


def check_counts(*, most: int = MOST, **given: object) -> None:
    """Raise RunnerError for a value that is not a whole number from 1 to `most`; None is allowed."""
    for name, value in given.items():
        if value is not None and not (isinstance(value, Integral) and 1 <= int(value) <= most):
            sentence = _("{option} must be a whole number from {least} to {most}, not {given}")
            raise RunnerError(sentence.format(option=name, least=1, most=most, given=repr(value)))
