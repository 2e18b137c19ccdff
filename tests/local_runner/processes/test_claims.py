"""Temporary folders: each is removed at its end, or by the next run after a killed one. Cores are claimed once."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from local_runner.processes import claims

ROOT = Path(__file__).parents[3]
# A runner that claims a folder and two cores, and ends when its input does.
LIVING = """
import os, sys
from local_runner.processes import claims
os.sched_getaffinity = lambda pid: {%d, %d}
with claims.folder() as folder, claims.cores(2) as cores:
    print(folder, *cores, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    claims.remove_leftovers.cache_clear()
    return tmp_path


def test_what_a_runner_claims_is_free_after_its_end(place, monkeypatch):
    """A folder and two cores, whose invented numbers no test in another process claims; the last cores come first."""
    first, second = two_cores = 1_000_000 + 2 * os.getpid(), 1_000_001 + 2 * os.getpid()
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {*two_cores})
    with claims.cores(1) as mine, claims.cores(2) as yours, claims.cores(1) as theirs:
        assert (mine, yours, theirs) == ([second], [first, None], [None])
    command = [sys.executable, "-c", LIVING % two_cores]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as runner:
        folder, *cores = runner.stdout.readline().split()
        os.utime(folder, (0, 0))
        claims.remove_leftovers.__wrapped__(place)
        assert [place / folder] == list(place.iterdir())
        with claims.cores(2) as ours:
            assert (cores, ours) == ([str(second), str(first)], [None, None])
        runner.kill()
    with claims.folder() as folder, claims.cores(3) as cores:
        assert ([folder], cores) == (list(place.iterdir()), [second, first, None])
        (folder / "file").touch()
    assert not list(place.iterdir())


def test_what_is_left_over(place):
    """Old folders with the name of a claimed folder are removed; files, links and other users' folders are not."""
    old, young, file, link, theirs = (place / f"tengen-scratch-{name}" for name in ("a", "b", "c", "d", "e"))
    kept = [place / "other", place / "tengen-match-kept", young, file, link]
    for folder in (*kept[:3], old):
        folder.mkdir()
    file.touch()
    link.symlink_to(place / "other")
    if os.getuid() == 0:  # only root can give a folder away
        kept.append(theirs)
        theirs.mkdir()
        os.chown(theirs, 1234, 1234)
    for path in {*place.iterdir()} - {young}:
        os.utime(path, (0, 0), follow_symlinks=False)
    claims.remove_leftovers(place)
    assert {*place.iterdir()} == {*kept}
