"""Allocates too much memory in a child process."""

import os
import time


def my_controller(observation, action_space, is_act_continuous=False):
    if os.fork() == 0:
        pile = bytearray(b"x") * (200 << 20)
        time.sleep(3600 + len(pile))
    os.wait()
