"""Prints 5 MB in a game and gives good answers."""

import sys

from .first_free import my_controller as answer

print("loaded")


def my_controller(observation, action_space, is_act_continuous=False):
    print("思考" + "." * 1000000)
    sys.stderr.write("warning\n")
    return answer(observation, action_space)
