"""An agent's view of the program that calls the agent is the same in every host, with and without a sandbox.

docs/en/reference/agents-view.md has the same table beside what the site shows. The tables about the action space were
read off gym 0.18.3 under Python 3.7 with numpy 1.19.5. The site's own class has the same names.
"""

import copy
import json
import pickle
import sys
from pathlib import Path

import numpy
import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.setup import GameSetup
from local_runner.matches.run_log import run_log
from local_runner.processes.agent_side.action_space import Discrete
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
    "argv": ["run_log.py"], "name": "algo.mine.submission", "package": "algo.mine", "stdin": "nothing", "read": "",
    "files here": [], "encodings": ["utf-8", "utf-8", "utf-8"], "recursion limit": 1000, "threads": 1,
    "flags": [0, 0, 0, 0], "warnings": ["default", "ignore", "ignore", "ignore", "ignore"],
    "environment": ["PYTHONIOENCODING"],
}  # fmt: skip


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


@pytest.mark.parametrize("mode", [SandboxMode.AUTO, SandboxMode.OFF])
@pytest.mark.parametrize("host", ["match", "run-log"])
def test_every_host_shows_the_same(host, mode, agent, tmp_path, capsys, forgotten) -> None:
    """In the agent's own process, as most commands run it, and in run-log, which has one process."""
    spec, folder = parse_agent(str(agent)), tmp_path / "run"
    if host == "run-log":
        run_log(GameSetup("tictactoe_1v1", seed=1), (spec, parse_agent("greedy")), folder, mode)
        printed = capsys.readouterr().out
    else:
        with AgentProcess(spec, folder / "printed", AgentLimits(sandbox=mode)) as process:
            assert process.start().fault is None and process.act(EMPTY, 3, 3).fault is None
        printed = (folder / "printed").read_text()
    [line] = [line for line in printed.splitlines() if line.startswith("SEEN")]
    seen = json.loads(line[4:])
    in_this_process = (host, mode) == ("run-log", SandboxMode.OFF)
    users = {"encodings", "threads", "flags", "warnings", "environment", "read"} if in_this_process else set()
    assert {name: seen[name] for name in SEEN.keys() - users} == {name: SEEN[name] for name in SEEN.keys() - users}
    assert Path(seen["file"]).name == "submission.py" and str(agent.parent) not in seen["path"]
    assert sys.argv[1] == "--secret" and Path.cwd() != tmp_path
    if not in_this_process:
        hosts = "local_runner/processes"  # an editable install of tengen has other folders on every path
        assert not any(hosts in folder for folder in seen["path"])


# ---- the action space

# The public names of an instance: the same in gym 0.18.3 and in the site's utils/discrete.py with utils/space.py.
NAMES = {"contains", "dtype", "from_jsonable", "n", "np_random", "sample", "seed", "shape", "to_jsonable"}
# (n, seed) -> the first samples after seed(seed)
SAMPLES = {(5, 3): [3, 3, 1, 2, 2], (1, 3): [0, 0, 0, 0, 0], (15, 0): [0, 14, 6, 11, 13], (10, 7): [0, 0, 3, 8, 8],
           (225, 2**63): [62, 76, 138, 0, 32]}  # fmt: skip
# value -> whether it is in Discrete(5)
CONTAINED = [
    (0, True), (4, True), (5, False), (-1, False), (True, True), (2.0, False), ("2", False), (None, False),
    ([2], False), (numpy.int64(3), True), (numpy.uint8(4), True), (numpy.int8(-1), False), (numpy.int64(9), False),
    (numpy.array(3), True), (numpy.array([3]), False), (numpy.float64(3), False), (numpy.bool_(True), False),
    (numpy.add, False),
]  # fmt: skip


@pytest.mark.parametrize(("n", "seed"), SAMPLES)
def test_samples_of_a_seed(n, seed) -> None:
    """`sample` and numpy's generator `np_random` draw from one sequence, in any order of calls."""
    space, other, third = Discrete(n), Discrete(n), Discrete(n)
    assert [each.seed(seed) for each in (space, other, third)] == [[seed]] * 3
    assert [space.sample() for _ in range(5)] == SAMPLES[n, seed]
    assert [int(other.np_random.randint(n)) for _ in range(5)] == SAMPLES[n, seed]
    mixed = [third.sample(), third.sample(), int(third.np_random.randint(n)), third.sample(), third.sample()]
    assert mixed == SAMPLES[n, seed]


def test_contains() -> None:
    assert [(value, value in Discrete(5)) for value, _expected in CONTAINED] == CONTAINED


def test_names_values_types_and_copies() -> None:
    space = Discrete(5)
    assert {name for name in dir(space) if not name.startswith("_")} == NAMES and space.contains(numpy.int64(3))
    assert (space.n, space.shape, space.dtype, repr(space)) == (5, (), numpy.dtype("int64"), "Discrete(5)")
    assert type(space.sample()) is int and type(space.np_random) is numpy.random.RandomState
    assert (space.to_jsonable([1, 2]), space.from_jsonable([1, 2])) == ([1, 2], [1, 2])
    assert 0 <= space.seed()[0] < 2**64 and space.seed(2**64 + 5) == [5]
    assert (type(space).__name__, type(space)(3).n) == ("Discrete", 3)
    assert space == Discrete(5) and space != Discrete(4) and space != 5
    space.seed(3)
    for twin in (copy.deepcopy(space), pickle.loads(pickle.dumps(space))):
        assert twin == space and [twin.sample() for _ in range(5)] == SAMPLES[5, 3]


@pytest.mark.parametrize(("call", "error"), [
    (lambda: Discrete(-1), AssertionError), (lambda: Discrete(), TypeError), (lambda: hash(Discrete(5)), TypeError),
    (lambda: len(Discrete(5)), TypeError), (lambda: list(Discrete(5)), TypeError),
    (lambda: Discrete(5).seed(-1), ValueError), (lambda: Discrete(5).seed("3"), ValueError),
    (lambda: Discrete(5).seed(numpy.int64(3)), ValueError), (lambda: Discrete(0).sample(), ValueError),
])  # fmt: skip
def test_what_the_sites_class_refuses(call, error) -> None:
    with pytest.raises(error):
        call()


def test_without_numpy(monkeypatch) -> None:
    for name in ("numpy", "numpy.random"):
        monkeypatch.setitem(sys.modules, name, None)
    space = Discrete(5)
    assert (space.seed(3), [space.sample() for _ in range(5)]) == ([3], SAMPLES[5, 3])
    assert (3 in space, 2.0 in space, space.dtype) == (True, False, "int64")
