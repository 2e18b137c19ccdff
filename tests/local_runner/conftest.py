"""What the tests of commands share."""

import sys

import pytest

from local_runner import cli
from local_runner.processes.interpreters import find_python37
from tests.conftest import NO_PYTHON37


@pytest.fixture
def python37():
    """Path of a Python 3.7; the test is skipped, loudly, where there is none."""
    found = find_python37()
    if found is None:
        pytest.skip(NO_PYTHON37)
    return str(found.path)


@pytest.fixture(params=["current", "3.7"])
def python(request):
    """Path of the Python that runs the tests; then of Python 3.7."""
    return request.getfixturevalue("python37") if request.param == "3.7" else sys.executable


@pytest.fixture
def tengen(capsys, monkeypatch, tmp_path, tmp_path_factory, forgotten):
    """Runs the console command in an empty folder: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path_factory.mktemp("temporary")))

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["tengen", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        shown = capsys.readouterr()
        return end.value.code or 0, shown.out, shown.err

    return run
