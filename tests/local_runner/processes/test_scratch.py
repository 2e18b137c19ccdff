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
    return tmp_path


@pytest.fixture
def runner():
    """Another runner, with a folder of its own."""
    with subprocess.Popen([sys.executable, "-c", LIVING], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as process:  # fmt: skip
        yield process
        process.kill()


def old(folder):
    """Set a folder's time to 1970, so that it counts as left over. Returns the folder."""
    os.utime(folder, (0, 0))
    return folder


def test_a_folder_is_gone_at_its_end(place):
    with scratch.folder(scratch.AGENT) as folder:
        assert list(place.iterdir()) == [folder]
        (folder / "file").touch()
    assert not list(place.iterdir())


def test_the_folder_of_a_killed_runner_is_removed_by_the_next_run_and_that_of_a_living_one_stays(place, runner):
    folder = old(runner.stdout.readline().strip())
    scratch.remove_leftovers(place)
    assert [str(path) for path in place.iterdir()] == [folder]
    runner.kill()
    runner.wait()
    with scratch.folder(scratch.AGENT) as ours:
        assert list(place.iterdir()) == [ours]


def test_a_young_folder_may_not_be_locked_yet(place):
    (place / "tengen-games-young").mkdir()
    scratch.remove_leftovers(place)
    assert (place / "tengen-games-young").exists()
    old(place / "tengen-games-young")
    scratch.remove_leftovers(place)
    assert not (place / "tengen-games-young").exists()


def test_what_is_not_ours_stays(place):
    names = ["tengen-match-kept", "tengen-play-kept", "other"]
    for name in names:
        (place / name).mkdir()
        old(place / name)
    (place / "tengen-agent-link").symlink_to(place / "other")
    (place / "tengen-agent-file").touch()
    old(place / "tengen-agent-file")
    scratch.remove_leftovers(place)
    assert sorted(path.name for path in place.iterdir()) == sorted([*names, "tengen-agent-link", "tengen-agent-file"])


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_stays(place):
    folder = place / "tengen-agent-theirs"
    folder.mkdir()
    old(folder)
    os.chown(folder, 1234, 1234)
    scratch.remove_leftovers(place)
    assert folder.exists()
