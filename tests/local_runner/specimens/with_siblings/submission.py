"""Imports neighbouring files by their plain names, one of which the platform uses itself, and reads a data file."""

import os

import helper
import utils

with open(os.path.join(os.path.dirname(__file__), "weights.txt")) as file:
    ONE = int(file.read())


def my_controller(observation, action_space, is_act_continuous=False):
    row, col = helper.first_free(observation["state_map"])
    return [utils.one_hot(row, action_space[0].n, ONE), utils.one_hot(col, action_space[1].n, ONE)]
