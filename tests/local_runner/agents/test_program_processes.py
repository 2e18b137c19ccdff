"""Programs of others as real processes, by each protocol: every fault has its name, and a program plays and ends.

What counts as a wrong answer is in test_programs.py and test_reversi_programs.py.
"""

import shutil
import sys
from pathlib import Path

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.faults import FaultKind
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.game.wording import fault_text
from local_runner.processes.child import AgentLimits
from local_runner.processes.process import AgentProcess

SPECIMENS = Path(__file__).parents[1] / "specimens"
PROGRAMS = {  # protocol -> the specimen, and its game
    "gomocup": ("brain.py", "gobang_1v1"),
    "gtp": ("reversi_engine.py", "reversi_8x8_1v1"),
}
LIMITS = AgentLimits(seconds=0.5, margin=0.3, memory_mb=150, load_seconds=5)
OTHER_LIMITS = {  # mode -> limits; filling memory takes seconds on a busy machine
    "slow start": AgentLimits(seconds=0.5, margin=0.3, memory_mb=150, load_seconds=1.5),
    "big": AgentLimits(seconds=10, margin=0.3, memory_mb=150, load_seconds=5),
}
BRAIN, REVERSI = ["gomocup"], ["gtp"]
FAULTS = [
    (BRAIN, "off", FaultKind.ENGINE_ANSWER, "broke its protocol: answered 'BEGIN' with '77,3'"),
    (REVERSI, "off", FaultKind.ENGINE_ANSWER, "no cell of the board"),
    (BRAIN, "floods", FaultKind.ENGINE_ANSWER, "without an answer"),
    (BRAIN, "dead", FaultKind.ENGINE_ENDED, "ended with exit code 4 after 'START 15'"),
    (REVERSI, "dead", FaultKind.ENGINE_ENDED, "ended with exit code 4"),
    (BRAIN, "dies", FaultKind.ENGINE_ENDED, "ended with exit code 3 after 'BEGIN'"),
    (REVERSI, "dies", FaultKind.ENGINE_ENDED, "ended with exit code 3"),
    (PROGRAMS, "silent", FaultKind.NO_ANSWER, "of 0.5 s; killed"),
    (PROGRAMS, "late", FaultKind.NO_ANSWER, "of 0.5 s; killed"),
    (PROGRAMS, "slow start", FaultKind.NO_ANSWER, "of 1.5 s; killed"),
    (BRAIN, "big", FaultKind.KILLED_TOO_LARGE, "MB of 150 MB; killed"),
]
pytestmark = pytest.mark.slow


def started(protocol, mode, folder, limits=LIMITS):
    """An agent that is a specimen in one of its modes, in a folder of its own."""
    file, _env = PROGRAMS[protocol]
    home = folder / "engine"
    home.mkdir()
    shutil.copy(SPECIMENS / file, home)
    spec = parse_agent(f"{protocol}:{sys.executable} {home / file} {mode!r}")
    return AgentProcess(spec, folder / "printed", limits)


def asked(agent, protocol, cells=()):
    """The reply of an agent, Black, after these moves."""
    game = GameSession(GameSetup(PROGRAMS[protocol][1]), cells=cells)
    return agent.act(game.observations[0], game.env.board_height, game.env.board_width)


@pytest.mark.parametrize(("protocol", "mode", "kind", "said"),
                         [(each, *row[1:]) for row in FAULTS for each in row[0]])  # fmt: skip
def test_every_fault_has_its_name(protocol, mode, kind, said, tmp_path):
    with started(protocol, mode, tmp_path, OTHER_LIMITS.get(mode, LIMITS)) as agent:
        fault = agent.start().fault or asked(agent, protocol).fault
    assert fault is not None and (fault.kind, said in fault_text(fault)) == (kind, True), fault_text(fault)


@pytest.mark.parametrize("mode", ["plain", "stays"])
def test_a_brain_plays_and_ends(mode, tmp_path):
    with started("gomocup", mode, tmp_path) as agent:
        assert agent.start().fault is None
        reply = asked(agent, "gomocup")
        assert (reply.cell, reply.fault) == ((0, 0), None)
        assert reply.thought["depth"] == 3 and reply.thought["pv"] == [[7, 7], [6, 7]]
        assert asked(agent, "gomocup", [(0, 0), (0, 1)]).cell == (0, 2)


def test_an_engine_plays_and_ends(tmp_path):
    with started("gtp", "plain", tmp_path) as agent:
        assert agent.start().fault is None
        assert asked(agent, "gtp").cell == (2, 3)
        assert (asked(agent, "gtp", [(2, 3)]).fault, agent.report().peak_mb < 150) == (None, True)
