"""Timed calls of the upload in whole games, Python 3.7: memory thrashing beside it.

The load fills most of the free memory, so run it with --jobs 1, on a machine that does nothing else. See
timed_calls.py.
"""
from functools import partial

from local_runner.processes.load import Load
from workshop.torture import timed_calls

NAME = "calls-memory"
AMOUNT, ALLOWED = timed_calls.AMOUNT, timed_calls.ALLOWED
batch = partial(timed_calls.batch, Load.MEMORY)
