"""The runner's conclusions from measurements: exit codes, the clock of a call, games that nobody wins."""

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.codec import result_from, result_json
from local_runner.game.faults import Fault, FaultKind, Reason
from local_runner.game.records import NOBODY, Reply, Result
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.game.wording import fault_text, result_text
from local_runner.processes import child, procfs
from local_runner.processes.child import MOST_WAITED, Stopwatch
from local_runner.processes.family import fault_of_code
from local_runner.processes.process import AgentProcess
from local_runner.processes.procfs import Turns
from local_runner.system import files


def test_every_exit_code_and_signal_is_a_fault_with_a_text():
    for code in range(-64, 256):
        fault = fault_of_code(code)
        assert fault.kind is (FaultKind.KILLED if code < 0 else FaultKind.EXITED)
        assert fault.fields.get("code", fault.fields.get("number")) == abs(code) and str(abs(code)) in fault_text(fault)


LOOK = (0.02, 0.0)
# The looks at a call, each with its seconds and those of the runner's wait for a core; CPU seconds of the agent; the
# turns of its threads; the seconds of the call; whether a call with a limit of 1 s is over.
CALLS = {
    "short": ([LOOK] * 5, 0.1, [(0.1, 0.0)], 0.1, False),
    "late": ([LOOK] * 60, 0.0, [(0.0, 0.0)], 1.2, True),
    "a short gap counts": ([(0.09, 0.0), LOOK], 0.0, [(0.0, 0.0)], 0.11, False),
    "Ctrl-Z": ([LOOK, (3.02, 0.0), LOOK], 0.0, [(0.0, 0.0)], 0.06, False),
    "Ctrl-Z, but it worked": ([LOOK, (3.02, 0.0), LOOK], 1.4, [(1.4, 0.0)], 1.4, False),
    "many gaps": ([(10.02, 0.0)] * 60, 0.0, [(0.0, 0.0)], 1.2, True),
    "the runner waits after the answer": ([LOOK, (0.09, 0.07)], 0.0, [(0.0, 0.0)], 0.04, False),
    "the runner waits before the answer": ([(0.09, 0.07), LOOK], 0.0, [(0.0, 0.0)], 0.11, False),
    "others take its core": ([LOOK] * 75, 0.8, [(0.8, 0.7)], 0.8, False),
    "others take its core, but it works": ([LOOK] * 75, 1.4, [(1.4, 0.7)], 1.4, True),
    "others take its core for very long": ([LOOK] * 1600, 0.4, [(0.4, MOST_WAITED + 1)], 1.0, True),
    "its thread has its core": ([LOOK] * 60, 0.9, [(0.5, 0.5), (0.4, 0.0)], 1.1, True),
    "its threads take turns": ([LOOK] * 70, 1.4, [(0.7, 0.7), (0.7, 0.7)], 1.4, True),
    "it sleeps until its thread is done": ([LOOK] * 60, 0.5, [(0.0, 0.0), (0.5, 0.4)], 0.8, False),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_one_clock_of_a_call(name, monkeypatch):
    class Agent:
        head, used = 1, 0.0

        def cpu(self):
            return 5.0 + self.used

    looks, used, threads, seconds, over = CALLS[name]
    agent, now, turns = Agent(), [100.0], {"thread-self": Turns(7.0, 7.0), "1/task/0": Turns(5.0, 7.0)}
    monkeypatch.setattr(child, "perf_counter", lambda: now[0])
    monkeypatch.setattr(procfs, "turns", lambda task: turns[task])
    monkeypatch.setattr(procfs, "tasks", lambda pid: range(len(turns) - 1))
    watch = Stopwatch(agent, 5.0, pinned=True)
    agent.used = used
    turns.update({f"1/task/{number}": Turns(5.0 * (not number) + ran, 7.0 * (not number) + waited)
                  for number, (ran, waited) in enumerate(threads)})  # fmt: skip
    for gap, waited in looks:
        now[0] += gap
        turns["thread-self"] = Turns(7.0, turns["thread-self"].waited + waited)
        watch.tick()
    assert watch.clock == pytest.approx(sum(gap for gap, _waited in looks))
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
    assert result_from(result_json(result)) == result
    with pytest.raises(ValueError, match="nobody has lost"):
        result_from(result_json(Result(NOBODY, fault=Fault(FaultKind.LATE, {"seconds": 2, "limit": 1, "clock": 2}))))


def test_a_folder_in_folders_counts_as_full(tmp_path):
    most, here = 1 << 20, tmp_path
    for _ in range(files.DEEP):
        here = here / "a"
        here.mkdir()
    assert files.tree_bytes(tmp_path, most) <= most
    (here / "a" / "a").mkdir(parents=True)
    assert files.tree_bytes(tmp_path, most) > most
