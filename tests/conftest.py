"""What all tests share. Python 3.7 reads it too, for tests/submission: nothing newer, nothing of the project."""

import signal
import sys

import pytest

# How the reason of every skip for want of one of these begins, and what to do about it.
NO_PYTHON37 = "NO PYTHON 3.7 HERE"
NO_CHROMIUM = "NO CHROMIUM HERE"
NO_RAY = "NO RAY HERE"
LOUD = {
    NO_PYTHON37: "`make python37` says why.",
    NO_CHROMIUM: "with one on the PATH, pages are looked at in it.",
    NO_RAY: "`make cluster` installs it.",
}


def pytest_configure():
    """Take back that Ctrl-C and a hang-up are ignored, as in a run behind & or nohup: some tests send them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def forgotten():
    """The agents that a test loads are forgotten afterwards, and all that they remember with them."""
    modules = set(sys.modules)
    yield
    for name in set(sys.modules) - modules:
        if name.partition(".")[0] == "algo":
            del sys.modules[name]


def pytest_terminal_summary(terminalreporter):
    """Say loudly what was not tested, e.g. under the platform's own Python: a quiet "s" would pass for tested."""
    for want, advice in LOUD.items():
        skipped = [report for report in terminalreporter.getreports("skipped") if want in str(report.longrepr)]
        if skipped:
            terminalreporter.section(want, sep="!", red=True, bold=True)
            terminalreporter.line(f"{len(skipped)} tests for it were skipped; {advice}")
