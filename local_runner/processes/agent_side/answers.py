"""Reads an agent's answer as the platform does, and names the kind of mistake in a wrong answer.

The kinds of faults are those of `game/faults.py`, the hints those of `game/advice.py`. Python 3.7 and standard library.
"""

import re
from operator import index
from typing import Any, Dict, List

ADDRESS = re.compile(r" at 0x[0-9a-f]+")  # an address in the repr of an object
LENGTHS = ("row", "column")  # meaning of the two lists of an answer
# Name of the type of an object that is no list -> hint (game/advice.py).
TYPES = {"NoneType": "none", "generator": "generator", "coroutine": "coroutine", "async_generator": "coroutine",
         "str": "text"}  # fmt: skip


def judge(answer: Any, n_row: int, n_col: int) -> Dict[str, Any]:
    """Read an answer as the platform does: by len() and .index(1), so of several 1s the first counts.

    The result has one of two keys, or both if only the stated rules refuse the answer.
    `bad_form`: the answer is not a pair of one-hot lists with the right lengths; the value is a kind of fault with its
    fields. The field `hint` names the mistake, if it is a common one.
    `cell`: [row, col] as the platform reads the answer.
    """
    sizes = (n_row, n_col)
    try:
        if len(answer) != 2:
            return _bad_form("no pair", answer, hint=_no_pair(answer, sizes))
        for part, n, what in zip((answer[0], answer[1]), sizes, LENGTHS):
            if len(part) != n:
                return _bad_form(what + " length", part, hint=_wrong_length(answer, sizes), n=n)
    except Exception:
        return _bad_form("no pair", answer, hint=_no_pair(answer, sizes))
    cell: List[int] = []
    form: Dict[str, Any] = {}
    for part, n, what in zip((answer[0], answer[1]), sizes, LENGTHS):
        entries: List[Any] = []
        is_list = isinstance(part, (list, tuple))
        try:
            at = index(part.index(1))
        except (AttributeError, TypeError):
            return _bad_form(what + (" values" if is_list else " type"), part, hint=_of_type(part))
        except ValueError:
            return _bad_form(what + " values", part, hint=_of_values(list(part) if is_list else []))
        if not 0 <= at < n:
            return _bad_form(what + " values", part, hint="")
        cell.append(at)
        try:
            entries = list(part) if is_list else []  # a subclass of list may override count()
            is_one_hot = (entries.count(1), entries.count(0), len(entries)) == (1, n - 1, n)
        except Exception:  # raised by an item after the 1, which the platform does not read
            is_one_hot = False
        if not is_list:
            form = form or _bad_form(what + " type", part, hint=_of_type(part))
        elif not is_one_hot:
            form = form or _bad_form(what + " values", part, hint=_of_values(entries))
    return {"cell": cell, **form}


def brief(thing: Any) -> str:
    """The type of an object and its repr, cut to about 100 characters."""
    if isinstance(thing, (list, tuple, str, bytes)) and len(thing) > 30:
        return f"a {type(thing).__name__[:100]} of {len(thing)}"
    try:
        text = ADDRESS.sub("", repr(thing))
    except Exception:
        text = "something that has no repr"
    return f"{type(thing).__name__[:100]} {text if len(text) <= 100 else text[:97] + '...'}"


def _bad_form(kind: str, thing: Any, hint: str, **fields: int) -> Dict[str, Any]:
    """The result of `judge` for an answer with the wrong form; `thing`: the wrong part of the answer."""
    hints = {"hint": hint} if hint else {}
    return {"bad_form": {"kind": kind, "fields": dict(fields, answer=brief(thing), **hints)}}


def _of_type(thing: Any) -> str:
    """The hint for an object that is no list, by its type."""
    other = "number" if _is_number(thing) else "array" if type(thing).__module__ == "numpy" else ""
    return TYPES.get(type(thing).__name__, other)


def _no_pair(answer: Any, sizes: Any) -> str:
    """The hint for an answer that is no pair of lists."""
    values = _listed(answer)
    if values is None:
        return "text" if type(answer) is bytes else _of_type(answer)
    if len(values) == 1 and _listed(values[0]) is not None:
        return "nested"
    if values and all(map(_is_number, values)):
        if len(values) == 2:
            return "cell"
        return "flat" if len(values) == sum(sizes) else "board" if len(values) == sizes[0] * sizes[1] else ""
    if len(values) == sizes[0] and all(_listed(row) is not None for row in values):
        return "board"
    return next((hint for hint in map(_of_type, values) if hint), "") if len(values) == 2 else ""


def _wrong_length(answer: Any, sizes: Any) -> str:
    """The hint for a pair of which one list has the wrong length."""
    parts = [_listed(part) for part in answer]
    if any(part is not None and len(part) == 1 and _listed(part[0]) is not None for part in parts):
        return "nested"
    lengths = [len(part) for part in answer]
    if lengths == [sizes[1], sizes[0]]:
        return "swapped lengths"
    if any(type(part) in (str, bytes) for part in answer):
        return "text"
    return "cell" if lengths == [1, 1] else "length"


def _of_values(entries: List[Any]) -> str:
    """The hint for a list of the right length whose entries are not one 1 and otherwise 0."""
    if any(isinstance(entry, (str, bytes)) for entry in entries):
        return "texts"
    if not all(map(_is_number, entries)):
        return ""
    if all(entry == 0 for entry in entries):
        return "zeros"
    return "ones" if all(entry in (0, 1) for entry in entries) else "other numbers"


def _is_number(thing: Any) -> bool:
    """Whether the thing is a number, numpy's included."""
    kinds = [kind.__name__ for kind in type(thing).__mro__ if kind.__module__ in ("builtins", "numpy")]
    return not {"int", "float", "complex", "number", "bool_", "bool"}.isdisjoint(kinds)


def _listed(thing: Any) -> Any:
    """The entries of a list, tuple or numpy array of at least one dimension; None for anything else."""
    if type(thing) in (list, tuple):
        return thing
    if type(thing).__module__ == "numpy" and getattr(thing, "ndim", None) and len(thing) <= 1000:
        return list(thing)
    return None
