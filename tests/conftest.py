"""What all tests share. Python 3.7 reads it too, for tests/submission: nothing newer, nothing of the project."""

NO_PYTHON37 = "NO PYTHON 3.7 HERE"          # how the reason of every skip for want of it begins


def pytest_terminal_summary(terminalreporter):
    """Say loudly what was not tested under the platform's own Python: a quiet "s" would pass for tested."""
    skipped = [report for report in terminalreporter.getreports("skipped") if NO_PYTHON37 in str(report.longrepr)]
    if skipped:
        terminalreporter.section(NO_PYTHON37, sep="!", red=True, bold=True)
        terminalreporter.line(f"{len(skipped)} tests for it were skipped; `make python37` says why.")
