"""Objects that lie: their special methods answer nonsense, raise, or never end. Each remembers what was done to it.

`Deed` is the memory that all objects of one call share: writes into them, and BaseExceptions that they raised.
"""
import itertools
import random
from typing import Any, Callable, Dict, List

HARMLESS = (Exception, ValueError, TypeError, KeyError, IndexError, AttributeError, OSError, RecursionError,
            MemoryError, StopIteration, ZeroDivisionError, AssertionError, UnicodeError)


class Unheard(BaseException):
    """An exception that nobody can know."""


SERIOUS = (KeyboardInterrupt, SystemExit, GeneratorExit, Unheard)
BASES = (object, object, dict, list, tuple, int, float, str, bytes, set)
READING = ("__len__", "__iter__", "__getitem__", "__eq__", "__ne__", "__hash__", "__contains__", "__bool__", "__int__",
           "__index__", "__float__", "__lt__", "__le__", "__gt__", "__ge__", "__next__", "__reversed__", "__add__",
           "__radd__", "__mul__", "__rmul__", "__sub__", "__getattribute__", "__missing__", "get", "keys", "values",
           "items", "index", "count", "copy", "n")
WRITING = ("__setitem__", "__delitem__", "__setattr__", "__delattr__", "__iadd__", "__ior__", "__imul__", "append",
           "extend", "insert", "remove", "reverse", "sort", "clear", "pop", "popitem", "setdefault", "update", "add",
           "discard")


class Deed:
    """What happened to the lying objects of one call."""

    def __init__(self) -> None:
        self.wrote: List[str] = []
        self.raised: List[BaseException] = []


def liar(dice: random.Random, deed: Deed, honest: Any) -> Any:
    """A new object of a new class; `honest` is what it pretends to be, and what truthful methods answer from."""
    if type(honest) not in (dict, list, tuple, set, bool, int, float) and type(honest).__name__ != "SizedSpace":
        honest = [0]                        # a base could take for ever to be made from it, as a list from a range
    namespace: Dict[str, Any] = {"__slots__": ()} if dice.random() < 0.2 else {}
    for name in dice.sample(READING, dice.randint(1, 6)):
        method = _method(dice, deed, name, honest)
        namespace[name] = property(method) if name == "n" and dice.random() < 0.8 else method
    for name in WRITING:
        namespace[name] = _written(deed, name)
    if dice.random() < 0.3:
        namespace["__class__"] = property(_method(dice, deed, "__class__", dict))
    base = dice.choice(BASES)
    namespace.setdefault("__hash__", lambda self: 1)
    if base is object and dice.random() < 0.5:
        namespace.setdefault("__len__", lambda self: len(honest))
        namespace.setdefault("__getitem__", lambda self, key: honest[key])
    try:
        return type("Liar", (base,), namespace)(honest) if base is not object else type("Liar", (), namespace)()
    except Exception:                       # the honest object does not suit the base
        return type("Liar", (base,), namespace)()


def _method(dice: random.Random, deed: Deed, name: str, honest: Any) -> Callable[..., Any]:
    kind = dice.random()
    if kind < 0.35:
        error = dice.choice(HARMLESS)

        def method(*arguments: Any) -> Any:
            raise error("lie")
    elif kind < 0.42 and name != "__iter__":        # `x in y` of Python 3.7 makes a TypeError of it
        grave = dice.choice(SERIOUS)

        def method(*arguments: Any) -> Any:
            deed.raised.append(grave("lie"))
            raise deed.raised[-1]
    elif kind < 0.47:

        def method(*arguments: Any) -> Any:
            return method(*arguments)       # until the stack is full
    elif kind < 0.60:
        value = dice.choice((0, 1, 15, [0], [[0]], (0, 1), None))

        def method(*arguments: Any) -> Any:
            return itertools.repeat(value)
    elif kind < 0.70:
        number = itertools.count(dice.randint(-2, 20))

        def method(*arguments: Any) -> Any:
            return next(number)             # another answer each time
    else:
        fixed: Any = dice.choice((0, 1, 2, 15, -1, 10**30, True, None, "", "state_map", [], {}, iter(()), honest, dict,
                             list, int, float("nan"), NotImplemented))

        def method(*arguments: Any) -> Any:
            return fixed
    return method


def _written(deed: Deed, name: str) -> Callable[..., None]:
    def write(*_: Any) -> None:
        deed.wrote.append(name)
    return write
