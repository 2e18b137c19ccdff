"""The runner's conclusions from measurements: exit codes, gaps of the runner, late calls, waiting for a core."""

import os

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.codec import result_from, result_json
from local_runner.game.faults import Fault, FaultKind, Reason
from local_runner.game.records import NOBODY, Reply, Result
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.game.wording import fault_text, result_text
from local_runner.processes import child, procfs
from local_runner.processes.child import HostReply, Watch
from local_runner.processes.family import Family, fault_of_code
from local_runner.processes.process import AgentProcess, call_seconds
from local_runner.processes.procfs import Turns
from local_runner.system import files


def test_every_exit_code_and_signal_is_a_fault_with_a_text():
    for code in range(-64, 256):
        fault = fault_of_code(code)
        assert fault.kind is (FaultKind.KILLED if code < 0 else FaultKind.EXITED)
        assert fault.fields.get("code", fault.fields.get("number")) == abs(code) and str(abs(code)) in fault_text(fault)


class TestGaps:
    """Time in which the runner did not run is no time of the agent."""

    @pytest.fixture
    def clock(self, monkeypatch):
        now = [100.0]
        monkeypatch.setattr(child, "perf_counter", lambda: now[0])
        return now

    @pytest.mark.parametrize(("gap", "lacking"), [(0.09, 0), (3.02, 3)])
    def test_one(self, clock, gap, lacking):
        watch = Watch(1.0)
        for _ in range(2):
            clock[0] += gap
            watch.tick()
            gap = 0.09
        assert watch.lacking == pytest.approx(lacking) and not watch.is_over

    def test_a_call_with_too_many_gaps_is_over(self, clock):
        watch = Watch(100.0)
        for number in range(200):
            assert watch.is_over is (number * 0.2 > child.MOST_LACKING), number
            clock[0] += 0.2 + child.WATCH_SECONDS
            watch.tick()

    def test_waiting_for_a_core_is_not_the_childs_time(self, clock):
        watch = Watch(1.0)
        clock[0] += 1.5
        assert watch.is_over
        watch.waited = 0.7
        assert not watch.is_over
        watch.waited = child.MOST_LACKING + 1
        assert watch.is_over


# The host's claim, the runner's clock, the kernel's CPU, what the machine lacked -> the seconds of a call.
CALLS = [
    (0.5, 0.52, 0.5, 0.0, 0.5),
    (1.1, 1.11, 0.1, 0.0, 1.1),
    (0.0, 1.2, 0.1, 0.0, 1.2),  # a false clock, asleep
    (0.0, 0.09, 0.0, 0.0, 0.0),  # within what a busy machine may add
    (9.0, 0.5, 0.1, 0.0, 0.5),  # more than there was
    (0.0, 1.4, 1.4, 0.7, 1.35),  # a false clock, and other programs take the core
    (1.3, 1.4, 0.5, 0.6, 0.8),  # other programs take the core, in the call or before it
    (0.32, 1.0, 0.2, 0.6, 0.32),  # the same; the host began later
    (1.9, 2.0, 1.4, 0.8, 1.35),  # the same, but it worked too long
    (3.5, 3.6, 0.5, 3.0, 0.6),  # Ctrl-Z
    (0.52, 3.6, 0.5, 3.0, 0.52),  # Ctrl-Z of the runner alone
    (0.0, 4.3, 1.4, 3.0, 1.35),  # Ctrl-Z, but it worked all the time
]


@pytest.mark.parametrize(("claimed", "clock", "cpu", "lacking", "seconds"), CALLS)
def test_the_seconds_of_a_call(claimed, clock, cpu, lacking, seconds):
    answer = HostReply(b"", None, clock, cpu, lacking)
    assert call_seconds(answer, claimed, pinned=True) == pytest.approx(seconds)


def test_a_call_that_was_not_measured_ends_the_game_without_a_winner():
    class Unlucky(AgentProcess):
        def start(self):
            return self.loaded

        def act(self, observation, n_row, n_col):
            return Reply(fault=Fault(FaultKind.UNMEASURED, {"seconds": 1.5, "clock": 2.0}))

    black = Unlucky(parse_agent("random"), files.Path("none"))
    black.loaded = Reply()
    session = GameSession(GameSetup("tictactoe_1v1"), (black, "White"))
    session.step()
    result = session.result
    assert (result.winner, result.loser, result.reason) == (NOBODY, None, Reason.MACHINE)
    assert "too busy to measure" in result_text(result)
    assert result_from(result_json(result)) == result
    with pytest.raises(ValueError, match="nobody has lost"):
        result_from(result_json(Result(NOBODY, fault=Fault(FaultKind.LATE, {"seconds": 2, "limit": 1, "clock": 2}))))


# A call, in seconds: CPU of all threads; run and wait of the main thread and of a second one -> what counts as waited.
WAITS = [
    (0.5, (0.5, 0.4), (0.0, 0.0), 0.4),
    (0.9, (0.5, 0.5), (0.4, 0.0), 0.1),  # its own thread had the core for up to 0.4 s
    (1.4, (0.7, 0.7), (0.7, 0.7), 0.0),
    (0.5, (0.0, 0.0), (0.5, 0.4), 0.4),  # the main thread slept until the other was done
    (0.4, (0.5, 0.4), (0.0, 0.0), 0.4),  # the counters differ a little
]


@pytest.mark.parametrize(("used", "first", "second", "waited"), WAITS)
def test_an_agent_waits_only_for_cores_that_others_have(monkeypatch, used, first, second, waited):
    class Agent(Family):
        total = 10.0

        def members(self):
            return [1]

        def cpu(self):
            return self.total

    read, write = os.pipe()
    os.close(write)
    agent, turns = Agent(None, read, inner=True), {1: Turns(5.0, 7.0)}
    monkeypatch.setattr(procfs, "turns", lambda pid: turns)
    agent.resume()
    agent.total += used
    turns = {1: Turns(5.0 + first[0], 7.0 + first[1]), 2: Turns(*second)}
    assert agent.waited() == pytest.approx(waited)
    os.close(read)


def test_a_folder_in_folders_counts_as_full(tmp_path):
    most, here = 1 << 20, tmp_path
    for _ in range(files.DEEP):
        here = here / "a"
        here.mkdir()
    assert files.tree_bytes(tmp_path, most) <= most
    (here / "a" / "a").mkdir(parents=True)
    assert files.tree_bytes(tmp_path, most) > most
