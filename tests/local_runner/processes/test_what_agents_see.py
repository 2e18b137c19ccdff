"""An agent's view of the program that calls the agent is the same in every host, with and without a sandbox.

docs/en/explanation/trust.md has the same table beside what the site shows.
"""

import json
import sys
from pathlib import Path

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.setup import GameSetup
from local_runner.matches.run_log import run_log
from local_runner.processes.child import AgentLimits
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode
from tests.local_runner.processes.naughty import EMPTY

ROOT = Path(__file__).resolve().parents[3]
PROBE = """\
import argparse, json, locale, os, sys, threading, warnings
argparse.ArgumentParser().parse_args()
try:
    typed = input()
except EOFError:
    typed = "nothing"
print("SEEN" + json.dumps({
    "argv": sys.argv, "name": __name__, "package": __package__, "file": __file__, "stdin": typed,
    "read": os.read(0, 100).decode(), "files here": os.listdir("."),
    "encodings": [sys.stdout.encoding, locale.getpreferredencoding(False).lower(), sys.getfilesystemencoding()],
    "recursion limit": sys.getrecursionlimit(), "threads": threading.active_count(),
    "flags": [sys.flags.optimize, sys.flags.isolated, sys.flags.no_site, sys.flags.bytes_warning],
    "warnings": [kind[0] for kind in warnings.filters], "path": sys.path,
    "environment": sorted(name for name in os.environ if name.startswith(("PYTHON", "LC_A", "LANG"))),
}), flush=True)
def my_controller(observation, action_space, is_act_continuous=False):
    rows, columns = action_space
    state = observation["state_map"]
    row, column = next(
        (row, column) for row in range(rows.n) for column in range(columns.n)
        if state[row][column][0] == 0 and row in rows and column in columns
    )
    assert rows == type(rows)(rows.n) and rows.dtype is not None and rows.sample() in rows
    return [[int(i == at) for i in range(space.n)] for at, space in ((row, rows), (column, columns))]
"""
SEEN = {
    "argv": ["run_log.py"],
    "name": "algo.mine.submission",
    "package": "algo.mine",
    "stdin": "nothing",
    "read": "",
    "files here": [],
    "encodings": ["utf-8", "utf-8", "utf-8"],
    "recursion limit": 1000,
    "threads": 1,
    "flags": [0, 0, 0, 0],
    "warnings": ["default", "ignore", "ignore", "ignore", "ignore"],
    "environment": ["PYTHONIOENCODING"],
}


@pytest.fixture
def agent(tmp_path, monkeypatch):
    """The probe. The user's own environment and arguments differ from the site's as much as they can."""
    for name, value in {"PYTHONOPTIMIZE": "1", "PYTHONWARNINGS": "error", "PYTHONPATH": str(ROOT), "LC_ALL": "C",
                        "LANGUAGE": "zh_CN", "PYTHONSTARTUP": "/nowhere"}.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "argv", ["tengen", "--secret", str(tmp_path)])
    path = tmp_path / "mine" / "submission.py"
    path.parent.mkdir()
    path.write_text(PROBE)
    return path


def printed(host, agent, folder, mode, capsys):
    """The output of the agent in its own process, as most commands run it, or in run-log, which has one process."""
    if host == "run-log":
        run_log(GameSetup("tictactoe_1v1", seed=1), (parse_agent(str(agent)), parse_agent("greedy")), folder, mode)
        return capsys.readouterr().out
    with AgentProcess(parse_agent(str(agent)), folder / "printed", AgentLimits(sandbox=mode)) as process:
        assert process.start().fault is None and process.act(EMPTY, 3, 3).fault is None
    return (folder / "printed").read_text()


@pytest.mark.parametrize("mode", [SandboxMode.AUTO, SandboxMode.OFF])
@pytest.mark.parametrize("host", ["match", "run-log"])
def test_every_host_shows_the_same(host, mode, agent, tmp_path, capsys, forgotten) -> None:
    lines = printed(host, agent, tmp_path / "run", mode, capsys).splitlines()
    [line] = [line for line in lines if line.startswith("SEEN")]
    seen = json.loads(line[4:])
    in_this_process = (host, mode) == ("run-log", SandboxMode.OFF)
    not_ours = set() if not in_this_process else {"encodings", "threads", "flags", "warnings", "environment", "read"}
    assert {name: seen[name] for name in SEEN if name not in not_ours} == {
        name: value for name, value in SEEN.items() if name not in not_ours
    }
    assert Path(seen["file"]).name == "submission.py" and str(agent.parent) not in seen["path"]
    assert sys.argv[1] == "--secret" and Path.cwd() != tmp_path
    if not in_this_process:
        hosts = "local_runner/processes"  # an editable install of tengen has other folders on every path
        assert not any(hosts in folder for folder in seen["path"])
