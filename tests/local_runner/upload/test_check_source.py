"""What `tengen check` reads in the source: syntax, habits, arguments; and its advice on files that are missing."""

import re

import pytest
from msgspec import convert

from local_runner.agents import source_reader
from local_runner.agents.source import Facts, unusable_advice
from local_runner.game.faults import Fault, FaultKind
from local_runner.processes.agent_side import loading
from local_runner.upload.check import check
from local_runner.upload.check.habits import habits
from local_runner.upload.check.report import Verdict
from local_runner.upload.check.trial import Places, missing_file
from tests.local_runner.upload.uploads import GAME, GOOD, row_of, rows_of, text_of, upload

pytestmark = pytest.mark.usefixtures("without_vermin")

# one line of source -> the kind of note, what it names; "" for a line that is none of these
HABITS = {
    "import argparse; parser = argparse.ArgumentParser(); args = parser.parse_args()": ("command line", "parse_args()"),
    "import argparse; depth = argparse.ArgumentParser().parse_known_args()[0]": ("command line", "parse_known_args()"),
    "import sys; depth = int(sys.argv[1])": ("command line", "sys.argv"),
    "import sys; depth = int(sys.argv[1]) if len(sys.argv) > 1 else 2": ("command line", "sys.argv"),
    "from sys import argv": ("command line", "sys.argv"),
    "def read(p): return p.parse_args()\ntry: A = read(p)\nexcept E: pass": ("command line", "parse_args()"),
    "class A:\n    def __init__(self): self.a = p.parse_args()\nDEPTH = A()": ("command line", "parse_args()"),
    "class A: args = p.parse_args()": ("command line", "parse_args()"),
    "import getopt, sys; getopt.getopt(sys.argv[1:], '')": ("command line", "sys.argv"),
    "import argparse; args = argparse.ArgumentParser().parse_args([])": ("", ""),
    "import argparse; args = argparse.ArgumentParser().parse_args(args=[])": ("", ""),
    "import sys\nif __name__ == '__main__': p.parse_args(); print(sys.argv)": ("", ""),
    "def main(): p.parse_args()": ("", ""),
    "f = lambda: p.parse_args()": ("", ""),
    "import subprocess as sp": ("processes", "subprocess"),
    "from multiprocessing import Pool": ("processes", "multiprocessing.Pool"),
    "import os; os.fork()": ("processes", "os.fork"),
    "import os as system; system.execv('a', [])": ("processes", "os.execv"),
    "from os import system": ("processes", "os.system"),
    "from concurrent import futures; futures.ProcessPoolExecutor()": (
        "processes",
        "concurrent.futures.ProcessPoolExecutor",
    ),
    "import threading": ("threads", "threading"),
    "from _thread import start_new_thread": ("threads", "_thread.start_new_thread"),
    "import concurrent.futures; concurrent.futures.ThreadPoolExecutor()": (
        "threads",
        "concurrent.futures.ThreadPoolExecutor",
    ),
    "import socket": ("network", "socket"),
    "import urllib.request": ("network", "urllib.request"),
    "from http.client import HTTPConnection": ("network", "http.client.HTTPConnection"),
    "import requests": ("network", "requests"),
    "open('/home/me/weights.pth')": ("paths", "'/home/me/weights.pth'"),
    r"W = 'C:\\Users\\me\\w.npy'": ("paths", r"'C:\\Users"),
    "W = '~/weights.pth'": ("paths", "'~/weights.pth'"),
    "import utils": ("names", "import utils"),
    "open('log.txt', 'a').write('x')": ("writing", "open(..., 'a')"),
    "open('log.txt', mode='wb')": ("writing", "open(..., 'wb')"),
    "open('weights.json', 'rb'); open('weights.json')": ("", ""),
    "from env.chooseenv import make": ("names", "import env"),
    "import os, sys, urllib.parse, http, numpy": ("", ""),
    "import os; os.path.join('a', '/')": ("", ""),
    "from . import utils": ("", ""),
    "from .threading import x": ("", ""),
    "X = 'a/b', '/', '//', '~', 'home/me/x'": ("", ""),
    "def f():\n    '/home/me/is only described here'": ("", ""),
    "__import__('socket')": ("network", "socket"),
    "import importlib; importlib.import_module('threading')": ("threads", "threading"),
    "import os; getattr(os, 'fork')": ("processes", "os.fork"),
    "fork = 1; fork.fork": ("", ""),
    "__import__(name); getattr(a, b); getattr()": ("", ""),
}


def noted_in(texts, files=()):
    """The rows on habits in sources: name -> text."""
    contents = {name: text.encode() for name, text in texts.items()}
    return list(habits(convert(source_reader.read(contents, loading, deep=True), Facts), set(files)))


@pytest.mark.parametrize("text", HABITS)
def test_habits_are_noted(text):
    kind, what = HABITS[text]
    rows = noted_in({"a.py": text})
    if not kind:
        assert [(row.name, row.verdict) for row in rows] == [("surroundings", Verdict.PASSED)]
        return
    assert [(row.name, row.verdict) for row in rows] == [(kind, Verdict.NOTED)]
    assert re.search(rf"a\.py, line \d: {re.escape(what)}", rows[0].found) and rows[0].mend
    assert "line 1" in rows[0].found or kind == "command line"


def test_the_command_line_is_also_read_in_other_modules():
    options = "def read():\n    return p.parse_args()"
    [row] = noted_in({"submission.py": "from .options import read\nDEPTH = read()\n", "options.py": options})
    assert (row.name, row.found) == ("command line", "options.py, line 2: parse_args()")


def test_files_with_names_of_the_site_are_noted():
    [row] = noted_in({"submission.py": "from .utils import x\n"}, {"submission", "utils", "env", "other"})
    assert (row.name, row.found) == ("names", "env.py; utils.py")


def test_many_places_are_counted():
    [row] = noted_in({"a.py": "import threading\n" * 9})
    assert row.found.endswith("a.py, line 4: threading; 5 more")


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
    "if 1:\n    x = 1\n  y = 1\n":
        ("syntax", "FAILED", "line 3: unindent does not match", "indent all lines of a block equally"),
    "def f():\nreturn 1\n": ("syntax", "FAILED", "line 2: expected an indented block", "This is not Python"),
    "x = (1,\n": ("syntax", "FAILED", "line 1: '(' was never closed: x = (1,", "A bracket is missing"),
    "if (n := 1):\n    pass\n": ("syntax", "FAILED", "line 1: ", "The site runs Python 3.7: use its syntax"),
    "match 1:\n    case 1:\n        pass\n":
        ("syntax", "FAILED", "submission.py, line ", "The site runs Python 3.7: use its syntax"),
    "x = a" + ".b" * 100_000 + "\n": ("syntax", "FAILED", "line 1: nested too deep for Python", "This is not Python"),
    TAKES.format("observation"): ("arguments", "FAILED", "takes 1 positional argument", "observation, action_space"),
    TAKES.format("observation, action_space=None"):
        ("arguments", "FAILED", "takes 1 to 2 positional arguments", "observation, action_space"),
    TAKES.format("a, b, c, d, *rest"):
        ("arguments", "FAILED", "takes at least 4 positional arguments", "observation, action_space"),
    TAKES.format("*rest, key"):
        ("arguments", "FAILED", "takes at least 0 positional arguments and 1 by keyword", "observation, action_space"),
    TAKES.format(""): ("arguments", "FAILED", "takes 0 positional arguments", "observation, action_space"),
    "my_controller = print": ("arguments", "NOTED", "no `def my_controller`", ""),
    "from .agent import my_controller": ("arguments", "NOTED", "no `def my_controller`", ""),
    "from .agent import *": ("arguments", "NOTED", "no `def my_controller`", ""),
    NEVER.format("import utils"): ("names", "NOTED", "import utils", ""),
    NEVER.format("import theirs"): ("packages", "NOTED", "imports theirs", ""),
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


@pytest.mark.usefixtures("without_games")
@pytest.mark.parametrize(("head", "advice"), [
    (OPENED, "weights.json lies beside the file, but was not checked with it: upload it, too, and check the folder: "),
    ("from .helper import X\n", "helper.py lies beside the file, but was not checked with it"),
])  # fmt: skip
def test_a_missing_file_is_named_and_the_folder_is_ready(tmp_path, head, advice):
    (tmp_path / "weights.json").write_text("[]")
    (tmp_path / "helper.py").write_text("X = 1\n")
    path = upload(tmp_path, head + GOOD)
    assert row_of(check(path, GAME, quick=True), "import").mend.startswith(advice)
    assert check(tmp_path, GAME, quick=True).good


NO_FILE = "FileNotFoundError: [Errno 2] No such file or directory: '/a/weights.json'"


@pytest.mark.parametrize(("error", "uploaded", "beside", "advice"), [
    (NO_FILE, False, False, "There is no weights.json beside the submission.py: put it there, and"),
    (NO_FILE, True, True, "weights.json is part of the upload, but it is not looked for there"),
    (NO_FILE, False, True, "weights.json lies beside the file, but was not checked with it: upload it, too, and"),
    (NO_FILE.replace("json", "txt"), False, False, "not weights.txt: save the data as .json or .pkl"),
    (NO_FILE.replace("json", "npy"), True, True, "not weights.npy: save the data as .json or .pkl"),
    ("FileNotFoundError: no weights", False, False, "It could not open a file: put the files that it needs"),
    ("ModuleNotFoundError: No module named 'weights'", False, True, "import it with `from .weights import ...`"),
    ("ModuleNotFoundError: No module named 'algo.upload.weights'", False, True, "weights.py lies beside the file"),
    ("ModuleNotFoundError: No module named 'weights'", False, False, ""),
    ("KeyError: 'weights.json'", False, True, ""),
])  # fmt: skip
def test_advice_on_a_missing_file(tmp_path, error, uploaded, beside, advice):
    if beside:
        for name in ("weights.json", "weights.py"):
            (tmp_path / name).touch()
    places = Places({"submission.py", "weights.json"} if uploaded else {"submission.py"}, tmp_path)
    found = missing_file(Fault(FaultKind.RAISED, {"error": error}), places)
    assert advice in found and bool(advice) == bool(found)
