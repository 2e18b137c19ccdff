"""What all tests share. Python 3.7 reads it too, for tests/submission: nothing newer, nothing of the project."""

NO_PYTHON37 = "NO PYTHON 3.7 HERE"          # how the reason of every skip for want of it begins
NO_RAY = "NO RAY HERE"
CURES = {NO_PYTHON37: "`make python37` says why", NO_RAY: "`make cluster` installs it"}


def pytest_terminal_summary(terminalreporter):
    """Say loudly what was not tested for want of something: a quiet "s" would pass for tested."""
    for missing, cure in CURES.items():
        skipped = [report for report in terminalreporter.getreports("skipped") if missing in str(report.longrepr)]
        if skipped:
            terminalreporter.section(missing, sep="!", red=True, bold=True)
            terminalreporter.line(f"{len(skipped)} tests for it were skipped; {cure}.")
