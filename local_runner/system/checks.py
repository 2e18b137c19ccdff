"""Checks that raise RunnerError: names of members of an enum, numbers, and the extras of pyproject.toml."""

import shlex
from enum import Enum
from importlib.util import find_spec
from numbers import Integral, Real
from pathlib import Path
from typing import TypeVar

from local_runner.errors import RunnerError
from local_runner.language.languages import _, unknown

Named = TypeVar("Named", bound=Enum)
MOST = 2**31 - 1  # greatest count of games, rounds, nodes and so on
CHECKOUT = Path(__file__).parents[2]  # the folder of the checkout, unless this is an installed package
MODULES = {"serve": ("starlette", "uvicorn", "websockets"), "cluster": ("ray",), "rl": ("pettingzoo",)}


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


def need(extra: str) -> None:
    """Raise RunnerError with a sentence that says how to install an extra, if not all its packages are installed."""
    if all(map(find_spec, MODULES[extra])):
        return
    what = shlex.quote(f"tengen[{extra}]")
    if CHECKOUT.joinpath("pyproject.toml").is_file():
        what = f"-e {shlex.quote(f'{CHECKOUT}[{extra}]')}"
    raise RunnerError(_("this needs more packages: pip install {what}").format(what=what))
