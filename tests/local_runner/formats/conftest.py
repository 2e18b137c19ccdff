"""A tournament's file, which several modules read."""

import pytest

from local_runner.game.setup import GameSetup
from local_runner.matches.tournament.store import create
from tests.local_runner.formats.making import TIGER, played, row_of
from tests.local_runner.matches.tournament.small import plan_of


@pytest.fixture(scope="module")
def tournament(tmp_path_factory):
    """A tournament's file with two games of forty, and the session that both are."""
    session = played(GameSetup("reversi_8x8_1v1", opening=tuple(TIGER)), 1)
    path = tmp_path_factory.mktemp("tournament") / "pool.db"
    with create(path, plan_of("greedy", "random", rounds=20, env="reversi_8x8_1v1", book=(tuple(TIGER),)), {}) as store:
        store.add_games([row_of(session, 1), row_of(session, 2)])
    return path, session
