"""Agents that crash or misbehave: each gets the right fault in time, and no process is left over."""

import time
from dataclasses import replace

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.faults import Reason
from local_runner.game.wording import fault_text
from local_runner.processes.process import AgentProcess
from tests.local_runner.processes.naughty import EMPTY, MANY, ON_LINUX, PATIENT, QUICK, Family, agent, play, written

pytestmark = pytest.mark.skipif(not ON_LINUX, reason="memory and left-over processes are looked up in /proc")

LATE = replace(QUICK, margin=20.0)
IN_HASTE = replace(QUICK, load_seconds=0.4)
# An agent, its limits, the reason by which it loses, and words of the sentence.
FAULTS = [
    ("orphaner", MANY, Reason.CRASH, "exited with code 0"),
    ("bad_import", PATIENT, Reason.CRASH, "raised ModuleNotFoundError"),
    ("family_hog", MANY, Reason.MEMORY, "of 120 MB"),
    ("slow", LATE, Reason.TIME, "of 0.5 s ("),
    ("import_sleeper", IN_HASTE, Reason.TIME, "of 0.4 s"),
]


ROWS = [pytest.param(*row, id=row[0], marks=pytest.mark.slow if row[1] in (LATE, IN_HASTE) else ()) for row in FAULTS]


@pytest.mark.parametrize(("name", "limits", "reason", "sentence"), ROWS)
def test_the_fault_is_told(name, limits, reason, sentence, tmp_path, monkeypatch):
    family, started = Family(monkeypatch), time.perf_counter()
    with agent(name, tmp_path, limits) as naughty:
        fault = naughty.start().fault or naughty.act(EMPTY, 3, 3).fault
        if not naughty.loaded.fault and "raised" not in sentence:
            assert naughty.act(EMPTY, 3, 3).fault
    assert (fault.reason, sentence in fault_text(fault)) == (reason, True), fault_text(fault)
    assert time.perf_counter() - started < 20
    assert family.settled(0)


@pytest.mark.parametrize(("name", "limits"), [("forker", MANY), ("wanderer", PATIENT), ("tidy_mutator", PATIENT)])
def test_plays_on(name, limits, tmp_path, monkeypatch):
    family = Family(monkeypatch)
    with agent(name, tmp_path, limits) as strange:
        replies = [strange.start(), *(strange.act(EMPTY, 3, 3) for _ in range(2))]
    assert [reply.fault for reply in replies] == [None] * 3
    assert family.settled(0)


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
    spec = parse_agent(written(tmp_path, "bytearray(b'x') * (200 << 20)"))
    with AgentProcess(spec, tmp_path / "out.txt", limits) as spiker:
        assert (spiker.start().fault, spiker.act(EMPTY, 3, 3).fault) == (None, None)
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


def test_a_dead_agent_stays_dead(tmp_path):
    with AgentProcess(parse_agent(written(tmp_path, "os._exit(5)")), tmp_path / "out.txt", PATIENT) as dead:
        dead.start()
        assert [fault_text(dead.act(EMPTY, 3, 3).fault) for _ in range(2)] == ["exited with code 5", "has ended"]
