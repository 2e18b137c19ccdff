"""Timed calls of the upload in whole games, Python 3.7: a CPU hog on the core.

Games may share a core, each with its own hog. That is harder than one game and one hog, and takes less time:
`taskset -c 1 python -m workshop.torture --only calls-hog --jobs 4`. See timed_calls.py.
"""
from functools import partial

from local_runner.processes.load import Load
from workshop.torture import timed_calls

NAME = "calls-hog"
AMOUNT, ALLOWED = timed_calls.AMOUNT, timed_calls.ALLOWED
batch = partial(timed_calls.batch, Load.HOG)
