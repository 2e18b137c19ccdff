"""A running server that all tests share; rooms that a test begins end with it, so that no engine thinks on."""

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.setup import GameSetup
from local_runner.matches.executor import LocalExecutor
from local_runner.matches.live import live_path
from local_runner.matches.plan import Plan, Terms
from local_runner.matches.run import open_or_create, run
from local_runner.matches.schedule import Schedule
from tests.local_runner.server.pages import Visit
from tests.serving import Serving


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """A finished tournament of tic-tac-toe."""
    path = tmp_path_factory.mktemp("watched") / "pool.jsonl"
    agents = tuple(map(parse_agent, ("greedy", "random:seed=1", "random:seed=2")))
    plan = Plan(agents, Terms(GameSetup("tictactoe_1v1", "stated")), Schedule.ROUND_ROBIN, 1)
    with LocalExecutor(1) as executor, open_or_create(path, plan, new=True) as store:
        run(store, executor)
    assert not live_path(path).exists()
    return path


@pytest.fixture(scope="session")
def serving(tmp_path_factory, played):
    """A server that shows two tournament files: running.jsonl and pool.jsonl."""
    running = played.with_name("running.jsonl")
    running.write_bytes(played.read_bytes())
    with Serving(tmp_path_factory.mktemp("serving"), str(running), str(played)) as serving:
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
