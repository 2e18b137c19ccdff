"""Forks; both processes answer, and the child's own children keep running."""

import os
import time

from .first_free import my_controller as answer


def my_controller(observation, action_space, is_act_continuous=False):
    if os.fork() == 0 and os.fork() == 0:
        time.sleep(3600)
    return answer(observation, action_space)
