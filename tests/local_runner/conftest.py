"""Fixtures of the runner's tests."""

import functools
import sys

import pytest
from typer.testing import CliRunner

from local_runner.agents import source, source_reader
from local_runner.command_line.commands import cli
from local_runner.language import languages
from local_runner.processes import interpreters
from local_runner.processes.agent_side import loading
from local_runner.processes.interpreters import find_python37
from local_runner.upload.check import games as check_games
from tests.conftest import NO_PYTHON37


@pytest.fixture(autouse=True, scope="session")
def probed_once():
    """Run each Python of this machine once instead of in every test; a probe takes up to half a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interpreters, "probe", functools.cache(interpreters.probe))
        yield


@pytest.fixture
def vermin():
    """A test that asks for this runs vermin, although its module uses `without_vermin`."""


@pytest.fixture
def without_vermin(request, monkeypatch):
    """Sources are read in this process, and without vermin, which takes a quarter of a second."""
    if "vermin" not in request.fixturenames:
        monkeypatch.setattr(source_reader, "newer_library", lambda text: ((), ""))
        monkeypatch.setattr(source, "asked", lambda request: source_reader.read(loading=loading, **request))


@pytest.fixture
def short_games(monkeypatch):
    """The games of a check end after 8 steps, as if that were all they need."""
    for what in (check_games.RANDOM, check_games.ITSELF):
        monkeypatch.setitem(check_games.STEPS, what, 8)


@pytest.fixture
def without_games(monkeypatch):
    """A check reads and imports the upload, but plays no game."""
    monkeypatch.setattr(check_games.GamePlayer, "play", lambda player, envs: [])


@pytest.fixture
def python37():
    """Path of a Python 3.7; skips the test if there is none."""
    found = find_python37()
    if found is None:
        pytest.skip(NO_PYTHON37)
    return str(found.path)


@pytest.fixture(params=["current", "3.7"])
def python(request):
    """Runs the test twice: with the path of this Python and of Python 3.7."""
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

    yield run
    languages.use(languages.ENGLISH)


@pytest.fixture
def play(tmp_path, monkeypatch):
    """Runs `tengen play` with typed lines; returns the exit code and the output."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def run(*arguments, typed=()):
        done = CliRunner().invoke(cli.app, ["play", *map(str, arguments)], input="".join(f"{line}\n" for line in typed))
        if not isinstance(done.exception, SystemExit | None):
            raise done.exception
        return done.exit_code, done.output

    return run
