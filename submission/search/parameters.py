"""Parameters as data: the numbers and switches that decide how an engine searches.

Each engine has one dataclass of parameters. `parameter` declares a field with its unit, range and purpose. So tools can
list the fields, experiments can set them, and a wrong value raises a clear error. A tuple has one item per depth left,
from 1 ply. The last item of a tuple holds for all greater depths. Only `probcut_depths` differs: no ProbCut at greater
depths.

    >>> SearchParameters().changed(lmr_divisor=2).lmr_divisor
    2.0
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Container, Dict, TypeVar

UNLIMITED = 10**9  # stands for infinity as a number of nodes or cells, and as a proof number

Known = TypeVar("Known", bound="Checked")
ALLOWED = {  # annotation of a field -> types of its values, or of a tuple's items; the allowed values in words
    "bool": ((bool,), "True or False"),
    "int": ((int,), "a whole number"),
    "float": ((float,), "a float"),
    "Tuple[int, ...]": ((int,), "a tuple of whole numbers"),
    "Optional[int]": ((int, type(None)), "None or a whole number"),
    "Optional[float]": ((int, float, type(None)), "None or a number"),
}


def parameter(default: Any, unit: str, least: Any, most: Any, why: str, names: Container[str] = ()) -> Any:
    """Declare a field. `least`, `most`: range of the value or of a tuple's items, None for a switch or a name.

    `names`: the values that a name may have.
    """
    return field(default=default, metadata={"unit": unit, "least": least, "most": most, "why": why, "names": names})


def with_default(default: Any, name: str) -> Any:
    """Declare a field of SearchParameters again, with another default."""
    return field(default=default, metadata=SearchParameters.names()[name].metadata)


class Checked:
    """The base class of a dataclass whose fields are declared by `parameter`; other fields are not checked.

    Raises ValueError for a value of the wrong type or out of range.
    """

    __dataclass_fields__: ClassVar[Dict[str, Any]]

    def __post_init__(self) -> None:
        for each in fields(self):
            if each.metadata:
                check(each, getattr(self, each.name))

    @classmethod
    def names(cls) -> Dict[str, Any]:
        """The fields by name; their metadata hold unit, least, most and why."""
        return {each.name: each for each in fields(cls)}

    def changed(self: Known, **options: Any) -> Known:
        """A copy with other values. A tuple may be given as one number for every depth, or as text: "6/8/11"."""
        return replace(self, **{name: _read(name, getattr(self, name), value) for name, value in options.items()})


@dataclass(frozen=True)
class SearchParameters(Checked):
    """The parameters of alpha-beta, common to all engines."""

    table_entries: int = parameter(40000, "positions", 1, 10**7, "one generation of the transposition table")
    killers: bool = parameter(True, "switch", None, None, "killer moves are tried right after the hash move")
    null_window: bool = parameter(True, "switch", None, None, "later moves are searched with a null window first")
    lmr: bool = parameter(True, "switch", None, None, "late move reductions")
    lmr_divisor: float = parameter(1.6, "", 0.5, 5.0, "plies of late move reduction: log(depth) * log(number) / this")
    improving_plies: int = parameter(0, "plies", 0, 8, "extra reduction if the quick value fell since two plies before")
    improving_depth: int = parameter(3, "plies", 1, 99, "least depth left at which `improving` is tested")
    forced_replies: int = parameter(1, "moves", 0, 9, "extension: with at most this many moves, a ply costs no depth")
    extension_plies: int = parameter(16, "plies", 0, 99, "most plies that extensions add to one line of play")
    iir_depth: int = parameter(99, "plies", 1, 99, "least depth left for an internal iterative reduction")
    futility: bool = parameter(True, "switch", None, None, "futility pruning by the evaluator's margins")
    razoring: bool = parameter(True, "switch", None, None, "razoring by the evaluator's margins")


def _read(name: str, default: Any, value: Any) -> Any:
    """Convert the value of an option to the type of the default."""
    if isinstance(default, tuple):
        if isinstance(value, str):
            try:
                return tuple(map(int, value.split("/")))
            except ValueError:
                raise ValueError(f"{name} is {value!r}; give whole numbers, such as 6/8/11") from None
        return value if isinstance(value, tuple) else (value,)
    return float(value) if isinstance(default, float) and type(value) is int else value


def check(each: Any, value: Any) -> None:
    """Raise ValueError for a value of the wrong type or out of range. `each`: a field declared by `parameter`."""
    least, most, names = each.metadata["least"], each.metadata["most"], tuple(each.metadata["names"])
    if each.type == "str":
        fits, allowed = value in names, " or ".join(map(repr, names))
    else:
        types, allowed = ALLOWED[each.type]
        items = (value,) if each.type[:5] != "Tuple" else value if type(value) is tuple else (None,)
        fits = all(type(item) in types and (least is None or item is None or least <= item <= most) for item in items)
        if least is not None:
            allowed += f" from {least}" if most == UNLIMITED else f" from {least} to {most}"
    if not fits:
        raise ValueError("{} is {!r}; allowed: {} ({})".format(each.name, value, allowed, each.metadata["why"]))
