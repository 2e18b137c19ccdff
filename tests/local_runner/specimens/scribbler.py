"""Writes into every file descriptor."""

import contextlib
import os

from .first_free import my_controller as answer


def my_controller(observation, action_space, is_act_continuous=False):
    for fd in range(256):
        with contextlib.suppress(OSError):
            os.write(fd, b"GARBAGE" * 10)
    return answer(observation, action_space)
