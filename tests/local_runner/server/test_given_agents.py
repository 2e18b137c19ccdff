"""`tengen serve --agent`: agents that the command line names, such as programs of others, play on the page."""

import shutil
import sys
from pathlib import Path

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.errors import AgentError
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.seats import Seating
from local_runner.server.services import game_kinds
from local_runner.server.wire import AgentSeat
from tests.local_runner.server.pages import Visit, agent
from tests.serving import Serving

SPECIMENS = Path(__file__).parents[1] / "specimens"


def test_each_game_lists_the_agents_that_play_it():
    given = {"a": parse_agent("gtp:sh"), "b": parse_agent("gomocup:sh"), "c": parse_agent(str(SPECIMENS / "slow.py"))}
    listed = {kind["env"]: kind["given"] for kind in game_kinds(given)}
    assert (listed["reversi_1v1"], listed["gobang_1v1"], listed["tictactoe_1v1"]) == (["a", "c"], ["b", "c"], ["c"])


def test_a_page_names_no_other_program():
    seating = Seating(None, SandboxMode.AUTO, {"gtp:sh": parse_agent("gtp:sh")})
    seating.check(AgentSeat(name="gtp:sh"), "reversi_1v1")
    with pytest.raises(AgentError, match="plays reversi_1v1"):
        seating.check(AgentSeat(name="gtp:sh"), "gobang_1v1")
    with pytest.raises(AgentError, match="unknown agent 'gtp:cat'"):
        seating.check(AgentSeat(name="gtp:cat"), "reversi_1v1")


@pytest.fixture(scope="module")
def rooms(tmp_path_factory):
    """A page of a server with the specimens of two protocols, and the names of these agents."""
    folder = tmp_path_factory.mktemp("given")
    for name in ("brain.py", "reversi_engine.py"):
        shutil.copy(SPECIMENS / name, folder)
    calls = ("gomocup:{} {}/brain.py plain", "gtp:{} {}/reversi_engine.py plain", "gtp:{} {}/reversi_engine.py dies")
    specs = [call.format(sys.executable, folder) for call in calls]
    options = [word for spec in specs for word in ("--agent", spec)]
    with Serving(folder, *options) as serving, Visit(serving.address).page() as page:
        yield page, specs


@pytest.mark.slow
def test_a_brain_plays_and_plays_on_after_an_undone_move(rooms):
    page, (brain, _gtp, _dying) = rooms
    state = page.begin("gobang_1v1", black=agent(brain))
    state = page.until(lambda state: len(state["moves"]["moves"]) == 1)
    page.play(state, 100)
    state = page.until(lambda state: len(state["moves"]["moves"]) == 3)
    assert state["moves"]["moves"] == [0, 100, 1]
    state = page.do(state, "undo")
    page.play(state, 101)
    state = page.until(lambda state: len(state["moves"]["moves"]) == 3)
    assert state["moves"]["moves"] == [0, 101, 1]


@pytest.mark.slow
def test_an_engine_of_gtp_plays_and_one_that_ends_loses_by_name(rooms):
    page, (_brain, gtp, dying) = rooms
    page.begin("reversi_8x8_1v1", black=agent(gtp), white=agent(dying))
    state = page.until(lambda state: state["result"])
    assert state["moves"]["moves"] == [19]
    assert "Black wins: White lost its program" in state["result"]
    assert "exit code 3 after" in state["result"] and "genmove white" in state["result"]
