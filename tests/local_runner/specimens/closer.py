"""Closes every file descriptor, then waits."""

import os
import time


def my_controller(observation, action_space, is_act_continuous=False):
    os.closerange(0, 256)
    time.sleep(3600)
