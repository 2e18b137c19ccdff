"""Writes a numpy array into the observation, which cannot be compared."""

from .first_free import my_controller as answer


class Incomparable:
    def __eq__(self, other):
        raise ValueError("ambiguous, like an array")


def my_controller(observation, action_space, is_act_continuous=False):
    cell = answer(observation, action_space)
    observation["state_map"][0] = Incomparable()
    return cell
