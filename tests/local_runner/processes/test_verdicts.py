"""What the runner concludes from figures: exit codes, gaps of the runner, late calls, memory that shows nowhere."""

import signal
from types import SimpleNamespace

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.codec import result_from, result_json
from local_runner.game.faults import Fault, FaultKind, Reason
from local_runner.game.records import NOBODY, Reply, Result
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.game.wording import fault_text, result_text
from local_runner.processes import family, procfs, stopwatch
from local_runner.processes.child import AgentLimits, HostReply
from local_runner.processes.exit_code import fault_of_code
from local_runner.processes.family import Family
from local_runner.processes.process import AgentProcess
from local_runner.processes.procfs import Pages
from local_runner.processes.replies import ActReply
from local_runner.processes.stopwatch import Stopwatch
from local_runner.system import files

MB = 1_000_000


@pytest.mark.parametrize("inner", [True, False], ids=["PID namespace", "guard"])
def test_every_exit_code_and_signal_is_a_fault_with_a_text(inner):
    for code in range(-64, 256):
        fault = fault_of_code(code, inner=inner)
        number = -code if code < 0 else code - 128 if inner and 129 <= code <= 192 else None
        if number is None:
            assert (fault.kind, fault.fields) == (FaultKind.EXITED, {"code": code})
        else:
            assert (fault.kind, fault.fields["number"]) == (FaultKind.KILLED, number)
        assert str(number or code) in fault_text(fault)


class TestGaps:
    """A runner that was stopped is told from a machine that did not run it."""

    @pytest.fixture
    def clock(self, monkeypatch):
        now = [100.0]
        monkeypatch.setattr(stopwatch, "perf_counter", lambda: now[0])
        monkeypatch.setattr(stopwatch, "sleep", lambda seconds: None)
        return now

    @pytest.mark.parametrize(
        ("gap", "continued", "suspended", "unmeasured"),
        [(0.09, False, 0, 0), (0.09, True, 0, 0), (3.02, True, 3, 0), (3.02, False, 0, 3)],
    )
    def test_one(self, clock, monkeypatch, gap, continued, suspended, unmeasured):
        monkeypatch.setattr(stopwatch, "_continued", [4])
        watch = Stopwatch(1.0)
        clock[0] += gap
        stopwatch._continued[0] += continued
        watch.tick()
        assert (watch.suspended, watch.unmeasured) == pytest.approx((suspended, unmeasured))
        assert not watch.is_over
        clock[0] += 0.09
        watch.tick()
        assert watch.suspended + watch.unmeasured == pytest.approx(suspended + unmeasured)

    def test_a_call_with_too_many_gaps_is_over(self, clock):
        watch = Stopwatch(1.0)
        for number in range(200):
            assert watch.is_over is (number * 0.2 > stopwatch.MOST_UNMEASURED), number
            clock[0] += 0.2 + stopwatch.WATCH_SECONDS
            watch.tick()
            watch.suspended += stopwatch.WATCH_SECONDS  # the measured part

    def test_waiting_for_a_core_is_not_the_childs_time(self, clock):
        watch = Stopwatch(1.0)
        clock[0] += 1.5
        assert watch.is_over
        watch.waited = 0.7
        assert (watch.is_over, watch.measured) == (False, pytest.approx(0.8))
        watch.waited = clock[0] = stopwatch.MOST_UNMEASURED + 1
        assert watch.is_over

    def test_sigcont_is_counted(self, monkeypatch):
        before = stopwatch._continued[0]
        signal.raise_signal(signal.SIGCONT)
        assert stopwatch._continued[0] == before + 1


# The host's claim, runner's clock, kernel's CPU, wait for a core, stopped, unwatched -> the kind of the fault. Seconds.
CALLS = [
    (0.5, 0.6, 0.5, 0.0, 0.0, 0.0, None),
    (1.1, 1.1, 0.1, 0.0, 0.0, 0.0, FaultKind.LATE),  # says so itself
    (0.0, 1.2, 0.1, 0.0, 0.0, 0.0, FaultKind.LATE),  # a false clock, asleep
    (0.0, 1.4, 1.4, 0.7, 0.0, 0.0, FaultKind.LATE),  # a false clock; its children take the core from it
    (0.9, 1.6, 0.9, 0.6, 0.0, 0.0, None),  # other programs take the core
    (1.3, 1.4, 0.5, 0.6, 0.0, 0.0, None),  # the same, after a look at the clock
    (1.9, 2.0, 1.2, 0.8, 0.0, 0.0, FaultKind.LATE),  # the same, but it worked too long
    (3.5, 3.6, 0.5, 0.0, 3.0, 0.0, None),  # Ctrl-Z
    (0.0, 4.3, 1.3, 0.0, 3.0, 0.0, FaultKind.LATE),  # Ctrl-Z, but it worked all the time
    (0.0, 6.0, 5.9, 0.0, 0.0, 5.0, FaultKind.LATE),  # nobody watched, but the kernel counted
    (0.2, 2.0, 0.2, 0.0, 0.0, 1.5, FaultKind.UNMEASURED),
    (1.7, 2.0, 0.2, 0.0, 0.0, 1.5, FaultKind.UNMEASURED),
    (0.5, 1.05, 0.2, 0.0, 0.0, 0.5, None),
]  # fmt: skip


@pytest.mark.parametrize(("said", "clock", "cpu", "waited", "stopped", "unwatched", "kind"), CALLS)
def test_late_calls(tmp_path, said, clock, cpu, waited, stopped, unwatched, kind):
    process = AgentProcess(parse_agent("random"), tmp_path / "out.txt", AgentLimits(), core=0)
    answer = HostReply(b"", None, clock, cpu, waited, stopped, unwatched)
    fault = process._fault_in(answer, ActReply(seconds=said, cell=(0, 0)), 1.0)
    assert (fault and fault.kind) == kind


# The host's claims (seconds, CPU seconds); the runner's clock, the kernel's CPU -> what is recorded.
CLAIMS = [
    ((0.5, 0.49), (0.52, 0.5), (0.5, 0.49)),
    ((0.0, 0.0), (0.52, 0.5), (0.52, 0.5)),  # a clock and a CPU clock that stand still
    ((0.0, 0.0), (0.09, 0.0), (0.0, 0.0)),  # within what a busy machine may add
    ((0.3, 0.2), (0.9, 0.01), (0.9, 0.01)),  # asleep; and it says more CPU time than there was
    ((9.0, 0.1), (0.5, 0.1), (0.5, 0.1)),
    ((0.5, 0.4), (0.52, 0.0), (0.5, 0.4)),  # no kernel that counts
]


@pytest.mark.parametrize(("claimed", "measured", "recorded"), CLAIMS)
def test_times_that_cannot_be_true_are_replaced_by_the_runners(tmp_path, claimed, measured, recorded):
    process = AgentProcess(parse_agent("random"), tmp_path / "out.txt", AgentLimits(), core=0)
    reply = ActReply(seconds=claimed[0], cpu=claimed[1], cell=(0, 0))
    assert process._times(HostReply(b"", None, *measured), reply) == recorded


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


# A call, in seconds: CPU of all members; run and wait of the main thread. Then: whether a second process was seen,
# whether there is a group, and the seconds that count as waited.
WAITS = [
    (0.5, 0.5, 0.4, False, False, 0.4),
    (0.9, 0.5, 0.5, False, False, 0.1),  # own threads had the core for up to 0.4 s
    (1.4, 0.7, 0.7, False, True, 0.0),  # own children had the core
    (0.5, 0.5, 0.4, True, False, 0.0),  # there are children, and their CPU time may be missing
    (0.5, 0.5, 0.4, True, True, 0.4),  # the kernel counts them
    (0.4, 0.5, 0.4, False, False, 0.4),  # the counters differ a little
]


@pytest.mark.parametrize(("used", "ran", "waits", "grown", "grouped", "waited"), WAITS)
def test_an_agent_waits_only_for_cores_that_others_have(monkeypatch, used, ran, waits, grown, grouped, waited):
    class Group:
        used = 10.0

        def cpu(self):
            return self.used

        def freeze(self, frozen):
            pass

    group = Group()
    agent = Family(SimpleNamespace(pid=1), inner=False, group=group if grouped else None)
    agent._head, turns = 2, [5.0, 7.0]
    monkeypatch.setattr(procfs, "turns", lambda pid: tuple(turns))
    monkeypatch.setattr(agent, "_cpu_of", lambda members: group.used)
    agent.resume()
    agent._grown = grown
    group.used += used
    turns[:] = 5.0 + ran, 7.0 + waits
    assert agent.waited() == pytest.approx(waited)


# The members' pages in MB (mapped, resident, shared), pss each, shared segments, open files -> MB that count.
HOLDINGS = [
    ([(60, 30, 5)], 30, {}, 9, 30),
    ([(900, 400, 5)], 400, {}, 9, 400),
    ([(900, 400, 5), (900, 400, 390)], 210, {}, 9, 420),  # shared pages count once
    ([(9000, 2100, 2000)] * 24, 1, {}, 2, 24 * 2118),  # too large to be looked at closely
    ([(2000, 50, 5)], 50, {b"7": 1200, b"8": 100}, 9, 50 + 1295),  # shared memory that shows in no page count
    ([(2000, 50, 5)] * 3, 50, {b"7": 1200}, 9, 150 + 1185),
    ([(9000, 30, 5)] * 3, 30, {}, 9, 90 + 3 * 18),  # page tables
    ([(60, 30, 5)] * 16, 30, {}, 250, 480 + (16 * 250 - family.FREE_FILES) * family.FILE_BYTES / MB),
]


@pytest.mark.parametrize(("pages", "pss", "segments", "opened", "megabytes"), HOLDINGS)
def test_memory_without_a_group(monkeypatch, pages, pss, segments, opened, megabytes):
    found = {pid: Pages(*(count * MB for count in each)) for pid, each in enumerate(pages)}
    monkeypatch.setattr(procfs, "pages", found.get)
    monkeypatch.setattr(procfs, "pss", lambda pid: pss * MB)
    shared = {inode: size * MB for inode, size in segments.items()}
    monkeypatch.setattr(procfs, "shared_segments", lambda pid, most: (shared, 100))
    monkeypatch.setattr(procfs, "open_files", lambda pid: opened)
    monkeypatch.setattr(procfs, "page_tables", lambda pid: 18 * MB)
    held = Family(None, inner=True)._held(list(found), 500 * MB)
    assert held / MB == pytest.approx(megabytes)


@pytest.mark.parametrize(("again", "megabytes"), [(Pages(), 30), (Pages(900 * MB, 30 * MB, 5 * MB), 895)])
def test_a_member_that_ends_during_a_look_has_no_hidden_memory(monkeypatch, again, megabytes):
    looks = iter([Pages(900 * MB, 30 * MB, 5 * MB), again])
    monkeypatch.setattr(procfs, "pages", lambda pid: next(looks))
    monkeypatch.setattr(procfs, "shared_segments", lambda pid, most: ({}, 0))
    monkeypatch.setattr(procfs, "open_files", lambda pid: 0)
    assert Family(None, inner=True)._held([1], 500 * MB) == megabytes * MB


def test_a_folder_in_folders_counts_as_full(tmp_path):
    most, here = 1 << 20, tmp_path
    for _ in range(files.DEEP):
        here = here / "a"
        here.mkdir()
    assert files.tree_bytes(tmp_path, most) <= most
    (here / "a" / "a").mkdir(parents=True)
    assert files.tree_bytes(tmp_path, most) > most
