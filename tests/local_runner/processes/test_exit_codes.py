"""Exit codes and signals of an agent in each sandbox, and in every command: a named loss, and never a traceback.

`make slow` tries a few codes; `make long TESTS=tests/local_runner/processes/test_exit_codes.py` tries all 256.
"""

import re
import signal
from dataclasses import replace

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.faults import FaultKind, Reason
from local_runner.game.wording import fault_text, result_text
from local_runner.matches import games as store
from local_runner.processes import interpreters, sandbox
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode
from local_runner.system.exit_codes import ExitCode
from tests.local_runner.processes.naughty import EMPTY, ON_LINUX, PATIENT, path_of

pytestmark = pytest.mark.skipif(not ON_LINUX, reason="exit codes of sandboxes are Linux's")
EXITS = "import os\ndef my_controller(observation, action_space, is_act_continuous=False):\n    {ends}\n"
FEW, ALL = pytest.param((0, 137, 255), marks=pytest.mark.slow), pytest.param(range(256), marks=pytest.mark.long)
GAME = ("--env", "tictactoe_1v1")
MANY = ("--jobs", "1", "--rounds", "1", "--recover", "--out", "D", "--quiet")
# A: the agent, B: its opponent, D: the file of a tournament.
COMMANDS = {
    "match": ("match", "A", "B", *GAME, "--games", "1", "--quiet"),
    "run-log": ("run-log", "--black", "A", "--white", "B", *GAME),
    "check": ("check", "A", *GAME, "--quick"),
    "tournament": ("tournament", "A", "B", *GAME, *MANY),
    "sprt": ("sprt", "A", "B", *GAME, *MANY),
    "latency": ("bench", "latency", "A", *GAME, "--against", "B", "--calls", "1", "--quiet"),
    "speed": ("bench", "speed", "A", "--quick", "--quiet"),
}


@pytest.fixture(params=sandbox.KINDS, ids=lambda kind: type(kind).__name__)
def kind(request, monkeypatch):
    if why := request.param.why_not():
        pytest.skip(f"NOT TESTED: {why}")
    monkeypatch.setattr(sandbox, "best", lambda: request.param)
    return request.param


@pytest.fixture
def mode(kind):
    return SandboxMode.OFF if kind is sandbox.NONE else SandboxMode.ON


def written(folder, ends):
    agent = folder / f"exits{len(list(folder.iterdir()))}.py"  # a new name: Python keeps what it compiled
    agent.write_text(EXITS.format(ends=ends))
    return str(agent)


def fault_of(ends, mode, folder):
    """The fault of an agent that ends itself so in its call."""
    spec, limits = parse_agent(written(folder, ends)), replace(PATIENT, sandbox=mode)
    with AgentProcess(spec, folder / "out.txt", limits) as agent:
        agent.start()
        return agent.act(EMPTY, 3, 3).fault


@pytest.mark.parametrize("codes", [FEW, ALL], ids=["few", "all"])
def test_every_code_of_a_process(mode, codes, tmp_path):
    for code in codes:
        fault = fault_of(f"os._exit({code})", mode, tmp_path)
        assert (fault.kind, fault.fields.get("code")) == (FaultKind.EXITED, code)
        assert fault.reason is Reason.CRASH


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_to_itself_is_named(mode, number, tmp_path):
    fault = fault_of(f"os.kill(os.getpid(), {number:d})\n    import time; time.sleep(5)", mode, tmp_path)
    assert f"was killed by signal {number:d}" in fault_text(fault)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_code_in_every_command(kind, mode, name, tmp_path, tengen, monkeypatch):
    """137 is what a shell says of a killed program."""
    monkeypatch.setattr(interpreters, "find_python37", lambda: None)  # one Python is enough, and quicker
    if name == "run-log" and kind is sandbox.NONE:
        pytest.skip("the agents are in the process of tengen, as on the site")
    words = {"A": written(tmp_path, "os._exit(137)"), "B": path_of("first_free"), "D": "games.jsonl"}

    def run(*command):
        ended, out, err = tengen(*(words.get(word, word) for word in command), "--sandbox", mode.value)
        assert "Traceback" not in out + err, (command, out, err)
        return ended, re.sub(r"\s+", " ", out + err)

    ended, said = run(*COMMANDS[name])
    if name in ("tournament", "sprt"):  # such games only count, and the file can be continued
        assert ended == ExitCode.CLEAN, said
        said = " ".join(result_text(game.result) for game in store.read(tmp_path / "games.jsonl"))
        if name == "tournament":
            assert run("tournament", "--resume", "D", "--quiet")[0] == ExitCode.CLEAN
    else:
        assert ended == (ExitCode.USAGE if name == "speed" else ExitCode.FAULT), said
    assert re.search(r"exited with code 137\b", said), said
