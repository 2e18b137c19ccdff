"""Starts a process that leaves the agent's session and process group."""

import os
import time

from .first_free import my_controller as answer


def my_controller(observation, action_space, is_act_continuous=False):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(0)
    return answer(observation, action_space)
