"""Answers and reports with objects whose methods lie or raise, and with values that JSON cannot hold."""

from types import SimpleNamespace

from .first_free import my_controller as first_free

_trick = [""]


class Liar(list):
    """A list whose methods describe a one-hot list with its 1 outside the board."""

    def count(self, value):
        return 1 if value == 1 else len(self) - 1

    def index(self, value):
        return {"below": -5, "above": 10**6}[_trick[0]]


class Touchy:
    """Raises when it is compared."""

    def __eq__(self, other):
        raise RuntimeError("do not compare me")


def configure(trick):
    _trick[0] = trick


def my_controller(observation, action_space, is_act_continuous=False):
    rows, cols = first_free(observation, action_space)
    if _trick[0] in ("below", "above"):
        return [Liar([0] * len(rows)), cols]
    if _trick[0] == "touchy":
        return [[Touchy()] * len(rows), cols]
    if _trick[0] == "touchy_board":
        observation["state_map"][0] = Touchy()
    if _trick[0] == "surrogate":
        raise ValueError("\ud800")
    return rows, cols


def last_fault():
    return SimpleNamespace(count=10**400, traceback="so many") if _trick[0] == "count" else None


def last_thought():
    return {"surrogate_thought": {"\ud800": "\udfff"}, "not_a_number": {"value": float("nan")}}.get(_trick[0])
