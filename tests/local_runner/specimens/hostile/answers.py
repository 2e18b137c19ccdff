"""Deeds in the answer: objects that lie about their length, contents, type and text."""

import os
import sys

from .register import CRASH, ILLEGAL, MEMORY, PLAYS_ON, SHAPE, TIME, deed

thought = []  # holds the function that submission.last_thought calls
fault = []  # holds what submission.last_fault returns


def as_liar(place, **methods):
    """The answer with rows in a subclass of list that has these methods."""
    rows, cols = place.free_cell()
    return [type("Liar", (list,), methods)(rows), cols]


@deed(MEMORY, TIME)
def endless_rows(place):
    """A list whose iterator never stops."""

    def forever(self):
        while True:
            yield 0

    return as_liar(place, __iter__=forever)


@deed(PLAYS_ON, SHAPE, CRASH)
def length_of_a_lie(place):
    """A list that says it has as many entries as are asked for, and has none."""
    return [type("Empty", (list,), {"__len__": lambda self: 3})(), place.free_cell()[1]]


@deed(SHAPE, CRASH)
def length_below_zero(place):
    """Lists whose length is negative, no number, or too large for the machine."""
    return type("Below", (list,), {"__len__": lambda self: -1})()


@deed(SHAPE, ILLEGAL, PLAYS_ON, CRASH)
def changes_while_it_is_read(place):
    """A list that is different at every reading."""
    seen = []

    def other(self):
        seen.append(1)
        return iter([int(i == len(seen) % 3) for i in range(3)])

    return as_liar(place, __iter__=other, __getitem__=lambda self, at: len(seen) % 2)


@deed(TIME)
def equal_to_nothing_for_ever(place):
    """An int whose comparison never ends."""

    def forever(self, other):
        while True:
            pass

    number = type("Slow", (int,), {"__eq__": forever, "__hash__": int.__hash__})
    return [[number(1), 0, 0], [1, 0, 0]]


@deed(SHAPE, CRASH, ILLEGAL, PLAYS_ON)
def equal_to_everything(place):
    """Objects that are equal to 0 and to 1."""
    thing = type("Any", (), {"__eq__": lambda self, other: True, "__hash__": lambda self: 1})()
    return [[thing] * 3, [thing] * 3]


@deed(CRASH)
def comparison_that_exits(place):
    """An object whose comparison raises SystemExit."""

    def leave(self, other):
        sys.exit(0)

    return [[type("Leaver", (), {"__eq__": leave, "__hash__": None})()] * 3, [1, 0, 0]]


@deed(PLAYS_ON, SHAPE)
def true_and_false(place):
    """Booleans for ones and zeros, as the platform takes them."""
    return [[bool(entry) for entry in part] for part in place.free_cell()]


@deed(PLAYS_ON, SHAPE)
def tuples(place):
    """Tuples for lists, as the platform takes them."""
    return tuple(tuple(part) for part in place.free_cell())


@deed(SHAPE, PLAYS_ON)
def a_dict(place):
    """A dict with the keys 0 and 1."""
    return dict(enumerate(place.free_cell()))


@deed(SHAPE)
def generators(place):
    """Generators, one of which never ends."""
    return (iter(int, 1), (entry for entry in place.free_cell()[1]))


@deed(SHAPE)
def a_list_that_holds_itself(place):
    """A list of itself."""
    loop = []
    loop += [loop, loop]
    return loop


@deed(SHAPE, says="must be two lists")
def class_with_a_long_name(place):
    """An object whose class has a name of two million letters, which the error shows."""
    return type("x" * 2000000, (), {})()


@deed(SHAPE, MEMORY, CRASH)
def repr_of_a_gigabyte(place):
    """An object whose repr takes 60 MB."""
    return [type("Long", (), {"__repr__": lambda self: "x" * (60 << 20)})()] * 2


@deed(SHAPE, CRASH)
def repr_that_exits(place):
    """An object whose repr raises SystemExit."""
    return [type("Leaver", (), {"__repr__": lambda self: sys.exit(0)})()] * 2


@deed(SHAPE, CRASH, PLAYS_ON, ILLEGAL)
def false_class(place):
    """An object that calls itself a list."""
    thing = type(
        "Fake",
        (),
        {"__class__": property(lambda self: list), "__len__": lambda self: 3, "__iter__": lambda self: iter([1, 0, 0])},
    )()
    return [thing, place.free_cell()[1]]


@deed(SHAPE, CRASH)
def pickled_command(place):
    """An object that makes a folder on the host when it is unpickled."""
    path = os.path.join(place.host, "pickled")
    return [type("Command", (), {"__reduce__": lambda self: (os.mkdir, (path,))})()] * 2


@deed(PLAYS_ON, CRASH)
def deep_thought(place):
    """A thought that is nested 100,000 times."""
    deep = {}
    for _ in range(100000):
        deep = {"x": deep}
    thought[:] = [lambda: deep]


@deed(PLAYS_ON, CRASH, MEMORY)
def long_thought(place):
    """A thought of 20 MB."""
    thought[:] = [lambda: {"x": "y" * (20 << 20)}]


@deed(CRASH, PLAYS_ON)
def thought_that_raises(place):
    """`last_thought` leaves the process."""
    thought[:] = [lambda: sys.exit(0)]


@deed(TIME, CRASH)
def fault_that_takes_forever(place):
    """`last_fault` reports a fault whose number never comes."""

    def forever(self):
        while True:
            pass

    fault[:] = [type("Fault", (), {"count": type("N", (), {"__int__": forever})(), "traceback": ""})()]


@deed("fault inside", CRASH, MEMORY)
def fault_with_a_long_text(place):
    """`last_fault` reports a fault with escape codes and 20 MB of text."""
    fault[:] = [type("Fault", (), {"count": 1, "traceback": "\x1b[2J" * (5 << 20)})()]


@deed(PLAYS_ON)
def changes_its_observation_afterwards(place):
    """A thread changes the observation when the call is over."""
    import threading

    threading.Timer(0.01, place.observation["state_map"].clear).start()
