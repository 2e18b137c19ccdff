"""Each part that an ablation takes out is there to be taken out, and the engine plays on without it."""
from __future__ import annotations

from pathlib import Path

import pytest

from local_runner.bundle import write
from local_runner.errors import RunnerError
from local_runner.portable.loading import load_agent
from tests.submission.boards import draw, line_observation, padded
from workshop.ablations import PARTS, Change, without

QUIET = """
. . . .
. X O .
. O X .
. . . .
"""


@pytest.mark.parametrize("part", PARTS)
def test_the_engine_plays_without_a_part(part: str, tmp_path: Path) -> None:
    write(without(PARTS[part]), tmp_path / "agent.py")
    agent = load_agent(str(tmp_path / "agent.py"), "agent", {"depth": 3})
    agent.my_controller(line_observation(padded(draw(QUIET)).stones, 15, 15, 1), [], False)
    assert agent.last_thought()["depth"] == 3
    assert not agent.last_fault()


def test_a_part_that_is_not_there_is_noticed() -> None:
    with pytest.raises(RunnerError, match=r"clock\.py says 0 times"):
        without(Change("clock.py", "words that are not there", ""))
