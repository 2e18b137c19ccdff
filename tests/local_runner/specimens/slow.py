"""Answers late, but before it is killed."""

import time

from .first_free import my_controller as answer


def my_controller(observation, action_space, is_act_continuous=False):
    time.sleep(1.2)
    return answer(observation, action_space)
