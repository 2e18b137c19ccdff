import ctypes


def my_controller(observation, action_space, is_act_continuous=False):
    ctypes.string_at(0)
