"""The cost of the sandbox is measured with and without it."""

import pytest

from local_runner.processes import sandbox
from workshop.lab import sandbox_cost


@pytest.mark.skipif(sandbox.best() is sandbox.Kind.NONE, reason=f"NOT TESTED: {sandbox.lacking()}")
def test_every_mode_has_a_start_and_a_call(capsys):
    sandbox_cost.main(1)
    title, *rows = capsys.readouterr().out.splitlines()
    assert title == f"{sandbox.best().value}, median of 1 starts and 99 calls, ms"
    assert [row[:24].strip() for row in rows] == list(sandbox_cost.MODES)
    for row in rows:
        start, call = map(float, row[24:].split())
        assert 1 < start < 10_000 and 0.01 < call < 100
