"""What the tests of commands share."""

import sys

import pytest

from local_runner import cli


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
