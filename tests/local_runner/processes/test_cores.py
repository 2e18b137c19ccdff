"""A core is claimed by one match at a time and is free again afterwards."""

import os
import subprocess
import sys

import pytest

from local_runner.processes.cores import claimed
from tests.local_runner.processes.naughty import ON_LINUX

pytestmark = pytest.mark.skipif(not ON_LINUX, reason="cores are claimed on Linux only")


@pytest.fixture
def two_cores(monkeypatch):
    """Invented core numbers that no test in another process claims."""
    cores = {1_000_000 + 2 * os.getpid(), 1_000_001 + 2 * os.getpid()}
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: cores)
    return sorted(cores)


def test_the_last_cores_come_first_and_are_had_once(two_cores):
    first, second = two_cores
    with claimed(1) as mine, claimed(2) as yours, claimed(1) as theirs:
        assert (mine, yours, theirs) == ([second], [first, None], [None])
    with claimed(3) as free_again:
        assert free_again == [second, first, None]


def test_another_process_keeps_its_claim_until_it_ends(two_cores):
    script = (
        f"import os; os.sched_getaffinity = lambda pid: {set(two_cores)}\n"
        "from local_runner.processes.cores import claimed\n"
        "with claimed(2) as cores: print(cores, flush=True); input()\n"
    )
    other = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout.readline() == f"{two_cores[::-1]}\n"
    with claimed(2) as cores:
        assert cores == [None, None]
    other.kill()
    other.communicate()
    with claimed(2) as cores:
        assert cores == two_cores[::-1]
