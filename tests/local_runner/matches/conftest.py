"""A tournament that many tests begin with."""

import pytest

from local_runner.matches.games import create, read
from local_runner.system.header import header
from tests.local_runner.matches.small import outcomes, plan_of, play_all


@pytest.fixture(scope="session")
def four_games(tmp_path_factory):
    """The file of a tournament of two rounds, greedy against random, played one game at a time."""
    path = tmp_path_factory.mktemp("four") / "t.jsonl"
    with create(path, plan_of("greedy", "random"), header()) as store:
        assert len(play_all(store, slots=1)) == 4
    return path


@pytest.fixture(scope="session")
def four_outcomes(four_games):
    store = read(four_games)
    return outcomes(store)


@pytest.fixture
def finished(four_games, tmp_path):
    """A copy of that file in the folder of the test."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(four_games.read_bytes())
    return path
