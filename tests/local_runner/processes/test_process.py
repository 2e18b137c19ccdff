"""One agent's process: its replies, its report, and its end with the runner, however the runner ends."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.faults import FaultKind
from local_runner.processes import procfs
from local_runner.processes.agent_side import loading
from local_runner.processes.child import MAX_REPLY, reply_body
from local_runner.processes.process import AgentProcess
from tests.local_runner.processes.naughty import EMPTY, ON_LINUX, PATIENT, agent, ended, path_of, started, written

ROOT = Path(__file__).parents[3]
UNLIMITED = ("--env", "tictactoe_1v1", "--no-limits", "--processes")


@pytest.mark.parametrize(("data", "reply"), [
    (b"", None), (b"7", None), (b'7 {"a": 1}', None), (b'7 {"a": 1}\n', b'{"a": 1}'), (b"x", ValueError),
    (b'6 {"a": 1}\n', ValueError), (b'77 {"a": 1}\n', ValueError), (b'7 {"a": 1}\nx', ValueError),
    (b"7 " + b"x" * MAX_REPLY, ValueError),
], ids=lambda value: str(value)[:20])  # fmt: skip
def test_a_reply_is_believed_when_it_is_whole(data, reply):
    with pytest.raises(ValueError) if reply is ValueError else contextlib.nullcontext():
        assert reply_body(data, 7) == reply


def test_an_agent_is_loaded_once_and_answers(tmp_path):
    with agent("first_free", tmp_path) as first:
        first.close()  # also before it was started
        loaded = first.start()
        assert first.start() is loaded
        assert loaded.fault is None
        assert loaded.python == ".".join(map(str, sys.version_info[:3]))
        assert 0 < loaded.seconds < PATIENT.load_seconds and 5 < loaded.rss_mb < 50
        reply = first.act(EMPTY, 3, 3)
        first.close()  # and again at the end of the block
    assert (reply.cell, reply.fault, reply.bad_form) == ((0, 0), None, None)
    assert 0 < reply.cpu < 0.5 and 0 < reply.seconds < PATIENT.seconds


def test_an_agent_outlives_the_thread_that_started_it(mode, tmp_path):
    with agent("first_free", tmp_path, replace(PATIENT, sandbox=mode)) as first:
        thread = threading.Thread(target=first.start)
        thread.start()
        thread.join()
        assert first.start().fault is None and first.act(EMPTY, 3, 3).fault is None


def test_thoughts_come_along_if_they_are_json(tmp_path):
    with agent("thinker", tmp_path) as thinker:
        thinker.start()
        assert [thinker.act(EMPTY, 3, 3).thought for _ in range(3)] == [{"depth": 1}, {"depth": 2}, None]


def test_the_seed_repeats_the_moves(tmp_path):
    def moves(seed):
        with AgentProcess(parse_agent("random"), tmp_path / "out.txt", PATIENT, seed=seed) as player:
            player.start()
            return [player.act(EMPTY, 3, 3).cell for _ in range(12)]

    assert moves(1) == moves(1) != moves(2)


def test_the_agents_own_python(kind, tmp_path, python37):
    for name in ("tengen:engine=scorer", "seed004", "greedy", "random"):
        with AgentProcess(parse_agent(name), tmp_path / "out.txt", python=python37) as agent37:
            assert agent37.start().python.startswith("3.7."), (tmp_path / "out.txt").read_text()
            assert agent37.act(EMPTY, 3, 3).fault is None


@pytest.mark.skipif(not ON_LINUX, reason="only Linux lets processes be pinned")
def test_an_agent_stays_on_its_core(tmp_path):
    core = max(os.sched_getaffinity(0))
    with started(tmp_path, "print(os.sched_getaffinity(0), flush=True)", core=core) as process:
        process.act(EMPTY, 3, 3)
    assert (tmp_path / "out.txt").read_text() == f"{{{core}}}\n"


HIDES = "subprocess.Popen(['sleep', '3600'], env={}, start_new_session=True)"  # no variable and no session tells whose


@pytest.fixture
def hidden(monkeypatch, tmp_path):
    """A match whose agent thinks and has a process in a session of its own; the runner and all processes below."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # a killed runner cannot clear up its folders
    agents = [written(tmp_path, f"{HIDES}\nprint('hidden', flush=True); import time; time.sleep(3600)"),
              path_of("first_free")]  # fmt: skip
    command = [sys.executable, "-m", "local_runner", "match", *agents, *UNLIMITED]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as runner:
        while not any(path.read_text() == "hidden\n" for path in tmp_path.rglob("*.txt")):
            time.sleep(0.02)
        yield runner, list(procfs.descendants(runner.pid))
        runner.kill()  # a failed test must not leave a runner without limits behind


@pytest.mark.slow
@pytest.mark.skipif(not ON_LINUX, reason="looks processes up in /proc")
@pytest.mark.parametrize("mark", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_no_runners_end_leaves_what_an_agent_has_hidden(mark, hidden, tmp_path):
    runner, pids = hidden
    assert len(pids) >= 5  # two agents with a guard each, and the hidden process
    runner.send_signal(mark)
    said, _ = runner.communicate(timeout=20)
    assert ended(pids)
    if mark != signal.SIGKILL:
        assert sorted(path.name for path in tmp_path.iterdir()) == ["written.py"]
    if mark == signal.SIGINT:
        assert runner.returncode == 130 and "was interrupted" in said and "Traceback" not in said


@pytest.mark.usefixtures("forgotten")
class TestLoading:
    """Agents loaded into this process, as `tengen run-log` does."""

    def test_names(self):
        names = {"/a/my_agent/submission.py": "my_agent", "/a/my-agent 2/submission.py": "my_agent_2",
                 "/a/my_agent/other.py": "other", "/submission.py": "agent"}  # fmt: skip
        assert {path: loading.module_name(path) for path in names} == names

    @pytest.mark.parametrize("init", [True, False], ids=["a package", "a plain folder"])
    def test_as_on_the_platform(self, init, tmp_path):
        folder = tmp_path / "mine"
        (folder / "parts").mkdir(parents=True)
        (folder / "parts" / "deep.py").write_text("from ..shallow import VALUE\n")
        (folder / "shallow.py").write_text("VALUE = 5\n")
        if init:
            (folder / "__init__.py").write_text("READY = True\n")
        path = folder / "submission.py"
        path.write_text(
            "from .parts.deep import VALUE\nimport algo.mine.shallow as other\ndef my_controller(o): pass\n"
        )
        module = loading.load_agent(str(path), "mine", {})
        assert (module.__name__, module.__package__) == ("algo.mine.submission", "algo.mine")
        assert (module.VALUE, module.other.VALUE, module.__file__) == (5, 5, str(path)) and str(folder) not in sys.path
        assert getattr(sys.modules["algo.mine"], "READY", False) is init

    @pytest.mark.parametrize(("option", "kind"), [
        ("answers", FaultKind.UNKNOWN_OPTION), ("answer", FaultKind.OPTION_REFUSED),
    ])  # fmt: skip
    def test_options_that_are_refused(self, option, kind):
        with pytest.raises(loading.Unusable) as refused:
            loading.load_agent(path_of("answering"), "answering", {option: "unknown"})
        assert FaultKind(refused.value.kind) is kind
