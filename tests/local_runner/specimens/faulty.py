"""Catches an exception of its own, reports it through last_fault, and gives a good answer."""

import traceback
from typing import NamedTuple

from .first_free import my_controller as first_free


class Fault(NamedTuple):
    count: int
    traceback: str


fault = None


def my_controller(observation, action_space, is_act_continuous=False):
    global fault
    try:
        raise KeyError("hidden")
    except KeyError:
        fault = Fault(1 if fault is None else fault.count + 1, traceback.format_exc())
    return first_free(observation, action_space)


def last_fault():
    return fault
