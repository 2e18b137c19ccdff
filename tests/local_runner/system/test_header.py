"""The head of every result: machine, versions, commit."""

import importlib.metadata
import platform

from local_runner.system import header


def test_what_is_said():
    said = header.header()
    assert said["tengen"] == importlib.metadata.version("tengen")
    assert said["python"] == platform.python_version()
    assert said["cores"] >= 1 and said["machine"] and said["begun"].endswith("Z")


def test_a_tree_that_is_no_checkout_has_no_commit(tmp_path, monkeypatch):
    monkeypatch.setattr(header, "ROOT", tmp_path)
    assert header.commit() == ""


def test_no_more_cores_than_this_process_may_use(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {5}, raising=False)
    assert header.physical_cores() == 1
