"""Attacks in the answer and in the thought: objects with methods of their own, and one without end."""

import os
import sys

from .register import CRASH, PLAYS_ON, SHAPE, attack

thought = []  # holds the function that submission.last_thought calls


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


@attack(PLAYS_ON)
def changes_its_observation_afterwards(place):
    """A thread changes the observation when the call is over."""
    import threading

    threading.Timer(0.01, place.observation["state_map"].clear).start()
