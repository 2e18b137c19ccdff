"""The head of every result: machine, versions, commit."""

import importlib.metadata
import platform

from local_runner.system import header


def test_what_is_said(monkeypatch, tmp_path):
    said = header.header()
    assert said["tengen"] == importlib.metadata.version("tengen")
    assert said["python"] == platform.python_version()
    assert said["cores"] >= 1 and said["machine"] and said["begun"].endswith("Z")
    monkeypatch.setattr(header, "ROOT", tmp_path)
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {5}, raising=False)
    assert (header.commit(), header.physical_cores()) == ("", 1)  # no checkout, and a process with one core
