"""Exits and leaves a child process that keeps the pipes open."""

import os
import time


def my_controller(observation, action_space, is_act_continuous=False):
    if os.fork() == 0:
        time.sleep(3600)
    os._exit(0)
