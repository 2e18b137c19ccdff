"""The loads keep the right core or the memory busy, and they end."""

import os
import time

import pytest

from local_runner.errors import RunnerError
from local_runner.processes import load
from local_runner.processes.load import Load, running
from local_runner.processes.procfs import PROC, pages
from tests.local_runner.processes.naughty import ON_LINUX, Family

pytestmark = pytest.mark.skipif(not ON_LINUX, reason="processes are looked up in /proc")
TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def others(family):
    return [pid for pid in family.members() if pid != os.getpid()]


def test_a_hog_computes_on_its_core_and_ends(monkeypatch):
    family, core = Family(monkeypatch), max(os.sched_getaffinity(0))
    with running(Load.HOG, core):
        [pid] = others(family)
        assert os.sched_getaffinity(pid) == {core}
        before = cpu_seconds(pid)
        time.sleep(0.5)
        assert cpu_seconds(pid) > before
    assert family.settled(0)


def test_memory_is_taken_and_given_back(monkeypatch, little_memory):
    family = Family(monkeypatch)
    with running(Load.MEMORY, None):
        [pid] = others(family)
        assert 60_000_000 < pages(pid).resident < 100_000_000
    assert family.settled(0)


def test_alone_is_alone(monkeypatch):
    family = Family(monkeypatch)
    with running(Load.ALONE, 0):
        assert others(family) == []


def test_what_cannot_be_done_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(load, "SCRIPT", tmp_path / "none.py")
    with pytest.raises(RunnerError, match="the load 'hog' did not start"), running(Load.HOG, None):
        pass
