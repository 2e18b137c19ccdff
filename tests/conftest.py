"""Shared by all tests. Python 3.7 runs it, too (for tests/submission), so it imports nothing of the project."""

import os
import signal
import sys

import pytest

# The first words of a skip's reason -> the advice that is printed at the end of the run.
NO_PYTHON37 = "NO PYTHON 3.7 HERE"
NO_CHROMIUM = "NO CHROMIUM HERE"
NO_RAY = "NO RAY HERE"
NO_NETWORK = "NO PACKAGE INDEX HERE"
NO_COMPILER = "NO C++ COMPILER HERE"
LOUD = {
    NO_PYTHON37: "`make python37` says why.",
    NO_CHROMIUM: "with one on the PATH, pages are looked at in it.",
    NO_RAY: "`make cluster` installs it.",
    NO_NETWORK: "with one, the wheel is installed in an empty environment.",
    NO_COMPILER: "install g++ or clang++.",
}


def pytest_configure():
    """Restore the default handlers of SIGINT and SIGHUP, which & and nohup switch off; some tests send them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.environ["LC_ALL"] = "C.UTF-8"  # commands speak English, whatever the language of the machine


@pytest.fixture
def forgotten():
    """Removes the agents that a test loads from sys.modules afterwards."""
    modules = set(sys.modules)
    yield
    for name in set(sys.modules) - modules:
        if name.partition(".")[0] == "algo":
            del sys.modules[name]


def pytest_terminal_summary(terminalreporter):
    """Print what was not tested for lack of an installation; a mere "s" would be overlooked."""
    for want, advice in LOUD.items():
        skipped = [report for report in terminalreporter.getreports("skipped") if want in str(report.longrepr)]
        if skipped:
            terminalreporter.section(want, sep="!", red=True, bold=True)
            terminalreporter.line(f"{len(skipped)} tests for it were skipped; {advice}")
