"""Parameters as data: the numbers and switches that decide how an engine searches.

Each engine has one dataclass of parameters. `parameter` declares a field with its unit, range and purpose. So tools can
list the fields, experiments can set them, and a wrong value raises a clear error. A tuple has one item per depth left,
from 1 ply. The last item of a tuple holds for all greater depths. Only `probcut_depths` differs: no ProbCut at greater
depths.

    >>> SearchParameters().changed(lmr_divisor=2).lmr_divisor
    2.0
    >>> SearchParameters(table_entries=0)
    Traceback (most recent call last):
    ValueError: table_entries is 0; give a whole number from 1 to 10000000 (one generation of the transposition table)
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any, Container, Dict, TypeVar

UNLIMITED = 10**9  # stands for infinity in numbers of nodes, in numbers of cells and in proof numbers

ALLOWED = {  # type of a parameter -> its allowed values, as text for an error message
    bool: "True or False",
    int: "a whole number from {} to {}",
    float: "a float from {} to {}",
    tuple: "a tuple of whole numbers from {} to {}",
}
P = TypeVar("P", bound="SearchParameters")


def parameter(default: Any, unit: str, least: Any, most: Any, why: str, names: Container[str] = ()) -> Any:
    """Declare a field. `least`, `most`: range of the value or of a tuple's items, None for a switch or a name.

    `names`: the values that a name may have.
    """
    return field(default=default, metadata={"unit": unit, "least": least, "most": most, "why": why, "names": names})


def with_default(default: Any, name: str) -> Any:
    """Declare a field of SearchParameters again, with another default."""
    return field(default=default, metadata=SearchParameters.names()[name].metadata)


@dataclass(frozen=True)
class SearchParameters:
    """The parameters of alpha-beta, common to all engines. Raises ValueError for a value out of range."""

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

    def __post_init__(self) -> None:
        for each in fields(self):
            _check(each, getattr(self, each.name))

    @classmethod
    def names(cls) -> Dict[str, Any]:
        """The fields by name; their metadata hold unit, least, most and why."""
        return {each.name: each for each in fields(cls)}

    def changed(self: P, **options: Any) -> P:
        """A copy with other values. A tuple may be given as one number for every depth, or as text: "6/8/11"."""
        return replace(self, **{name: _read(name, getattr(self, name), value) for name, value in options.items()})


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


def _check(each: Any, value: Any) -> None:
    """Raise ValueError for a value of the wrong type or out of range."""
    least, most, kind = each.metadata["least"], each.metadata["most"], type(each.default)
    if kind is str:
        if value not in each.metadata["names"]:
            raise ValueError("{} is {!r}; there are: {}".format(each.name, value, ", ".join(each.metadata["names"])))
        return
    items = value if kind is tuple and type(value) is tuple else (value,)
    item_kind = int if kind is tuple else kind
    if all(type(item) is item_kind and (least is None or least <= item <= most) for item in items):
        return
    allowed = ALLOWED[kind].format(least, most)
    raise ValueError("{} is {!r}; give {} ({})".format(each.name, value, allowed, each.metadata["why"]))
