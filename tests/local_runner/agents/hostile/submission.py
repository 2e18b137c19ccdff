"""A hostile agent: does the deed that its options name and plays the first free cell."""

from . import answers, clocks, disk, interpreter, memory, network, pipes, processes, secrets  # noqa: F401
from .register import DEEDS, Place, is_root

_chosen = []


def configure(deed, host, runner, port):
    if is_root():
        raise PermissionError("a hostile agent never runs with the rights of root")
    _chosen[:] = [DEEDS[deed], Place(host, runner, port)]
    if _chosen[0].at == "load":
        _chosen[0].do(_chosen[1])


def my_controller(observation, action_space, is_act_continuous=False):
    deed, place = _chosen
    rows, cols = (space.n for space in action_space)
    place = _chosen[1] = place._replace(rows=rows, cols=cols, observation=observation, call=place.call + 1)
    answer = deed.do(place) if deed.at == "each" or (deed.at == "call" and place.call == 1) else None
    return place.free_cell() if answer is None else answer


def last_thought():
    return answers.thought[0]() if answers.thought else None


def last_fault():
    return answers.fault[0] if answers.fault else None
