"""The tutorial: its code is that of `tengen init`, its outputs are real, and `check` names its ten mistakes."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

from local_runner.language.languages import ENGLISH, LANGUAGES, shown, speaking
from local_runner.processes.interpreters import find_python37
from local_runner.upload.check import check
from local_runner.upload.check.games import PASSED
from local_runner.upload.check.report import Verdict
from local_runner.upload.starter import starter
from tests.conftest import ROOT

DOCS = ROOT / "docs"
PAGE = DOCS / ENGLISH / "tutorial" / "first-agent.md"
SHOWN = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
TIMES = re.compile(r"\d+\.\d+")  # seconds, which differ between runs


@pytest.mark.parametrize(("code", "output"), SHOWN)
def test_code_prints_what_the_page_shows(code: str, output: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, {})
    assert printed.getvalue() == output


def _page(language: str) -> str:
    return (DOCS / language / "tutorial" / "first-agent.md").read_text("utf-8")


def _mistakes(language: str) -> list[tuple[str, str]]:
    """For each mistake of the page: the minimal agent with the mistake, and the output of the check on the page."""
    with speaking(language):
        text = starter("minimal")
    found = re.findall(r"^### \d.*?^```diff\n(.*?)^```\n\n```text\n(.*?)^```", _page(language), re.M | re.S)
    made = []
    for diff, said in found:
        old, new = ("".join(line[1:] for line in diff.splitlines(keepends=True) if line[0] in marks)
                    for marks in (" -", " +"))  # fmt: skip
        assert text.count(old) == 1, old
        made.append((text.replace(old, new), said))
    return made


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_the_agent_of_init_whole(language: str) -> None:
    """The code on the page makes up the agent. Each of the page's ten mistakes changes one or two of its lines."""
    with speaking(language):
        text = starter("minimal")
    pieces = re.findall(r"^```py\n(\"\"\".*?|def (?!attack).*?)^```", _page(language), re.M | re.S)
    assert "\n".join(pieces).split() == text.split()
    assert len(_mistakes(language)) == 10


@pytest.mark.slow
@pytest.mark.parametrize("number", range(10))
def test_the_check_says_what_the_pages_say_of_a_mistake(number: int, tmp_path: Path) -> None:
    file = tmp_path / "submission.py"
    file.write_text(_mistakes(ENGLISH)[number][0], "utf-8")
    report = check(file, ["gobang_1v1"], quick=True, jobs=1)
    if report.good:
        report = check(file, ["reversi_1v1"], quick=True, jobs=1)
    failed = [row for row in report.rows if row.verdict is Verdict.FAILED]
    # In Reversi, games against random moves may be stopped before a pass: the game that begins with one is preferred.
    row = next((row for row in failed if row.what == PASSED), failed[0])
    for language in LANGUAGES:
        with speaking(language):
            lines = [shown(row.found), shown(row.mend)]
        kept = _mistakes(language)[number][1].splitlines()
        assert lines[1:] == kept[1:]
        if find_python37():  # errors of another version of Python are worded differently
            assert TIMES.sub("", lines[0]) == TIMES.sub("", kept[0])


@pytest.mark.slow
def test_the_improvement_of_the_page_wins(tmp_path: Path) -> None:
    function = re.search(r"^```py\n(def attack_and_block.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    old = starter("minimal")
    line = "value = discs_turned if reversi else "
    assert function and old.count(f"{line}longest_row") == 1
    (tmp_path / "before.py").write_text(old, "utf-8")
    new = old.replace(f"{line}longest_row", f"{line}attack_and_block") + "\n\n" + function[1]
    (tmp_path / "submission.py").write_text(new, "utf-8")
    command = [sys.executable, "-m", "local_runner", "match", tmp_path / "submission.py", tmp_path / "before.py"]
    done = subprocess.run([*command, "--games", "6", "--quiet"], cwd=ROOT, capture_output=True, text=True)
    assert re.search(r"^points +6 +0$", done.stdout, re.MULTILINE), done.stdout + done.stderr
