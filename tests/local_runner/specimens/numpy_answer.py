import numpy

from .first_free import my_controller as answer


def my_controller(observation, action_space, is_act_continuous=False):
    return numpy.array(answer(observation, action_space))
