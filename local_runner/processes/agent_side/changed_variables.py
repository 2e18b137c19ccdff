"""Finds what an agent's module keeps between calls: its global variables that have changed since the import.

Only plain values, and attributes of the module's own classes, objects and functions are compared, up to a limit.
Python 3.7 and standard library only.
"""

from types import FunctionType, ModuleType
from typing import Any, Dict, List

PLAIN = (int, float, complex, bool, str, bytes, type(None))
MOST, DEPTH = 3000, 6  # largest number of values of a variable that are compared, and largest depth


def picture(module: ModuleType) -> Dict[str, Any]:
    """Variable -> a picture of its value, which is equal only to the picture of an equal value."""
    values = {}
    for name, value in list(vars(module).items()):
        if not name.startswith("__"):
            try:
                values[name] = _of(value, module.__name__, [MOST], DEPTH)
            except BaseException:  # an object of the agent's may raise anything
                continue
    return values


def changed(module: ModuleType, before: Dict[str, Any]) -> List[str]:
    """The names of the variables that differ from the picture `before`, in alphabetical order."""
    now = picture(module)
    return sorted(name for name in now if name not in before or now[name] != before[name])


def _of(value: Any, module: str, room: List[int], depth: int) -> Any:
    """The picture of a value. `room`: the number of values that may still be compared."""
    room[0] -= 1
    kind = type(value)
    if kind in PLAIN:
        return value
    if room[0] < 0 or not depth:
        return kind.__name__
    if kind in (list, tuple):
        return kind.__name__, len(value), [_of(part, module, room, depth - 1) for part in value[:MOST]]
    if kind in (set, frozenset):
        return (
            kind.__name__,
            len(value),
            sorted(repr(part) for part in list(value)[:MOST] if type(part) in (tuple, *PLAIN)),
        )
    if kind is dict:
        pairs = list(value.items())[:MOST]
        return len(value), [
            (_of(key, module, room, depth - 1), _of(part, module, room, depth - 1)) for key, part in pairs
        ]
    if kind.__module__ == "numpy" and getattr(value, "nbytes", 0) < 1 << 20:
        return value.tobytes()
    if kind is FunctionType and value.__module__ == module:
        return _of([value.__defaults__, vars(value)], module, room, depth - 1)
    if kind is type and value.__module__ == module:
        data = {name: part for name, part in vars(value).items() if not (name.startswith("__") or callable(part))}
        return _of(data, module, room, depth - 1)
    if kind.__module__ == module:
        return _of(vars(value), module, room, depth - 1), _of(kind, module, room, depth - 1)
    return len(value) if kind.__module__ == "collections" else kind.__name__
