import os


def my_controller(observation, action_space, is_act_continuous=False):
    os._exit(5)
