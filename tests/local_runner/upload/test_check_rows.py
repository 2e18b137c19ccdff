"""The rows of `tengen check` that need no game, the rows about games that were not played, and the verdict."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from env_adapter.endings import Ending, EndingKind
from local_runner.agents import source_reader
from local_runner.agents.source import unusable_advice
from local_runner.game.advice import advice
from local_runner.game.codec import as_json
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.records import Call, Loaded, Result
from local_runner.game.wording import fault_text
from local_runner.language.languages import LANGUAGES, Message
from local_runner.processes.agent_side import loading
from local_runner.processes.interpreters import current
from local_runner.upload.check import check, files, trial
from local_runner.upload.check.files import Upload, habits
from local_runner.upload.check.games import AGAIN, ITSELF, PASSED, RANDOM, CheckedGame
from local_runner.upload.check.report import CheckReport, Verdict, failed, noted, passed, told
from local_runner.upload.check.trial import failure, game_row, import_row, measured, missing_file
from tests.local_runner.upload.uploads import GAME, GOOD, row_of, rows_of, text_of, upload

pytestmark = pytest.mark.usefixtures("without_vermin")


# (kind of note, what it names, sources)
HABITS = [
    ("command line", "parse_args()", "import argparse; parser = argparse.ArgumentParser(); args = parser.parse_args()",
     "def read(p): return p.parse_args()\ntry: A = read(p)\nexcept E: pass", "class A: args = p.parse_args()",
     "class A:\n    def __init__(self): self.a = p.parse_args()\nDEPTH = A()"),
    ("command line", "parse_known_args()", "import argparse; depth = argparse.ArgumentParser().parse_known_args()[0]"),
    ("command line", "sys.argv", "import sys; depth = int(sys.argv[1])", "from sys import argv",
     "import sys; depth = int(sys.argv[1]) if len(sys.argv) > 1 else 2",
     "import getopt, sys; getopt.getopt(sys.argv[1:], '')"),
    ("processes", "subprocess", "import subprocess as sp"),
    ("processes", "multiprocessing.Pool", "from multiprocessing import Pool"),
    ("processes", "os.fork", "import os; os.fork()", "import os; getattr(os, 'fork')"),
    ("processes", "os.execv", "import os as system; system.execv('a', [])"),
    ("processes", "os.system", "from os import system"),
    ("processes", "concurrent.futures.Process", "from concurrent import futures; futures.ProcessPoolExecutor()"),
    ("threads", "threading", "import threading", "import importlib; importlib.import_module('threading')"),
    ("threads", "_thread.start_new_thread", "from _thread import start_new_thread"),
    ("threads", "concurrent.futures.Thread", "import concurrent.futures; concurrent.futures.ThreadPoolExecutor()"),
    ("network", "socket", "import socket", "__import__('socket')"), ("network", "requests", "import requests"),
    ("network", "urllib.request", "import urllib.request"),
    ("network", "http.client.HTTPConnection", "from http.client import HTTPConnection"),
    ("paths", "'/home/me/weights.pth'", "open('/home/me/weights.pth')"), ("paths", "'~/w.pth'", "W = '~/w.pth'"),
    ("paths", r"'C:\\Users", r"W = 'C:\\Users\\me\\w.npy'"),
    ("names", "import utils", "import utils"), ("names", "import env", "from env.chooseenv import make"),
    ("writing", "open(..., 'a')", "open('log.txt', 'a').write('x')"),
    ("writing", "open(..., 'wb')", "open('log.txt', mode='wb')"),
    ("", "", "import argparse; args = argparse.ArgumentParser().parse_args([])", "f = lambda: p.parse_args()",
     "import argparse; args = argparse.ArgumentParser().parse_args(args=[])", "def main(): p.parse_args()",
     "import sys\nif __name__ == '__main__': p.parse_args(); print(sys.argv)", "import os; os.path.join('a', '/')",
     "open('weights.json', 'rb'); open('weights.json')", "import os, sys, urllib.parse, http, numpy",
     "from . import utils", "from .threading import x", "X = 'a/b', '/', '//', '~', 'home/me/x'",
     "def f():\n    '/home/me/is only described here'", "fork = 1; fork.fork",
     "__import__(name); getattr(a, b); getattr()"),
]  # fmt: skip


def noted_in(texts, files=()):
    """The rows of `habits` for an agent's files. `texts`: file name -> source."""
    contents = {name: text.encode() for name, text in texts.items()}
    rows = habits(source_reader.read(contents, loading, deep=True), set(files))
    return [row for row in rows if row.name != "undefined names"]  # of most of these texts


@pytest.mark.parametrize(("kind", "what", "text"), [(*row[:2], text) for row in HABITS for text in row[2:]])
def test_habits_are_noted(kind, what, text):
    rows = noted_in({"a.py": text})
    if not kind:
        assert all((row.name, row.verdict) == ("surroundings", Verdict.PASSED) for row in rows)
        return
    assert [(row.name, row.verdict) for row in rows] == [(kind, Verdict.NOTED)]
    assert re.search(rf"a\.py, line \d: {re.escape(what)}", rows[0].found) and rows[0].mend
    assert "line 1" in rows[0].found or kind == "command line"


OPTIONS = {"submission.py": "from .options import read\nDEPTH = read()\n",
           "options.py": "def read():\n    return p.parse_args()"}  # fmt: skip


@pytest.mark.parametrize(("texts", "files", "name", "found"), [
    (OPTIONS, (), "command line", "options.py, line 2: parse_args()"),
    ({"submission.py": "from .utils import x\n"}, ("submission", "utils", "env", "other"), "names", "env.py"),
    ({"a.py": "import threading\n" * 5}, (), "threads",
     "; ".join(f"a.py, line {line}: threading" for line in (1, 2, 3, 4)) + "; 1 more"),
])  # fmt: skip
def test_the_row_about_several_modules_or_places(texts, files, name, found):
    [row] = noted_in(texts, files)
    assert (row.name, row.found) == (name, found)


TAKES = "def my_controller({}):\n    return [[1, 0, 0]] * 2\n"
NEVER = GOOD + "\n\ndef never():\n    {}\n"
# source -> the row of the check, its verdict, and words of the finding and of the advice
ROWS = {
    "x = 1\nif x\n    pass\n": ("syntax", "FAILED", "submission.py, line 2: expected ':': if x", "Write a colon"),
    "def f():\n    return (1\n": ("syntax", "FAILED", "line 2: '(' was never closed", "A bracket is missing"),
    "x = 1)\n": ("syntax", "FAILED", "line 1: unmatched ')'", "A bracket is missing"),
    "x = (1]\n": ("syntax", "FAILED", "line 1: closing parenthesis ']' does not match", "A bracket is missing"),
    "x = 'a\n": ("syntax", "FAILED", "line 1: unterminated string literal", "A text has no closing"),
    'x = """a\n': ("syntax", "FAILED", "line 1: unterminated triple-quoted", "A text has no closing"),
    "if x = 1:\n    pass\n":
        ("syntax", "FAILED", "line 1: invalid syntax. Maybe you meant '=='", "to compare, write =="),
    "f() = 1\n": ("syntax", "FAILED", "line 1: cannot assign to function call", "to compare, write =="),
    "x = [1 2]\n":
        ("syntax", "FAILED", "line 1: invalid syntax. Perhaps you forgot a comma", "A comma or another sign"),
    "def f():\nreturn 1\n": ("syntax", "FAILED", "line 2: expected an indented block", "This is not Python"),
    "x = a" + ".b" * 100_000 + "\n": ("syntax", "FAILED", "line 1: nested too deep for Python", "This is not Python"),
    "\n" + TAKES.format("observation"):
        ("arguments", "FAILED", "submission.py, line 2: def my_controller(observation):", "observation, action_space"),
    **{TAKES.format(given): ("arguments", "FAILED", "line 1", "observation, action_space")
       for given in ("observation, action_space=None", "a, b, c, d, *rest", "*rest, key", "")},
    TAKES.format("a, *rest, key=1"): ("arguments", "PASSED", "three positional arguments", ""),
    "my_controller = print": ("arguments", "NOTED", "no `def my_controller`", ""),
    "from .agent import my_controller": ("arguments", "NOTED", "no `def my_controller`", ""),
    "from .agent import *": ("arguments", "NOTED", "no `def my_controller`", ""),
    "def agent(observation, configuration): ...": ("platform", "FAILED", "a Kaggle agent", ""),
    "class AIPlayer: ...": ("platform", "FAILED", "an AIPlayer for the Mo platform", ""),
    NEVER.format("import torch"): ("packages", "PASSED", "", ""),
}  # fmt: skip


@pytest.mark.parametrize("source", ROWS, ids=lambda source: source[-40:].strip())
def test_the_row_about_a_source(source, tmp_path):
    name, verdict, found, mend = ROWS[source]
    [row] = [row for row in rows_of(upload(tmp_path, source)) if row.name == name]
    assert (row.verdict.name, found in row.found, mend in row.mend) == (verdict, True, True)


def test_a_syntax_error_is_mended_before_anything_runs(tmp_path):
    report = check(upload(tmp_path, "x = 1)\n"), quick=True)
    assert report.verdict == "Do not upload: mend syntax."
    assert "under" not in text_of(report).splitlines()[0]


def test_errors_that_only_the_compiler_sees(tmp_path):
    path = upload(tmp_path, "return 1\n")
    fault = Fault(FaultKind.SYNTAX, {"path": str(path), "line": 1, "error": "'return' outside function"})
    assert "outside every function" in str(unusable_advice(fault, path))


# ---- a file that is not there

HERE = "import os\nHERE = os.path.dirname(os.path.abspath(__file__))\n"
OPENED = f"{HERE}DATA = open(os.path.join(HERE, 'weights.json')).read()\n"
PLAIN = "DATA = open('{}weights.json').read()\n"
JSON, X = {"weights.json": "[]"}, "X = 1\n"
# The head of the file, the files beside it, the path to check, the row, its advice; head, files and path thereafter.
STEPS = [
    (OPENED, JSON, "submission.py", "import", "weights.json lies beside the file, but was not checked with it: upload",
     OPENED, JSON, ""),
    (OPENED, JSON, "submission.py", "sees", "name its folder, {}, instead of the file", OPENED, JSON, ""),
    (OPENED, {**JSON, "old.py": GOOD}, "submission.py", "sees", "give it a folder of its own", OPENED, JSON, ""),
    (OPENED, {}, "", "import", "There is no weights.json beside the submission.py: put it there", OPENED, JSON, ""),
    (PLAIN.format(""), JSON, "", "import", "Open it as os.path.join(os.path.dirname(os.path.abspath(__file__)), 'weig",
     OPENED, JSON, ""),
    (PLAIN.format("/home/me/"), {}, "", "import", "The site has no /home/me/weights.json: put", OPENED, JSON, ""),
    (PLAIN.format("D:/me/"), {}, "", "import", "The site has no D:/me/weights.json: put weights", OPENED, JSON, ""),
    (PLAIN.format("D:\\\\me\\\\"), {}, "", "import", "put weights.json beside the submission.py", OPENED, JSON, ""),
    (OPENED.replace("json", "txt"), {}, "", "import", "not weights.txt: save the data as .json or .pkl",
     OPENED, JSON, ""),
    ("from .helper import X\n", {"helper.py": X}, "submission.py", "import", "helper.py lies beside the file, but was",
     "from .helper import X\n", {"helper.py": X}, ""),
    ("import helper\n", {"helper.py": X}, "submission.py", "import", "import it with `from .helper import ...`",
     "from .helper import X\n", {"helper.py": X}, ""),
    ("import helper, utils\n", {"helper.py": X, "utils.py": X}, "", "siblings", "write `from .helper import ...`",
     "from .helper import X\nfrom . import utils\n", {"helper.py": X, "utils.py": X}, ""),
    ("from agentpkg import naive\n", {"agentpkg/__init__.py": "", "agentpkg/naive.py": X}, "", "import",
     "put the files of agentpkg beside the submission.py, and import them with `from .naive import ...`",
     "from .naive import X\n", {"naive.py": X}, ""),
    ("", {"data/weights.json": ""}, "", "files", "The site takes no folders: put their files beside", "", JSON, ""),
    ("from .helper import X\n", {"helper.py": X, "before.py": GOOD}, "", "unused", "Leave them out",
     "from .helper import X\n", {"helper.py": X}, ""),
    ("import utils\n", {"utils.py": X}, "", "names", "write `from .NAME import ...`", "from .utils import X\n",
     {"utils.py": X}, ""),
]  # fmt: skip


@pytest.mark.usefixtures("without_games")
@pytest.mark.parametrize(("head", "files", "named", "name", "advice", "head2", "files2", "named2"), STEPS)
def test_what_is_advised_on_files_mends_them(tmp_path, head, files, named, name, advice, head2, files2, named2):
    reports = []
    for number, (text, beside, path) in enumerate([(head, files, named), (head2, files2, named2)]):
        folder = tmp_path / f"mine{number}"
        for file, content in {**beside, "submission.py": text + GOOD}.items():
            (folder / file).parent.mkdir(exist_ok=True, parents=True)
            (folder / file).write_text(content)
        reports.append(check(folder / path, GAME, quick=True))
    row = row_of(reports[0], name)
    assert advice.format(tmp_path / "mine0") in row.mend
    assert "tengen check" not in row.mend or f"`tengen check {tmp_path / 'mine0'}`" in row.mend
    assert reports[1].good and not [each for each in reports[1].rows if each.name == name and each.mend]


@pytest.mark.parametrize(("error", "advice"), [
    ("FileNotFoundError: no weights", "It could not open a file: put the files that it needs"),
    ("ModuleNotFoundError: No module named 'weights'", ""), ("KeyError: 'weights.json'", ""),
])  # fmt: skip
def test_advice_on_a_file_without_a_name(error, advice):
    found = missing_file(Fault(FaultKind.RAISED, {"error": error}), NOWHERE)
    assert advice in found and bool(advice) == bool(found)


# ---- games that were not played


NOWHERE = Upload(Path("/nowhere/submission.py"), [], [], "submission.py")


def game(fault=None, what=RANDOM, steps=0, *, ended=True, seconds=0.1, peak=20.0, printed="", env="gobang_1v1",
         share=1.0):  # fmt: skip
    result = Result(2, fault=fault) if fault else Result(3, Ending(EndingKind.FULL_BOARD))
    calls = (Call(1, 0, 0, 0, seconds, seconds, True),)
    return CheckedGame(env, what, calls, steps, result if ended else None, fault, peak, printed, share)


FIELDS = {"error": "KeyError: 7", "code": 3, "answer": "[1]", "seconds": 1.05, "limit": 1.0, "clock": 1.1, "used": 620}
# kind of fault, the games before the lost one, its kind and steps -> how the verdict tells it
LOST = [
    (FaultKind.RAISED, 0, RANDOM, 0, "crashes on gobang_1v1: KeyError: 7, first move"),
    (FaultKind.RAISED, 1, ITSELF, 8, "crashes on gobang_1v1: KeyError: 7, step 9, against itself"),
    (FaultKind.EXITED, 1, PASSED, 20, "crashes on gobang_1v1: exited with code 3, step 21, after a pass"),
    (FaultKind.ROW_TYPE, 1, RANDOM, 4, "answers in the wrong form on gobang_1v1: step 5"),
    (FaultKind.WROTE, 1, RANDOM, 4, "writes into the board of gobang_1v1: step 5"),
    (FaultKind.LATE, 1, RANDOM, 4, "is too slow on gobang_1v1: step 5"),
    (FaultKind.TOO_LARGE, 1, RANDOM, 4, "needs too much memory on gobang_1v1: step 5"),
    (FaultKind.GARBAGE, 1, RANDOM, 4, "breaks the runner's pipe on gobang_1v1: step 5"),
    (FaultKind.CAUGHT, 1, RANDOM, 4, "catches faults of its own on gobang_1v1: KeyError: 7, step 5"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "before", "what", "steps", "verdict"), LOST)
def test_the_first_game_that_failed_speaks_for_all(kind, before, what, steps, verdict):
    fault = Fault(kind, {key: value for key, value in FIELDS.items() if f"{{{key}" in kind.template})
    lost = game(fault, what, steps)
    row = game_row(lost, NOWHERE)
    assert (row.name, row.verdict) == (f"gobang_1v1, {what}", Verdict.FAILED)
    assert (row.found, row.mend) == (f"step {steps + 1}: {fault_text(fault)}", advice(fault))
    assert failure([*[game()] * before, lost, game(fault, steps=99)]) == verdict
    assert failure([game()]) == ""


def test_a_machine_that_is_too_busy_does_not_judge():
    fault = Fault(FaultKind.UNMEASURED, {"seconds": 1.0, "clock": 2.0})
    row = game_row(game(fault), NOWHERE)
    report = CheckReport("a.py", "Python 3.7", (row,), {"gobang_1v1": failure([game(fault)])})
    assert (report.good, report.verdict.partition(";")[0]) == (None, "Not judged: the machine was too busy")
    row = import_row(Loaded(fault=fault), current(), NOWHERE)
    assert (row.verdict, row.cause) == (Verdict.OPEN, "unmeasured")


def test_games_without_a_fault():
    """A game against random that has not ended was stopped; another game needs no end."""
    assert game_row(game(steps=30), NOWHERE).found.startswith("30 steps, ")
    assert "stopped then, because the time" in game_row(game(ended=False, steps=3), NOWHERE).found
    assert game_row(game(None, AGAIN, 6, ended=False), NOWHERE).found == "6 steps without a fault; it takes no more"


@pytest.mark.parametrize(("games", "rows"), [
    ([game()], {"printing": "PASSED", "observation": "PASSED", "time": "PASSED", "memory": "PASSED"}),
    ([game(), game(printed="thinking")], {"printing": "NOTED"}), ([game(seconds=0.95)], {"time": "NOTED"}),
    ([game(seconds=0.2), game(seconds=1.05)], {"time": "FAILED"}), ([game(peak=480)], {"memory": "NOTED"}),
    ([game(share=0.14)], {"time": "NOTED"}),
    ([game(peak=500.1)], {"memory": "FAILED"}), ([game(peak=0.0)], {"memory": None}),
    ([game(Fault(FaultKind.WROTE))], {"observation": None, "answers": None}),
    *(([replace(game(), calls=(Call(1, 0, 0, 0, 0.1, 0.1, True, thought=thought),))], {"engine": verdict})
      for thought, verdict in (({"engine": "native"}, "NOTED"), ({"not_native": "no library"}, "NOTED"),
                               ({"engine": "search"}, None), (None, None))),
    ([game(), replace(game(), risky=Fault(FaultKind.ROW_TYPE, {"answer": "a deque"}))], {"answers": "NOTED"}),
])  # fmt: skip
def test_what_is_measured_in_all_games(games, rows):
    found: dict[str, str] = {row.name: row.verdict.name for row in measured(games)}
    assert {name: found.get(name) for name in rows} == rows


CRASHES, CRASHES_TOO = "crashes on reversi_1v1: KeyError: 10, first move", "crashes on gobang_1v1: KeyError: 15"
NO_SYNTAX, LOSES = failed("syntax", "", ""), failed("reversi_1v1, against random", "", "")


@pytest.mark.parametrize(("rows", "envs", "verdict"), [
    ((passed("files", ""),), ("", ""), "Ready for gobang_1v1 and reversi_1v1."),
    ((LOSES,), ("", CRASHES), f"Ready for gobang_1v1; {CRASHES}."),
    ((LOSES,), (CRASHES_TOO, CRASHES), f"Do not upload: {CRASHES_TOO}; {CRASHES}."),
    ((NO_SYNTAX, LOSES), ("", CRASHES), f"Do not upload: mend syntax; {CRASHES}."),
    ((NO_SYNTAX,), ("",), "Do not upload: mend syntax."),
    ((failed("syntax", "", ""),), (), "Do not upload: mend syntax."),
])  # fmt: skip
def test_the_verdict_names_the_games(rows, envs, verdict):
    report = CheckReport("a.py", "Python 3.7", rows, dict(zip(("gobang_1v1", "reversi_1v1"), envs, strict=False)))
    assert (report.verdict, report.good) == (verdict, verdict == "Ready for gobang_1v1 and reversi_1v1.")


def test_the_games_of_a_half_good_file():
    report = CheckReport("a.py", "Python 3.7", (passed("files", ""), LOSES), {"gobang_1v1": "", "reversi_1v1": CRASHES})
    found = as_json(told(report))
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
    rows = as_json(told(report))["rows"]
    assert [rows[0]["name"], rows[0]["found"], rows[1]["mend"]] == [r"a\ud800", "五\n\tb\\x7f", r"mend\x1b[0m"]
    text = text_of(report)
    assert r"\udcff.py" in text and "\x1b" not in text
    text.encode("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_explains_every_row_and_every_way_to_lose(language):
    sources = "".join(path.read_text("utf-8") for path in Path(files.__file__).parent.glob("*.py"))
    named = re.findall(r'(?:failed|noted|passed|CheckRow|_limit_row)\(\s*Message\("([^"]+)"\)', sources)
    rows = [passed(Message(name), "") for name in [*named, *files.HABITS, *files.CAUSES]]
    kinds = [kind for kind in FaultKind if kind.reason in trial.LOST]
    lost = [replace(passed("", ""), env=GAME, cause=kind.value) for kind in kinds] + [replace(passed("", ""), env=GAME)]
    page = Path(__file__).parents[3].joinpath("docs", language, "reference", "check.md").read_text("utf-8")
    assert len(rows) > 30 and not [row.topic for row in [*rows, *lost] if f'<a id="{row.topic}"></a>' not in page]
