"""One engine for the tests that only ask it, and games written as moves."""

import pytest

from local_runner.game import coordinates
from local_runner.game.setup import GameSetup
from local_runner.processes.engine.engine_process import EngineProcess


@pytest.fixture(scope="session")
def engine():
    with EngineProcess() as running:
        yield running


@pytest.fixture
def game():
    """`game("gobang_1v1", "h8i9")`: a setup and the cells of the moves."""
    return lambda env, moves="": (
        GameSetup(env), tuple(coordinates.cell(found[0]) for found in coordinates.NAME.finditer(moves))
    )  # fmt: skip
