"""A tournament's file, which several modules read."""

from dataclasses import replace

import pytest

from local_runner.game.setup import GameSetup
from local_runner.matches.games import PlayedGame, create, moves_text
from tests.local_runner.formats.making import TIGER, played
from tests.local_runner.matches.small import plan_of


@pytest.fixture(scope="module")
def tournament(tmp_path_factory):
    """A tournament's file with two of forty games played, and the session that both games repeat."""
    session = played(GameSetup("reversi_8x8_1v1", opening=tuple(TIGER)), 1)
    calls = tuple(replace(call, seconds=0.25, thought={"depth": 3}) for call in session.calls)
    details, began = replace(session.record().details(), calls=calls), "2026-01-01T00:00:00Z"
    path = tmp_path_factory.mktemp("tournament") / "pool.jsonl"
    with create(path, plan_of("greedy", "random", rounds=20, env="reversi_8x8_1v1", book=(tuple(TIGER),)), {}) as store:
        for number in (1, 2):
            agents, moves = ((number + 1) % 2, number % 2), moves_text(session.cells)
            store.add(PlayedGame(number, *agents, session.result, moves, 9, "here", began, 1.0, details))
    return path, session
