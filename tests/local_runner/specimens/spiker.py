"""Allocates too much memory and frees it before it answers."""

from .first_free import my_controller as answer


def my_controller(observation, action_space, is_act_continuous=False):
    bytearray(b"x") * (200 << 20)
    return answer(observation, action_space)
