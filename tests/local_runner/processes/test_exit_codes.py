"""Exit codes of an agent in each sandbox, in every command and on the page: a named loss, and never a traceback.

`make slow` tries a few codes; `make long TESTS=tests/local_runner/processes/test_exit_codes.py` tries all 256, which
takes about an hour.
"""

import json
import os
import re
from dataclasses import replace

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.faults import FaultKind, Reason
from local_runner.game.wording import result_text
from local_runner.matches import games as store
from local_runner.processes import interpreters, sandbox
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import Kind, SandboxMode
from local_runner.system.exit_codes import ExitCode
from tests.local_runner.processes.naughty import EMPTY, ON_LINUX, PATIENT, path_of
from tests.local_runner.server.pages import HUMAN, Visit
from tests.serving import Serving

pytestmark = pytest.mark.skipif(not ON_LINUX, reason="exit codes of sandboxes are Linux's")
EXITS = "import os\ndef my_controller(observation, action_space, is_act_continuous=False):\n    os._exit({code})\n"
FEW = (0, 137, 255)
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


@pytest.fixture(params=[Kind.BUBBLEWRAP, Kind.KERNEL, Kind.NONE], ids=lambda kind: kind.name.lower())
def kind(request, monkeypatch):
    if request.param is not Kind.NONE and (why := sandbox.why_not(request.param)):
        pytest.skip(f"NOT TESTED: {why}")
    monkeypatch.setattr(sandbox, "best", lambda: request.param)
    return request.param


@pytest.fixture(
    params=[
        pytest.param(FEW, marks=pytest.mark.slow, id="few"),
        *(
            pytest.param(range(start, start + 32), marks=pytest.mark.long, id=f"{start} on")
            for start in range(0, 256, 32)
        ),
    ]
)
def codes(request, kind):
    if kind is Kind.NONE and request.param is not FEW and request.function is not test_every_code_of_a_process:
        pytest.skip("without a sandbox a code means itself, which the test of a process shows")
    return request.param


@pytest.fixture
def mode(kind):
    return SandboxMode.OFF if kind is Kind.NONE else SandboxMode.ON


def is_named(text, code):
    return re.search(rf"exited with code {code}\b", text)


def written(folder, code):
    agent = folder / f"exits{code}.py"
    agent.write_text(EXITS.format(code=code))
    return agent


def test_every_code_of_a_process(kind, mode, codes, tmp_path):
    for code in codes:
        spec, limits = parse_agent(str(written(tmp_path, code))), replace(PATIENT, sandbox=mode)
        with AgentProcess(spec, tmp_path / "out.txt", limits) as agent:
            agent.start()
            fault = agent.act(EMPTY, 3, 3).fault
        assert (fault.kind, fault.fields.get("code")) == (FaultKind.EXITED, code)
        assert fault.reason is Reason.CRASH


@pytest.mark.parametrize("name", COMMANDS)
def test_every_code_in_every_command(kind, mode, name, codes, tmp_path, tengen, monkeypatch):
    monkeypatch.setattr(interpreters, "find_python37", lambda: None)  # one Python is enough, and quicker
    if name == "run-log" and kind is Kind.NONE:
        pytest.skip("the agents are in the process of tengen, as on the site")
    for code in codes:
        folder = tmp_path / str(code)
        folder.mkdir()
        os.chdir(folder)
        words = {"A": written(folder, code), "B": path_of("first_free"), "D": "games.jsonl"}

        def run(*command, words=words):
            ended, out, err = tengen(*(words.get(word, word) for word in command), "--sandbox", mode.value)
            assert "Traceback" not in out + err, (command, out, err)
            return ended, re.sub(r"\s+", " ", out + err)

        ended, said = run(*COMMANDS[name])
        if name in ("tournament", "sprt"):  # such games only count, and the file can be continued
            assert ended == ExitCode.CLEAN, (code, said)
            kept = store.read(folder / "games.jsonl")
            said = " ".join(result_text(game.result) for game in kept)
            if name == "tournament":
                assert run("tournament", "--resume", "D", "--quiet")[0] == ExitCode.CLEAN, code
        else:
            assert ended == (ExitCode.USAGE if name == "speed" else ExitCode.FAULT), (code, said)
        assert is_named(said, code), (code, said)


def test_every_code_in_play(kind, mode, codes, tmp_path, play):
    for code in codes:
        agent = str(written(tmp_path, code))
        ended, out = play(agent, *GAME, "--colour", "white", "--sandbox", mode.value, typed=["quit"])
        assert ended == ExitCode.FAULT and is_named(re.sub(r"\s+", " ", out), code), out
        assert "Traceback" not in out


def test_every_code_on_the_page(kind, mode, codes, tmp_path, monkeypatch):
    """An agent that exits with each code, as a player and in a check. After each exit the page can begin a new game."""
    if kind is Kind.KERNEL:
        monkeypatch.setenv("PATH", str(tmp_path))  # without bubblewrap
    with Serving(tmp_path, "--sandbox", mode.value) as serving, Visit(serving.address).page() as page:
        visit = Visit(serving.address)
        for code in codes:
            source = EXITS.format(code=code).encode()
            page.begin("tictactoe_1v1", {"kind": "upload", "upload": visit.upload(source, f"exits{code}.py")}, HUMAN)
            state = page.until(lambda each: each["result"])
            assert state["moves"]["winner"] == 2 and is_named(state["result"], code), state["result"]
            if code in FEW:  # the check itself is the one of the command
                page.follow(type="check", upload=visit.upload(source, f"exits{code}.py"))
                report = page.hear("checked", lambda answer: answer["finished"])
                assert report["ready"] is False and is_named(json.dumps(report["findings"]), code)
            assert page.begin()["moves"]["moves"] == []
            assert not any("Traceback" in line for line in serving.log)
