"""The fault of each agent that misbehaves, in each kind of sandbox and without one, and how the runner finds it."""

import os
import re
import signal
import threading
from dataclasses import replace

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.codec import ToldResult, as_json, result_from
from local_runner.game.faults import Fault, FaultKind, Reason
from local_runner.game.records import NOBODY, Reply, Result
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.game.wording import fault_text, result_text
from local_runner.processes import child, procfs
from local_runner.processes.child import MOST_WAITED, Stopwatch
from local_runner.processes.host_process import fault_of_code
from local_runner.processes.process import AgentProcess
from local_runner.processes.procfs import Turns
from local_runner.processes.sandbox import SandboxMode
from local_runner.system import files
from tests.local_runner.processes.naughty import EMPTY, MANY, ON_LINUX, PATIENT, QUICK, Family, agent, play, started

LATE = replace(QUICK, margin=20.0)
FORKS = "if os.fork() == 0"
TABLE = "sys.table = getattr(sys, 'table', None) or bytearray(b'x') * (80 << 20)"
WANDERS = """
import io, signal, threading, time
os.chdir('/'); signal.signal(signal.SIGINT, signal.SIG_DFL); sys.stdout = io.StringIO()
threading.Thread(target=time.sleep, args=(3600,)).start()
"""
EMPTIES = """
cell = answer(observation, action_space)
observation.clear()
observation["state_map"] = "mine"
return cell
"""
# Action of an agent in its call, its limits, and the text of the fault by which it loses; "": it plays on.
VERDICTS = {
    "it exits": ("os._exit(5)", PATIENT, "exited with code 5"),
    "it exits as a killed program": ("os._exit(137)", PATIENT, "exited with code 137"),
    "it ends itself": ("os.kill(os.getpid(), 15)", PATIENT, "was killed by signal 15"),
    "it kills itself": ("os.kill(os.getpid(), 9)\nimport time; time.sleep(5)", PATIENT, "was killed by signal 9"),
    "it is large and ends": ("bytearray(b'x') * (200 << 20)\nos._exit(3)", PATIENT, r"used \d+ MB of 120 MB; killed"),
    "it is late": ("import time; time.sleep(0.6)", LATE, r"took \d\.\d+ s of 0\.5 s \(\d+\.\d+ s on the runner's"),
    "it does not answer": ("import time; time.sleep(60)", QUICK, r"gave no answer within \d\.\d+ s of 0\.5 s; killed"),
    "it wanders": (WANDERS, PATIENT, ""),
    "it empties the dict around the board": (EMPTIES, PATIENT, ""),
    "its processes go on": (f"{FORKS} and os.fork() == 0: import time; time.sleep(3600)", MANY, ""),
    "it leaves a process": (f"{FORKS}: import time; time.sleep(3600)\nos._exit(0)", MANY, "exited with code 0"),
    "its process is large": (f"{FORKS}:\n    pile = bytearray(b'x') * (200 << 20)\n    import time; time.sleep(60)\n"
                             "os.wait()", MANY, r"used \d+ MB of 120 MB; killed"),
    # Linux does not limit root's processes, so the runner counts these.
    "it starts many processes": (f"for _ in range(300):\n    {FORKS}: import time; time.sleep(600)\n"
                                 "import time; time.sleep(1)", replace(MANY, memory_mb=5000),
                                 r"had \d+ threads, of 256|raised BlockingIOError"),
    "its processes share a table": (f"{TABLE}\nfor _ in range(8):\n    {FORKS}: import time; time.sleep(60)\n"
                                    "import time; time.sleep(0.2)", MANY, ""),
}  # fmt: skip
SLOW = {"it is late", "it does not answer", "its process is large"}
on_linux = pytest.mark.skipif(not ON_LINUX, reason="memory and left-over processes are looked up in /proc")


@on_linux
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in VERDICTS]
)
def test_a_verdict(mode, name, tmp_path, monkeypatch):
    body, limits, sentence = VERDICTS[name]
    family = Family(monkeypatch)
    with started(tmp_path, body, replace(limits, sandbox=mode)) as process:
        found = [process.act(EMPTY, 3, 3).fault for _ in range(2)]
    if sentence:
        assert re.match(sentence, fault_text(found[0])), found
        assert limits is LATE or fault_text(found[1]) == "has ended" or "raised" in sentence
    else:
        assert found == [None, None]
    assert family.settled(0)


@on_linux
@pytest.mark.parametrize(("codes"), [pytest.param((0, 137, 255), marks=pytest.mark.slow, id="few"),
                                     pytest.param(range(256), marks=pytest.mark.long, id="all")])  # fmt: skip
def test_every_exit_code(mode, codes, tmp_path):
    for code in codes:
        with started(tmp_path, f"os._exit({code})", replace(PATIENT, sandbox=mode), f"exits{code}") as process:
            fault = process.act(EMPTY, 3, 3).fault
        assert (fault.kind, fault.fields.get("code")) == (FaultKind.EXITED, code)


@on_linux
@pytest.mark.parametrize("top", ["import a_library_nobody_has", pytest.param("import time\ntime.sleep(60)",
                                                                             marks=pytest.mark.slow)])  # fmt: skip
def test_a_verdict_on_an_import(top, tmp_path):
    (tmp_path / "agent.py").write_text(top)
    limits = replace(QUICK, load_seconds=0.4) if "sleep" in top else PATIENT
    with AgentProcess(parse_agent(str(tmp_path / "agent.py")), tmp_path / "out.txt", limits) as process:
        said = fault_text(process.start().fault)
    assert said.startswith("raised ModuleNotFoundError") or re.match(r"gave no answer within \d\.\d+ s of 0\.4 s", said)


@on_linux
@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_kill_from_outside(mode, number, tmp_path):
    """The runner can tell SIGKILL from an agent's own signals, if the agent has a sandbox."""
    body = "import time; print(flush=True); time.sleep(60)"
    with started(tmp_path, body, replace(PATIENT, sandbox=mode)) as own:
        timer = threading.Timer(0.2, lambda: os.kill(own.processes()[0], number))
        timer.start()
        fault = own.act(EMPTY, 3, 3).fault
        timer.join()
    told = number == signal.SIGKILL and mode is SandboxMode.ON
    assert fault.kind is (FaultKind.KILLED_OUTSIDE if told else FaultKind.KILLED) and fault.fields["number"] == number


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "reason"), [("nothing", Reason.BAD_SHAPE), ("short", Reason.BAD_SHAPE), ("zeros", Reason.RULES)]
)
def test_off_turn_only_lengths_count(answer, reason, tmp_path):
    record = play("first_free", f"answering:answer={answer},turn=off", tmp_path)
    assert record.result.reason is reason
    assert reason is Reason.RULES or (record.result.loser, record.calls[-1].turn) == (1, False)


def test_without_limits_nothing_is_too_slow_or_too_big(tmp_path):
    limits = replace(PATIENT, seconds=0.01, margin=0.01, memory_mb=1, load_seconds=0.001, enforced=False)
    with started(tmp_path, "bytearray(b'x') * (200 << 20)", limits) as spiker:
        assert spiker.act(EMPTY, 3, 3).fault is None
        assert 200 < spiker.report().peak_mb < 300


def test_all_that_is_printed_is_kept(tmp_path):
    with agent("printer", tmp_path) as printer:
        printer.start()
        for _ in range(5):
            printer.act(EMPTY, 3, 3)
        report = printer.report()
    text = printer.output.read_text("utf-8")
    assert text.startswith("loaded\n思考..")
    assert text.count("warning\n") == text.count("思考") == 5
    assert report.printed_bytes == len(text.encode()) > 5_000_000


def test_every_exit_code_and_signal_is_a_fault_with_a_text():
    for code in range(-64, 256):
        fault = fault_of_code(code)
        assert fault.kind is (FaultKind.KILLED if code < 0 else FaultKind.EXITED)
        assert fault.fields.get("code", fault.fields.get("number")) == abs(code) and str(abs(code)) in fault_text(fault)


POLL = (0.02, 0.0)
# The polls of a call (seconds, seconds of the runner's wait for a core); CPU seconds of the agent; the
# turns of its threads; the seconds of the call; whether a call with a limit of 1 s is over.
CALLS = {
    "short": ([POLL] * 5, 0.1, [(0.1, 0.0)], 0.1, False),
    "late": ([POLL] * 60, 0.0, [(0.0, 0.0)], 1.2, True),
    "a short gap counts": ([(0.09, 0.0), POLL], 0.0, [(0.0, 0.0)], 0.11, False),
    "Ctrl-Z": ([POLL, (3.02, 0.0), POLL], 0.0, [(0.0, 0.0)], 0.06, False),
    "Ctrl-Z, but it worked": ([POLL, (3.02, 0.0), POLL], 1.4, [(1.4, 0.0)], 1.4, False),
    "many gaps": ([(10.02, 0.0)] * 60, 0.0, [(0.0, 0.0)], 1.2, True),
    "the runner waits after the answer": ([POLL, (0.09, 0.07)], 0.0, [(0.0, 0.0)], 0.04, False),
    "the runner waits before the answer": ([(0.09, 0.07), POLL], 0.0, [(0.0, 0.0)], 0.11, False),
    "others take its core": ([POLL] * 75, 0.8, [(0.8, 0.7)], 0.8, False),
    "others take its core, but it works": ([POLL] * 75, 1.4, [(1.4, 0.7)], 1.4, True),
    "others take its core for very long": ([POLL] * 1600, 0.4, [(0.4, MOST_WAITED + 1)], 1.0, True),
    "its thread has its core": ([POLL] * 60, 0.9, [(0.5, 0.5), (0.4, 0.0)], 1.1, True),
    "its threads take turns": ([POLL] * 70, 1.4, [(0.7, 0.7), (0.7, 0.7)], 1.4, True),
    "it sleeps until its thread is done": ([POLL] * 60, 0.5, [(0.0, 0.0), (0.5, 0.4)], 0.8, False),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_one_clock_of_a_call(name, monkeypatch):
    class Agent:
        head, used = 1, 0.0

        def cpu(self):
            return 5.0 + self.used

    polls, used, threads, seconds, over = CALLS[name]
    agent, now, turns = Agent(), [100.0], {"thread-self": Turns(7.0, 7.0), "1/task/0": Turns(5.0, 7.0)}
    monkeypatch.setattr(child, "perf_counter", lambda: now[0])
    monkeypatch.setattr(procfs, "turns", lambda task: turns[task])
    monkeypatch.setattr(procfs, "tasks", lambda pid: range(len(turns) - 1))
    watch = Stopwatch(agent, 5.0, pinned=True)
    agent.used = used
    turns.update({f"1/task/{number}": Turns(5.0 * (not number) + ran, 7.0 * (not number) + waited)
                  for number, (ran, waited) in enumerate(threads)})  # fmt: skip
    for gap, waited in polls:
        now[0] += gap
        turns["thread-self"] = Turns(7.0, turns["thread-self"].waited + waited)
        watch.tick()
    assert watch.clock == pytest.approx(sum(gap for gap, _waited in polls))
    assert (watch.seconds(watch.waited), watch.is_over(1.0)) == (pytest.approx(seconds), over)


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (Fault(FaultKind.UNMEASURED, {"seconds": 1.5, "clock": 2.0}), "too busy to measure"),
        (Fault(FaultKind.KILLED_OUTSIDE, {"number": 9, "name": "Killed"}), "was killed from outside: signal 9"),
    ],
)
def test_a_fault_of_the_machine_ends_the_game_without_a_winner(fault, text):
    class Unlucky(AgentProcess):
        def start(self):
            return self.loaded

        def act(self, observation, n_row, n_col):
            return Reply(fault=fault)

    black = Unlucky(parse_agent("random"), files.Path("none"))
    black.loaded = Reply()
    session = GameSession(GameSetup("tictactoe_1v1"), (black, "White"))
    session.step()
    result = session.result
    assert (result.winner, result.loser, result.reason) == (NOBODY, None, Reason.MACHINE)
    assert text in result_text(result)
    assert result_from(as_json(ToldResult.of(result))) == result
    with pytest.raises(ValueError, match="nobody has lost"):
        result_from(
            as_json(ToldResult.of(Result(NOBODY, fault=Fault(FaultKind.LATE, {"seconds": 2, "limit": 1, "clock": 2}))))
        )


def test_a_folder_in_folders_counts_as_full(tmp_path):
    most, here = 1 << 20, tmp_path
    for _ in range(files.DEEP):
        here = here / "a"
        here.mkdir()
    assert files.tree_bytes(tmp_path, most) <= most
    (here / "a" / "a").mkdir(parents=True)
    assert files.tree_bytes(tmp_path, most) > most
