"""A running server that all tests share; rooms that a test begins end with it, so that no engine thinks on."""

import shutil
import sys
from pathlib import Path

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.setup import GameSetup
from local_runner.matches.plan import Plan, Terms
from local_runner.matches.run import open_or_create
from local_runner.matches.schedule import Schedule
from tests.local_runner.matches.small import play_instantly
from tests.local_runner.server.pages import Visit
from tests.serving import Serving

SPECIMENS = Path(__file__).parents[1] / "specimens"
OPENING = ((1, 1), (0, 0), (0, 1), (2, 1), (1, 0))


def play(path, agents, **settings):
    """A tournament of tic-tac-toe with one round of these agents. The agent that is named first wins its games."""
    terms = Terms(GameSetup("tictactoe_1v1", "stated"))
    plan = Plan(
        tuple(map(parse_agent, agents)),
        terms,
        book=(OPENING,),
        **{"rounds": 1, "schedule": Schedule.ROUND_ROBIN, **settings},
    )
    with open_or_create(path, plan, new=True) as store:
        play_instantly(store)
    return path


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """A finished tournament of tic-tac-toe."""
    agents = ("greedy", "random:seed=1", "random:seed=2")
    return play(tmp_path_factory.mktemp("watched") / "pool.jsonl", agents)


@pytest.fixture(scope="session")
def given(tmp_path_factory):
    """Programs of others: a brain of Gomocup, an engine of GTP, and one that ends at its first move."""
    folder = tmp_path_factory.mktemp("given")
    shutil.copy(SPECIMENS / "engine.py", folder)
    calls = ("gomocup:{} {}/engine.py plain", "gtp:{} {}/engine.py plain", "gtp:{} {}/engine.py dies")
    return [call.format(sys.executable, folder) for call in calls]


@pytest.fixture(scope="session")
def serving(tmp_path_factory, played, given):
    """A server with the agents of `given` that shows two tournament files: running.jsonl and pool.jsonl."""
    running = played.with_name("running.jsonl")
    running.write_bytes(played.read_bytes())
    options = [word for spec in given for word in ("--agent", spec)]
    with Serving(tmp_path_factory.mktemp("serving"), str(running), str(played), *options) as serving:
        yield serving


@pytest.fixture
def visit(serving):
    return Visit(serving.address)


@pytest.fixture
def page(visit):
    with visit.page() as page:
        yield page
        for room in page.begun:
            page.end(room)
