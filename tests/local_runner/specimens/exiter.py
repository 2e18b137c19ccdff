import sys


def my_controller(observation, action_space, is_act_continuous=False):
    sys.exit(3)
