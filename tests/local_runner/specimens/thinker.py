"""Reports its search by last_thought; from its third turn on, the report cannot be written as JSON."""

from .first_free import my_controller as first_free

calls = []


def my_controller(observation, action_space, is_act_continuous=False):
    calls.append(1)
    return first_free(observation, action_space)


def last_thought():
    return {"depth": len(calls)} if len(calls) < 3 else {"depth": print}
