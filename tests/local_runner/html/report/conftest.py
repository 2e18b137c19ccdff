"""Small tournaments that all tests of this folder share."""

import pytest

from local_runner.agents.spec import AgentSpec
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.records import AgentReport, Call, GameDetails, Loaded, Result
from local_runner.html import report
from local_runner.matches.games import PlayedGame, create
from local_runner.matches.plan import Plan
from local_runner.matches.schedule import Schedule
from local_runner.matches.statistics.sprt import Sprt
from tests.browser.fixtures import browser, chromium_only, open_page, watched  # noqa: F401
from tests.local_runner.matches.small import plan_of, play_all
from tests.local_runner.processes.naughty import AGENTS, path_of

RAISER = path_of("raiser")
PLANS = {
    "tictactoe": plan_of("greedy", "random", RAISER, "seed004", rounds=2, recover=True),
    "gobang": plan_of("greedy", "tengen:depth=1", env="gobang_1v1", rounds=1, book=(((7, 7), (6, 6)),)),
    "reversi": plan_of("random", "greedy", env="reversi_8x8_1v1", rounds=3),
    "sprt": plan_of("seed004", RAISER, rounds=6, schedule="gauntlet", recover=True, sprt=Sprt(0, 100, 0.2, 0.2)),
}
HEADER = {"tengen": "0.1.0", "commit": "abc1234", "python": "3.11.7", "cpu": "A Chip", "begun": "2026-01-02T03:04:05Z"}


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """The tournament files by name."""
    folder = tmp_path_factory.mktemp("tournaments")
    for name, plan in PLANS.items():
        with create(folder / f"{name}.jsonl", plan, HEADER) as store:
            play_all(store)
    return {name: folder / f"{name}.jsonl" for name in PLANS}


@pytest.fixture(scope="session")
def pages(files):
    """The pages of the tournaments by name."""
    paths = {}
    for name, file in files.items():
        paths[name] = file.with_suffix(".html")
        report.write(file, paths[name], file.with_suffix(".md"))
    return paths


EVIL = "</script><script>alert(1)</script><b>& \udcff\x1b[2J $x_1$ \u202e"
CHINESE = "棋圣（第二版）"


@pytest.fixture
def evil_file(tmp_path):
    """A tournament between agents with hostile names, faults and thoughts."""
    path = tmp_path / "evil.jsonl"
    names = (EVIL, CHINESE)
    plan = Plan(
        tuple(AgentSpec(name, AGENTS / "raiser.py", {}) for name in names), plan_of(RAISER).terms,
        Schedule.ROUND_ROBIN, rounds=2, book=((),), recover=True,
    )  # fmt: skip
    with create(path, plan, {"cpu": EVIL}) as store:
        store.add(_evil_game(1, 0, 1))
    return path


def _evil_game(number, black, white):
    thought = {"depth": EVIL, "value": 1e300, "nodes": True, "more": [EVIL]}
    calls = (Call(1, 0, 1, 1, 0.02, 0.01, True, thought=thought), Call(1, 1, 1, 1, 0.02, 0.01, True))
    agent = AgentReport(EVIL, Loaded(0.1), 10.0)
    said = EVIL.encode("utf-8", "replace").decode()
    fault = Fault(FaultKind.RAISED, {"error": said}, said)
    return PlayedGame(
        number=number, black=black, white=white, result=Result(2, fault=fault), moves="1,1 0,0", seed=1,
        machine="here", started="2026-01-02T03:04:05Z", seconds=1.0,
        details=GameDetails(calls, (agent, agent), printed={"Black": EVIL, "White": EVIL}),
    )  # fmt: skip
