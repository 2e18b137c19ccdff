"""All 256 exit codes of an agent, as processes in each sandbox: each is a named loss, and never a traceback."""

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.faults import FaultKind, Reason
from local_runner.processes import sandbox
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import Kind
from local_runner.system.exit_codes import ExitCode
from tests.local_runner.processes.naughty import EMPTY, ON_LINUX, PATIENT, path_of

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ON_LINUX, reason="exit codes of sandboxes are Linux's")]
EXITS = "import os\ndef my_controller(observation, action_space, is_act_continuous=False):\n    os._exit({code})\n"


@pytest.mark.parametrize("kind", [Kind.BUBBLEWRAP, Kind.KERNEL], ids=lambda kind: kind.name.lower())
@pytest.mark.parametrize("codes", [range(start, start + 32) for start in range(0, 256, 32)], ids=str)
def test_every_code_in_every_sandbox(kind, codes, tmp_path, monkeypatch):
    if why := sandbox.why_not(kind):
        pytest.skip(f"NOT TESTED: {why}")
    monkeypatch.setattr(sandbox, "best", lambda: kind)
    for code in codes:
        path = tmp_path / f"exits{code}.py"
        path.write_text(EXITS.format(code=code))
        with AgentProcess(parse_agent(str(path)), tmp_path / "out.txt", PATIENT) as agent:
            agent.start()
            fault = agent.act(EMPTY, 3, 3).fault
        signal = code - 128 if kind is Kind.BUBBLEWRAP and 129 <= code <= 192 else None
        expected = (FaultKind.EXITED, code) if signal is None else (FaultKind.KILLED, signal)
        assert (fault.kind, fault.fields.get("code", fault.fields.get("number"))) == expected
        assert fault.reason is Reason.CRASH


@pytest.mark.parametrize("code", [0, 1, 2, 128, 129, 137, 192, 193, 254, 255])
@pytest.mark.parametrize(
    "command",
    [
        ("match", "A", "B", "--games", "1"),
        ("check", "A", "--quick"),
        ("run-log", "--black", "A", "--white", "B"),
        ("tournament", "A", "B", "--rounds", "1", "--jobs", "1", "--quiet", "--recover", "--out", "D"),
        ("sprt", "A", "B", "--rounds", "1", "--jobs", "1", "--quiet", "--recover", "--out", "D"),
        ("bench", "latency", "A", "--calls", "3", "--load", "alone"),
    ],
    ids=lambda command: "-".join(part for part in command[:1]),
)
def test_codes_in_every_command(command, code, tmp_path, tengen):
    agent = tmp_path / "exits.py"
    agent.write_text(EXITS.format(code=code))
    names = {"A": agent, "B": path_of("first_free"), "D": tmp_path / "games.db"}
    game = () if command[0] == "bench" else ("--env", "tictactoe_1v1")
    ended, out, err = tengen(*(names.get(part, part) for part in command), *game)
    assert "Traceback" not in out + err
    assert ended in (ExitCode.CLEAN, ExitCode.FAULT), err
    if command[0] == "tournament":  # it can be continued, and its games are all there
        ended, out, err = tengen("tournament", "--resume", tmp_path / "games.db", "--quiet")
        assert (ended, "Traceback" in out + err) == (ExitCode.CLEAN, False)


@pytest.mark.parametrize("code", [129, 255])
def test_codes_in_play(code, tmp_path, play):
    agent = tmp_path / "exits.py"
    agent.write_text(EXITS.format(code=code))
    ended, out = play(str(agent), "--env", "tictactoe_1v1", "--colour", "white", typed=["quit"])
    assert ended == ExitCode.FAULT and "Traceback" not in out
