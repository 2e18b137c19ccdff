"""Checks the numbers on a command line, before the parser converts them.

Python's own conversion is too generous for a command line, because it takes `1_000`, full-width digits, `inf` and
`nan`. Here, a whole number has the digits 0 to 9 and a sign. Other numbers may also have a point and an exponent, as in
`1.5e-3`.
"""

import math
import re
import unicodedata
from typing import Any

from local_runner.language.languages import _
from local_runner.language.text import shortened

WHOLE = re.compile(r"[+-]?[0-9]{1,20}")
NUMBER = re.compile(r"[+-]?(?:[0-9]{1,20}\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
SHOWN = 20  # most columns of a wrong value in a message


def is_number(parameter: Any) -> bool:
    """Whether a parameter's value is a number."""
    return parameter.type_descriptor.annotation in (int, float)


def mistake(option: str, parameter: Any, text: str) -> str:
    """The sentence that a text is no value of a numeric parameter; "" if the text is such a value. `option`: the
    parameter's name.
    """
    is_whole = parameter.type_descriptor.annotation is int
    if (WHOLE if is_whole else NUMBER).fullmatch(text) and _fits(float(text), parameter):
        return ""
    if parameter.max is not None:
        sentence = (
            _("{option} must be a whole number from {least} to {most}, not {given}")
            if is_whole
            else _("{option} must be a number from {least} to {most}, not {given}")
        )
    elif parameter.min is not None:
        sentence = _("{option} must be a number of at least {least}, not {given}")
    else:
        sentence = _("{option} must be a number, not {given}")
    given = f"'{shortened(text, SHOWN)}'"
    told = sentence.format(option=option, least=parameter.min, most=parameter.max, given=given)
    meant = _meant(text, parameter, is_whole=is_whole)
    return told + _("; write {number}").format(number=meant) if meant else told


def _fits(number: float, parameter: Any) -> bool:
    least, most = parameter.min, parameter.max
    return (least is None or number >= least) and (most is None or number <= most)


def _meant(text: str, parameter: Any, *, is_whole: bool) -> str:
    """The number that was probably meant, such as 1000 for 1e3 or 12 for １２; "" if that cannot be told."""
    plain = unicodedata.normalize("NFKC", text).replace(",", "").replace("_", "").replace("−", "-").strip()
    if not NUMBER.fullmatch(plain) or not math.isfinite(number := float(plain)) or not _fits(number, parameter):
        return ""
    return f"{number:.0f}" if number.is_integer() else "" if is_whole else plain
