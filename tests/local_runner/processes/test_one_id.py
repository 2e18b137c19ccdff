"""A root with no other users, as in rootless containers: commands say so, and agents run as the runner's user."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from local_runner.system.exit_codes import ExitCode
from tests.conftest import SOURCES
from tests.local_runner.processes.naughty import ON_LINUX, path_of

# Commands that run another command as the root of a new user namespace, whose only user and group is 0.
NAMESPACES = {
    "unshare": ("unshare", "--user", "--map-root-user"),
    "bubblewrap": ("bwrap", "--unshare-user", "--uid", "0", "--gid", "0", "--bind", "/", "/", "--dev", "/dev",
                   "--proc", "/proc"),
}  # fmt: skip
MISSING = "this container has no users 61184 to 65519 (/proc/self/uid_map)"
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ON_LINUX, reason="user namespaces are Linux's")]


@pytest.fixture(params=NAMESPACES)
def tengen(request, tmp_path):
    """Runs a command of tengen in such a namespace: its exit code, and what it says in one line."""
    tool, *options = NAMESPACES[request.param]
    inside = [shutil.which(tool) or tool, *options]
    try:
        subprocess.run([*inside, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip(f"NOT TESTED: {tool} can make no user namespace here")

    def run(*arguments, **environment):
        command = [*inside, sys.executable, "-m", "local_runner", *map(str, arguments)]
        environment = {**os.environ, "PYTHONPATH": SOURCES, "HOME": str(tmp_path), **environment}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        said = re.sub(r"\s+", " ", done.stdout + done.stderr)
        assert not re.search("Traceback|Errno 22|Invalid argument", said), said
        return done.returncode, said

    return run


def test_doctor_says_what_is_missing(tengen):
    code, said = tengen("doctor")
    assert f"run as the user of the runner, whose limit of processes root does not obey: {MISSING}" in said
    assert code == ExitCode.CLEAN or "do not start" not in said, said


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])
@pytest.mark.parametrize("mode", [0o644, 0o600], ids=oct)
def test_a_match_says_it_and_is_played(kind, mode, tengen, tmp_path):
    if kind == "bubblewrap" and shutil.which("bwrap") is None:
        pytest.skip("NOT TESTED: bubblewrap is not installed")
    agent = tmp_path / "agent.py"
    shutil.copy(path_of("first_free"), agent)
    agent.chmod(mode)
    hidden = {"PATH": str(tmp_path)} if kind == "landlock" else {}
    code, said = tengen("match", agent, agent, "--env", "tictactoe_1v1", "--games", "1", **hidden)
    assert f"agents run as the same user as the runner: {MISSING}; tengen doctor says what that means" in said
    assert code == ExitCode.CLEAN and "won / drawn / lost 1 / 0 / 0 0 / 0 / 1" in said, said
