"""Hostile agents: the game ends in time with the right reason, and no process is left over."""

import time
from dataclasses import replace

import pytest

from local_runner.game.faults import Reason
from local_runner.game.session import play_game
from local_runner.game.wording import deed, result_text
from local_runner.processes.child import AgentLimits
from tests.local_runner.processes.naughty import ON_LINUX, PATIENT, QUICK, TICTACTOE, Family, agent, play

pytestmark = pytest.mark.skipif(not ON_LINUX, reason="memory and left-over processes are looked up in /proc")

FORGED = ["empty", "texts_for_numbers", "huge_number", "half_a_cell", "cell_off_board", "no_cell_at_all",
          "strange_error", "strange_field"]  # fmt: skip
LATE = replace(QUICK, margin=20.0)
TOO_SLOW = [
    pytest.param("sleeper", "gave no answer within", QUICK, marks=pytest.mark.slow),
    ("looper", "of 0.5 s; killed", QUICK),
    ("slow", "of 0.5 s (", LATE),
]
# An agent, why it loses, and words of the sentence; at the end, agents that are much like an earlier one.
LOSERS = [
    ("os_exiter", Reason.CRASH, "exited with code 5"),
    ("segfaulter", Reason.CRASH, "was killed by signal 11"),
    ("cursed_error", Reason.CRASH, "raised "),
    ("mutator", Reason.WROTE, "changed the observation"),
    ("family_hog", Reason.MEMORY, "of 120 MB"),
    ("closer", Reason.CRASH, "closed the pipe"),
    ("scribbler", Reason.PROTOCOL, "wrote into the pipe"),
    ("forger:body=no_cell", Reason.PROTOCOL, "forged a reply of the host script"),
    ("faulty", Reason.INNER_FAULT, "KeyError: 'hidden'"),
    ("bad_import", Reason.CRASH, "could not be loaded: it raised ModuleNotFoundError"),
    ("numpy_answer", Reason.BAD_SHAPE, "try .tolist()"),
    ("answering:answer=short", Reason.BAD_SHAPE, "the column's list must have 3 entries"),
    ("answering:answer=corner", Reason.ILLEGAL_MOVE, "played (0, 0): a1 holds a stone"),
    ("trickster:trick=touchy", Reason.CRASH, "do not compare me"),
    *(
        pytest.param(*alike, marks=pytest.mark.slow)
        for alike in [
            ("answering:answer=two_ones", Reason.BAD_SHAPE, "exactly one 1"),
            ("answering:answer=nothing", Reason.BAD_SHAPE, "the answer must be two lists, got NoneType None"),
            ("import_hog", Reason.MEMORY, "could not be loaded: it used"),
            ("orphaner", Reason.CRASH, "exited with code 0"),
            ("raiser", Reason.CRASH, "raised ValueError: no idea"),
            ("exiter", Reason.CRASH, "raised SystemExit: 3"),
            ("interrupter", Reason.CRASH, "raised KeyboardInterrupt"),
            ("recursor", Reason.CRASH, "raised RecursionError"),
            ("array_mutator", Reason.WROTE, "changed the observation"),
            ("hog", Reason.MEMORY, "of 120 MB"),
            ("spiker", Reason.MEMORY, "of 120 MB"),
            ("flooder", Reason.PROTOCOL, "wrote into the pipe"),
            *[(f"forger:body={body}", Reason.PROTOCOL, "forged a reply of the host script") for body in FORGED],
            ("forger:body=nested", Reason.PROTOCOL, "wrote into the pipe"),
            ("forger:body=not_a_number", Reason.PROTOCOL, "wrote into the pipe"),
            ("import_exiter", Reason.CRASH, "could not be loaded: it raised SystemExit: not today"),
            ("answering:answer=number", Reason.BAD_SHAPE, "the answer must be two lists, got int 7"),
            ("answering:answer=one_list", Reason.BAD_SHAPE, "the answer must be two lists"),
            ("answering:answer=giant", Reason.BAD_SHAPE, "the row's list must have 3 entries, got a list of 3000000"),
            ("answering:answer=function", Reason.BAD_SHAPE, "the answer must be two lists"),
            ("answering:answer=zeros", Reason.BAD_SHAPE, "exactly one 1"),
            ("answering:answer=floats", Reason.BAD_SHAPE, "exactly one 1"),
            ("answering:answer=text", Reason.BAD_SHAPE, "must be a plain list"),
            ("trickster:trick=below", Reason.BAD_SHAPE, "exactly one 1"),
            ("trickster:trick=above", Reason.BAD_SHAPE, "exactly one 1"),
            ("trickster:trick=touchy_board", Reason.WROTE, "changed the observation"),
            ("trickster:trick=count", Reason.INNER_FAULT, "so many"),
            ("trickster:trick=surrogate", Reason.CRASH, "raised ValueError"),
        ]
    ),
]

SURVIVORS = ["tidy_mutator", "daemon", "wanderer", *(pytest.param(name, marks=pytest.mark.slow) for name in [
    "forker", "printer", "numpy_ints", "thinker", "with_siblings", "trickster:trick=surrogate_thought",
    "trickster:trick=not_a_number"])]  # fmt: skip


@pytest.mark.parametrize(("name", "reason", "sentence"), LOSERS)
def test_loses_for_the_right_reason(name, reason, sentence, tmp_path, monkeypatch):
    loses(name, reason, sentence, tmp_path, monkeypatch, PATIENT)


@pytest.mark.parametrize(("name", "sentence", "limits"), TOO_SLOW)
def test_loses_for_being_slow(name, sentence, limits, tmp_path, monkeypatch):
    loses(name, Reason.TIME, sentence, tmp_path, monkeypatch, limits)


def loses(name, reason, sentence, tmp_path, monkeypatch, limits):
    family, started = Family(monkeypatch), time.perf_counter()
    record = play(name, "first_free", tmp_path, limits=limits)
    assert (record.result.reason, record.result.winner, record.loser) == (reason, 2, 0)
    assert sentence in deed(record.result.fault)
    assert time.perf_counter() - started < 20
    assert family.settled(0)


@pytest.mark.parametrize("name", SURVIVORS)
def test_plays_on(name, tmp_path, monkeypatch):
    family = Family(monkeypatch)
    record = play("first_free", name, tmp_path)
    assert record.result.reason is Reason.RULES, record.result
    assert family.settled(0)


@pytest.mark.parametrize("answer", ["nothing", "short"])
def test_the_wrong_length_loses_off_turn_too(answer, tmp_path):
    record = play("first_free", f"answering:answer={answer},turn=off", tmp_path)
    assert (record.result.reason, record.loser, record.calls[-1].turn) == (Reason.BAD_SHAPE, 1, False)


@pytest.mark.parametrize("answer", ["zeros", "corner"])
def test_off_turn_only_lengths_count(answer, tmp_path):
    record = play("first_free", f"answering:answer={answer},turn=off", tmp_path)
    assert record.result.reason is Reason.RULES


def test_loading_has_a_limit_of_its_own(tmp_path):
    limits = AgentLimits(seconds=0.1, margin=0.1, load_seconds=0.4)
    record = play("import_sleeper", "first_free", tmp_path, limits=limits)
    assert record.result.reason is Reason.TIME
    assert "of 0.4 s" in result_text(record.result)


@pytest.mark.slow
def test_without_limits_nothing_is_too_slow_or_too_big(tmp_path):
    limits = AgentLimits(seconds=0.01, margin=0.01, memory_mb=1, load_seconds=0.001, enforced=False)
    assert play("first_free", "spiker", tmp_path, limits=limits).result.reason is Reason.RULES


def test_what_a_crash_leaves_to_read(tmp_path):
    record = play("raiser", "first_free", tmp_path)
    assert record.result.fault.traceback.startswith("Traceback")
    assert 'raise ValueError("no idea")' in record.result.fault.traceback
    assert "agent_host.py" not in record.result.fault.traceback
    with open(record.agents[0].output, encoding="utf-8") as file:
        assert file.read() == "this was printed before the end\n"


def test_all_that_is_printed_is_kept(tmp_path):
    record = play("printer", "first_free", tmp_path)
    calls = sum(call.player == 0 for call in record.calls)
    with open(record.agents[0].output, encoding="utf-8") as file:
        text = file.read()
    assert text.startswith("loaded\n思考..")
    assert text.count("warning\n") == text.count("思考") == calls > 4
    assert record.agents[0].printed_bytes == len(text.encode()) > 5_000_000


def test_siblings_are_found_and_told(tmp_path):
    report = play("with_siblings", "first_free", tmp_path).agents[0]
    assert report.siblings == ("helper", "utils")
    assert report.shadowed == ("utils",)


@pytest.mark.slow
def test_memory_is_told_and_remembered(tmp_path):
    with agent("spiker", tmp_path, replace(PATIENT, memory_mb=400)) as spiker, agent("first_free", tmp_path) as other:
        record = play_game(TICTACTOE, (spiker, other))
    assert record.result.reason is Reason.RULES
    assert 200 < record.agents[0].peak_mb < 300
    assert 5 < record.agents[1].peak_mb < 50


def test_a_dead_agent_stays_dead(tmp_path):
    with agent("os_exiter", tmp_path, QUICK) as dead:
        dead.start()
        board = {"state_map": [[[0]]], "chess_player_idx": 1}
        assert [deed(dead.act(board, 1, 1).fault) for _ in range(2)] == ["exited with code 5", "has ended"]
