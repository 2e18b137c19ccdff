"""Attacks in the answer: objects that lie about their length, contents, type and text."""

import os
import sys

from .register import CRASH, MEMORY, PLAYS_ON, SHAPE, TIME, attack

thought = []  # holds the function that submission.last_thought calls
fault = []  # holds what submission.last_fault returns


def as_liar(place, **methods):
    """The answer with rows in a subclass of list that has these methods."""
    rows, cols = place.free_cell()
    return [type("Liar", (list,), methods)(rows), cols]


@attack(MEMORY, TIME)
def endless_rows(place):
    """A list whose iterator never stops."""

    def forever(self):
        while True:
            yield 0

    return as_liar(place, __iter__=forever)


@attack(CRASH)
def comparison_that_exits(place):
    """An object whose comparison raises SystemExit."""

    def leave(self, other):
        sys.exit(0)

    return [[type("Leaver", (), {"__eq__": leave, "__hash__": None})()] * 3, [1, 0, 0]]


@attack(SHAPE, CRASH)
def pickled_command(place):
    """An object that makes a folder on the host when it is unpickled."""
    path = os.path.join(place.host, "pickled")
    return [type("Command", (), {"__reduce__": lambda self: (os.mkdir, (path,))})()] * 2


@attack(PLAYS_ON, CRASH)
def deep_thought(place):
    """A thought that is nested 100,000 times."""
    deep = {}
    for _ in range(100000):
        deep = {"x": deep}
    thought[:] = [lambda: deep]


@attack(TIME, CRASH)
def fault_that_takes_forever(place):
    """`last_fault` reports a fault whose number never comes."""

    def forever(self):
        while True:
            pass

    fault[:] = [type("Fault", (), {"count": type("N", (), {"__int__": forever})(), "traceback": ""})()]


@attack(PLAYS_ON)
def changes_its_observation_afterwards(place):
    """A thread changes the observation when the call is over."""
    import threading

    threading.Timer(0.01, place.observation["state_map"].clear).start()
