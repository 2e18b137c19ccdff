"""The rows and the verdict of `tengen check`, from games that were not played: what is wrong, and how to mend it."""

import json
from pathlib import Path

import pytest

from env_adapter.endings import Ending, EndingKind
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.records import Call, Result
from local_runner.upload.check.games import AGAIN, ITSELF, PASSED, RANDOM, CheckedGame
from local_runner.upload.check.report import CheckReport, PlayedEnv, Verdict, as_json, failed, noted, passed
from local_runner.upload.check.trial import Places, game_row, measured, played_env
from tests.local_runner.upload.uploads import text_of

NOWHERE = Places(set(), Path("/nowhere"))
ANSWER = {"n": 3, "answer": "list [1]"}


def game(fault=None, what=RANDOM, steps=0, *, ended=True, seconds=0.1, peak=20.0, printed="", env="gobang_1v1"):
    """A game of the checked file, Black."""
    result = Result(2, fault=fault) if fault else Result(3, Ending(EndingKind.FULL_BOARD))
    calls = (Call(1, 0, 0, 0, seconds, seconds, True),)
    return CheckedGame(env, what, calls, steps, result if ended else None, fault, peak, printed)


# fault -> words of the finding and of the advice, and how the verdict tells it
LOST = [
    (Fault(FaultKind.RAISED, {"error": "KeyError: 7"}), "raised KeyError: 7", "raises",
     "crashes on gobang_1v1: KeyError: 7"),
    (Fault(FaultKind.EXITED, {"code": 3}), "exited with code 3", "raises", "crashes on gobang_1v1: exited with code 3"),
    (Fault(FaultKind.COLUMN_LENGTH, ANSWER), "3 entries", "not your turn", "answers in the wrong form on gobang_1v1"),
    (Fault(FaultKind.ROW_TYPE, ANSWER), "plain list", "plain lists of ints", "answers in the wrong form on gobang_1v1"),
    (Fault(FaultKind.WROTE), "changed the observation", "copy it", "writes into the board of gobang_1v1"),
    (Fault(FaultKind.LATE, {"seconds": 1.05, "limit": 1.0, "clock": 1.1}), "of 1 s", "stop by the clock",
     "is too slow on gobang_1v1"),
    (Fault(FaultKind.TOO_LARGE, {"used": 620, "limit": 500}), "620 MB of 500 MB", "allows 500 MB",
     "needs too much memory on gobang_1v1"),
    (Fault(FaultKind.GARBAGE), "wrote into the pipe", "file descriptor", "breaks the runner's pipe on gobang_1v1"),
    (Fault(FaultKind.CAUGHT, {"error": "KeyError: 7"}), "caught a fault of its own", "played on, weakly",
     "catches faults of its own on gobang_1v1: KeyError: 7"),
]  # fmt: skip


@pytest.mark.parametrize(("fault", "found", "mend", "verdict"), LOST, ids=[row[0].kind.name for row in LOST])
def test_what_is_wrong_is_told_and_how_to_mend_it(fault, found, mend, verdict):
    row = game_row(game(fault, steps=4), NOWHERE)
    assert (row.name, row.verdict) == ("gobang_1v1, against random", Verdict.FAILED)
    assert row.found.startswith("step 5: ") and found in row.found and mend in row.mend
    assert played_env("gobang_1v1", [game(), game(fault, steps=4)]).fails.startswith(verdict)


RAISED = Fault(FaultKind.RAISED, {"error": "KeyError: 7"})


@pytest.mark.parametrize(("lost", "fails"), [
    ([game(RAISED)], "crashes on gobang_1v1: KeyError: 7, first move"),
    ([game(), game(RAISED, ITSELF, 8)], "crashes on gobang_1v1: KeyError: 7, step 9, against itself"),
    ([game(RAISED, PASSED, 20), game(RAISED)], "crashes on gobang_1v1: KeyError: 7, step 21, after a pass"),
    ([game()], ""),
])  # fmt: skip
def test_the_first_game_that_failed_speaks_for_all(lost, fails):
    assert played_env("gobang_1v1", lost).fails == fails


def test_games_without_a_fault():
    """A game against random that has not ended was stopped; another game needs no end."""
    assert game_row(game(steps=30), NOWHERE).found.startswith("30 steps, ")
    assert "stopped then, because the time" in game_row(game(ended=False, steps=3), NOWHERE).found
    assert game_row(game(None, AGAIN, 6, ended=False), NOWHERE).found == "6 steps without a fault; it takes no more"


@pytest.mark.parametrize(("games", "rows"), [
    ([game()], {"printing": "PASSED", "observation": "PASSED", "time": "PASSED", "memory": "PASSED"}),
    ([game(), game(printed="thinking")], {"printing": "NOTED"}), ([game(seconds=0.95)], {"time": "NOTED"}),
    ([game(seconds=0.2), game(seconds=1.05)], {"time": "FAILED"}), ([game(peak=480)], {"memory": "NOTED"}),
    ([game(peak=500.1)], {"memory": "FAILED"}), ([game(peak=0.0)], {"memory": None}),
    ([game(Fault(FaultKind.WROTE))], {"observation": None}),
])  # fmt: skip
def test_what_is_measured_in_all_games(games, rows):
    found: dict[str, str] = {row.name: row.verdict.name for row in measured(games)}
    assert {name: found.get(name) for name in rows} == rows


GOBANG, REVERSI = PlayedEnv("gobang_1v1"), PlayedEnv("reversi_1v1")
CRASHES = PlayedEnv("reversi_1v1", "crashes on reversi_1v1: KeyError: 10, first move")
CRASHES_TOO = PlayedEnv("gobang_1v1", "crashes on gobang_1v1: KeyError: 15, first move")
NO_SYNTAX, LOSES = failed("syntax", "", ""), failed("reversi_1v1, against random", "", "")


@pytest.mark.parametrize(("rows", "envs", "verdict"), [
    ((passed("files", ""),), (GOBANG, REVERSI), "Ready for gobang_1v1 and reversi_1v1."),
    ((LOSES,), (GOBANG, CRASHES), f"Ready for gobang_1v1; {CRASHES.fails}."),
    ((LOSES,), (CRASHES_TOO, CRASHES), f"Do not upload: {CRASHES_TOO.fails}; {CRASHES.fails}."),
    ((NO_SYNTAX, LOSES), (GOBANG, CRASHES), f"Do not upload: mend syntax; {CRASHES.fails}."),
    ((NO_SYNTAX,), (GOBANG,), "Do not upload: mend syntax."),
    ((failed("syntax", "", ""),), (), "Do not upload: mend syntax."),
])  # fmt: skip
def test_the_verdict_names_the_games(rows, envs, verdict):
    report = CheckReport("a.py", "Python 3.7", rows, envs)
    assert (report.verdict, report.good) == (verdict, verdict == "Ready for gobang_1v1 and reversi_1v1.")


def test_the_games_of_a_half_good_file():
    report = CheckReport("a.py", "Python 3.7", (passed("files", ""), LOSES), (GOBANG, CRASHES))
    found = json.loads(as_json(report))
    assert (found["upload"], found["games"]["gobang_1v1"]) == (False, "ok")
    assert found["verdict"] == f"Ready for gobang_1v1; {found['games']['reversi_1v1']}."
    assert {"name", "verdict", "found", "mend", "traceback"} == set(found["rows"][0])
    assert 'alone: --env gobang_1v1; or write GAMES = ("gobang_1v1",) into it.' in text_of(report)


def test_two_failures_show_two_tracebacks_and_the_same_one_only_one():
    places = [f'Traceback (most recent call last):\n  File "a.py", line {n}\nKeyError: {n}' for n in (1, 2, 1)]
    rows = tuple(failed(f"game {n}", "", "mend it", place) for n, place in enumerate(places))
    text = text_of(CheckReport("a.py", "Python", rows))
    assert text.count("Traceback (most recent call last)") == 2
    assert text.count("mend it") == 1 and "game 0; game 1; game 2: mend it" in text


def test_lines_and_tabs_stay_and_lone_surrogates_are_spelt_out():
    report = CheckReport("\udcff.py", "Python", (passed("a\ud800", "五\n\tb\x7f"), noted("c", "", "mend\x1b[0m")))
    rows = json.loads(as_json(report))["rows"]
    assert [rows[0]["name"], rows[0]["found"], rows[1]["mend"]] == [r"a\ud800", "五\n\tb\\x7f", r"mend\x1b[0m"]
    text = text_of(report)
    assert r"\udcff.py" in text and "\x1b" not in text
    text.encode("utf-8")
