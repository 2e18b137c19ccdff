"""Timed calls of the upload in whole games, Python 3.7: memory thrashing beside it.

See timed_calls.py. The load fills most of the free memory; 1,000 calls take 5 minutes on one core.
"""
from functools import partial

from local_runner.processes.load import Load
from workshop.torture import timed_calls

NAME = "calls-memory"
AMOUNT, BATCH, ALLOWED = timed_calls.AMOUNT, timed_calls.SHARING, timed_calls.ALLOWED
batch = partial(timed_calls.batch, Load.MEMORY)
