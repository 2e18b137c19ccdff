"""Answers plain lists of numpy integers, which the platform can decode."""

import numpy

from .first_free import my_controller as answer


def my_controller(observation, action_space, is_act_continuous=False):
    return [list(part) for part in numpy.array(answer(observation, action_space))]
