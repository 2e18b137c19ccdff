"""Temporary folders: each is removed at its end; the next run removes the folders of a killed runner."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from local_runner.processes import scratch

ROOT = Path(__file__).parents[3]
LIVING = """
import sys
from local_runner.processes import scratch
with scratch.folder(scratch.GAMES) as folder:
    (folder / "game001_black.txt").write_text("printed")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    scratch.remove_leftovers.cache_clear()
    return tmp_path


def test_the_folder_of_a_killed_runner_is_removed_by_the_next_run_and_that_of_a_living_one_stays(place):
    command = [sys.executable, "-c", LIVING]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as runner:
        folder = Path(runner.stdout.readline().strip())
        os.utime(folder, (0, 0))
        scratch.remove_leftovers.__wrapped__(place)
        assert list(place.iterdir()) == [folder]
        runner.kill()
    with scratch.folder(scratch.AGENT) as ours:
        assert list(place.iterdir()) == [ours]
        (ours / "file").touch()
    assert not list(place.iterdir())


# Names of old folders, files and links, and whether they are left-overs.
@pytest.mark.parametrize(("kind", "goes"), [
    ("tengen-games-old", True), ("tengen-games-young", False), ("tengen-match-kept", False), ("other", False),
    ("tengen-agent-file", False), ("tengen-agent-link", False), ("tengen-agent-theirs", False),
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
    scratch.remove_leftovers(place)
    assert (target.exists(), beside.exists()) == (not goes, True)
