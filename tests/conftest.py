"""Fixtures and options for all tests. It imports no project code: Python 3.7 runs it too (for tests/submission)."""

import contextlib
import gc
import os
import signal
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = os.pathsep.join([str(ROOT), str(ROOT / "local_runner" / "python")])  # PYTHONPATH as after an editable install

# Reasons of skipped tests; `pytest -rs` (see pyproject.toml) lists them at the end of a run.
NO_PYTHON37 = "no Python 3.7 (`make python37` says why)"
NO_LIBRARY = "no compiled library (it is for Linux on x86-64 and aarch64)"


def pytest_addoption(parser):
    parser.addoption("--seconds", type=float, help="start no test later than this, counted from the first one")
    parser.addoption("--made", metavar="FOLDER", help="test the wheel and the sdist in this folder, not new ones")
    parser.addoption("--seeds", metavar="FROM-TO", help="run the tests that are marked `seeds` with these random seeds")


def pytest_generate_tests(metafunc):
    """A test with the mark `seeds` gets each number of the mark, or of --seeds, as its argument `number`."""
    mark, given = metafunc.definition.get_closest_marker("seeds"), metafunc.config.getoption("--seeds")
    if mark is not None:
        first, last = map(int, given.split("-")) if given else (0, -1)
        metafunc.parametrize("number", range(first, last + 1) or mark.args)


def pytest_collection_finish(session):
    """Note the time. Spare the garbage collector what is imported, and most other rounds: a fifth of the time."""
    session.began = time.monotonic()
    gc.freeze()
    gc.set_threshold(20_000)


def pytest_runtest_setup(item):
    """Skip a test if the time of --seconds is over when the test would start."""
    limit = item.config.getoption("--seconds")
    if limit is not None and time.monotonic() - item.session.began > limit:
        pytest.skip("out of time")


def pytest_configure():
    """Restore the default handlers of SIGINT and SIGHUP, which & and nohup disable. Some tests send these signals."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.environ["LC_ALL"] = "C.UTF-8"  # commands speak English, whatever the language of the machine
    with contextlib.suppress(ImportError):  # there is no hypothesis for Python 3.7
        from hypothesis import settings

        settings.register_profile("patient", deadline=None, max_examples=40)  # a busy machine may be slow
        settings.load_profile("patient")


@pytest.fixture
def forgotten():
    """After the test, remove the modules of the agents that it has loaded from sys.modules."""
    modules = set(sys.modules)
    yield
    for name in set(sys.modules) - modules:
        if name.partition(".")[0] == "algo":
            del sys.modules[name]
