"""Temporary folders: each is removed at its end, or by the next run after a killed one. Cores are claimed once."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from local_runner.processes import claims

ROOT = Path(__file__).parents[3]
LIVING = """
import sys
from local_runner.processes import claims
with claims.folder() as folder:
    (folder / "game001_black.txt").write_text("printed")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    claims.remove_leftovers.cache_clear()
    return tmp_path


def test_the_folder_of_a_killed_runner_is_removed_by_the_next_run_and_that_of_a_living_one_stays(place):
    command = [sys.executable, "-c", LIVING]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as runner:
        folder = Path(runner.stdout.readline().strip())
        os.utime(folder, (0, 0))
        claims.remove_leftovers.__wrapped__(place)
        assert list(place.iterdir()) == [folder]
        runner.kill()
    with claims.folder() as ours:
        assert list(place.iterdir()) == [ours]
        (ours / "file").touch()
    assert not list(place.iterdir())


# Names of old folders, files and links, and whether they are left-overs.
@pytest.mark.parametrize(("kind", "goes"), [
    ("tengen-scratch-old", True), ("tengen-scratch-young", False), ("tengen-match-kept", False), ("other", False),
    ("tengen-scratch-file", False), ("tengen-scratch-link", False), ("tengen-scratch-theirs", False),
])  # fmt: skip
def test_what_is_left_over(place, kind, goes):
    target, beside = place / kind, place / "beside"
    beside.mkdir()
    if kind.endswith("theirs") and os.getuid() != 0:
        pytest.skip("only root can give a folder away")
    if kind.endswith("link"):
        target.symlink_to(beside)
    elif kind.endswith("file"):
        target.touch()
    else:
        target.mkdir()
    for path in (target, beside):
        os.utime(path, None if kind.endswith("young") else (0, 0))
    if kind.endswith("theirs"):
        os.chown(target, 1234, 1234)
    claims.remove_leftovers(place)
    assert (target.exists(), beside.exists()) == (not goes, True)


def test_cores_are_claimed_once_and_until_their_process_ends(monkeypatch):
    """Invented core numbers that no test in another process claims; the last cores come first."""
    first, second = two_cores = [1_000_000 + 2 * os.getpid(), 1_000_001 + 2 * os.getpid()]
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {*two_cores})
    with claims.cores(1) as mine, claims.cores(2) as yours, claims.cores(1) as theirs:
        assert (mine, yours, theirs) == ([second], [first, None], [None])
    script = (
        f"import os; os.sched_getaffinity = lambda pid: {set(two_cores)}\n"
        "from local_runner.processes import claims\n"
        "with claims.cores(2) as cores: print(cores, flush=True); input()\n"
    )
    other = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout.readline() == f"{two_cores[::-1]}\n"
    with claims.cores(2) as cores:
        assert cores == [None, None]
    other.kill()
    other.communicate()
    with claims.cores(3) as cores:
        assert cores == [second, first, None]
