"""A tournament's file, which several modules read."""

import pytest

from local_runner.game.setup import GameSetup
from local_runner.matches.games import create
from tests.local_runner.formats.making import TIGER, played, row_of
from tests.local_runner.matches.small import plan_of


@pytest.fixture(scope="module")
def tournament(tmp_path_factory):
    """A tournament's file with two of forty games played, and the session that both games repeat."""
    session = played(GameSetup("reversi_8x8_1v1", opening=tuple(TIGER)), 1)
    path = tmp_path_factory.mktemp("tournament") / "pool.jsonl"
    with create(path, plan_of("greedy", "random", rounds=20, env="reversi_8x8_1v1", book=(tuple(TIGER),)), {}) as store:
        for number in (1, 2):
            store.add(row_of(session, number))
    return path, session
