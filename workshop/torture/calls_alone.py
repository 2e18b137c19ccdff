"""Timed calls of the upload in whole games, Python 3.7: alone on the core.

The machine must do nothing else, so run it with --jobs 1: 1,000 calls take 14 minutes. See timed_calls.py.
"""
from functools import partial

from local_runner.processes.load import Load
from workshop.torture import timed_calls

NAME = "calls-alone"
AMOUNT, ALLOWED = timed_calls.AMOUNT, timed_calls.ALLOWED
batch = partial(timed_calls.batch, Load.ALONE)
