"""Writes into every file descriptor and never stops."""

import contextlib
import os


def my_controller(observation, action_space, is_act_continuous=False):
    while True:
        for fd in range(3, 256):
            with contextlib.suppress(OSError):
                os.write(fd, b"GARBAGE" * 1000)
