"""A few of the trials of a tournament's file; `make torture` does all."""

import subprocess
import sys

import pytest

from workshop.torture import file_damages, store_damages, store_kills

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def can_mount():
    return not subprocess.run(["unshare", *file_damages.PRIVATE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], check=False,
                              capture_output=True).returncode  # fmt: skip


@pytest.mark.parametrize("number", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_kills(number, tmp_path):
    assert store_kills.trial(number, tmp_path) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["read-only", "full disk", "killed while writing, read-only"])
def test_places_where_a_file_cannot_be_written(name, tmp_path):
    if not can_mount():
        pytest.skip("no file system can be mounted here")
    assert store_damages.trial([*file_damages.CASES].index(name), tmp_path) == ""


@pytest.mark.parametrize("name", ["played by another run", "locked by a program", "killed while writing", "a folder"])
def test_files_that_others_hold(name, tmp_path):
    assert store_damages.trial([*file_damages.CASES].index(name), tmp_path) == ""


def test_what_is_false_is_found(tmp_path, monkeypatch):
    lie = file_damages.Case(file_damages.unchanged, refused=("rerun",))
    monkeypatch.setattr(store_damages, "CASES", {"a lie": lie})
    assert store_damages.trial(0, tmp_path).startswith("a lie: it was not refused: rerun says")
