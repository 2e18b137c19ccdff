"""A hostile agent: does the attack that attack.json names and plays the first free cell."""

import json
import os

from . import answers, clocks, counted, disk, interpreter, litter, memory, others, pipes, secrets, ways_out  # noqa: F401
from .register import ATTACKS, Place, is_root

_ABOUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "attack.json")  # the witness writes it
_chosen = []


def _choose():
    with open(_ABOUT) as file:
        about = json.load(file)
    if is_root():
        raise PermissionError("a hostile agent never runs with the rights of root")
    _chosen[:] = [ATTACKS[about.pop("attack")], Place(**about)]
    if _chosen[0].at == "load":
        _chosen[0].do(_chosen[1])


def my_controller(observation, action_space, is_act_continuous=False):
    attack, place = _chosen
    rows, cols = (space.n for space in action_space)
    place = _chosen[1] = place._replace(rows=rows, cols=cols, observation=observation, call=place.call + 1)
    answer = attack.do(place) if attack.at == "each" or (attack.at == "call" and place.call == 1) else None
    return place.free_cell() if answer is None else answer


def last_thought():
    return answers.thought[0]() if answers.thought else None


if os.path.exists(_ABOUT):
    _choose()
