"""One engine for the tests that only ask it, and games written as moves."""

import pytest

from local_runner.game import coordinates
from local_runner.game.setup import GameSetup
from local_runner.processes.engine.engine_process import EngineProcess


@pytest.fixture(scope="session")
def engine():
    """A running engine."""
    with EngineProcess() as running:
        yield running


@pytest.fixture
def game():
    """`game(env, "h8i9")`: a setup and the cells of the moves; a dot is a pass."""

    def made(env, moves="", **given):
        cells = [found if found == "." else found.group() for found in coordinates.NAME.finditer(moves)]
        return GameSetup(env, **given), tuple(map(coordinates.cell, cells))

    return made
