"""The tutorial: its code is that of `tengen init`; outputs, mistakes and the improvement are as the page says."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from local_runner.language.languages import CHINESE, LANGUAGES, speaking
from local_runner.processes.interpreters import find_python37
from local_runner.upload.starter import starter
from tests.house.test_readme import ROOT
from workshop.page import mistakes

PAGE = mistakes.PAGE
DOCS = ROOT / "docs"
SHOWN = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
TIMES = re.compile(r"\d+\.\d+")  # seconds, which differ between runs


@pytest.mark.parametrize(("code", "output"), SHOWN)
def test_code_prints_what_the_page_shows(code: str, output: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, {})
    assert printed.getvalue() == output


def test_both_languages_show_the_same_outputs() -> None:
    chinese = (DOCS / CHINESE / "tutorial" / "first-agent.md").read_text("utf-8")
    assert len(SHOWN) == 2 and all(output in chinese for _, output in SHOWN)
    texts = [re.sub(r"  # .*", "", text) for text in (chinese, PAGE.read_text("utf-8"))]  # comments are translated
    diffs = [re.findall(r"^```diff\n.*?^```", text, re.M | re.S) for text in texts]
    assert diffs[0] == diffs[1]


def test_every_mistake_has_a_sentence_in_both_languages() -> None:
    for language in LANGUAGES:  # the agent of each language has the lines of its page
        assert len(mistakes.agents(language)) == len(json.loads(mistakes.FINDINGS.read_text("utf-8"))) == 10
    for number in range(1, 11):
        for language in LANGUAGES:
            with speaking(language):
                lines = mistakes.said(str(number)).splitlines()[1:-1]
            assert all(re.search(r"[\u4e00-\u9fff]", line) for line in lines) == (language == CHINESE), lines


def test_the_page_explains_every_function_of_the_agent() -> None:
    functions = re.findall(r"^def (\w+)", starter("minimal"), re.MULTILINE)
    assert re.findall(r"<!-- code (\w+) -->", PAGE.read_text("utf-8")) == ["head", *functions]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(10))
def test_the_check_says_what_the_page_says_of_a_mistake(number: int) -> None:
    found, mend = mistakes.findings(mistakes.agents()[number])
    kept = json.loads(mistakes.FINDINGS.read_text("utf-8"))[number]
    assert json.dumps(mend) == json.dumps(kept[1])
    if find_python37():  # the errors of other Pythons have other words
        assert TIMES.sub("", json.dumps(found)) == TIMES.sub("", json.dumps(kept[0]))


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


@pytest.mark.slow
def test_every_command_of_the_tutorial_and_of_the_upload_runs(tmp_path: Path) -> None:
    """In order, in one folder, as a reader types them."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for page in ("tutorial/first-agent", "how-to/upload"):
        blocks = re.findall(
            r"^```bash\n(.*?)^```", (DOCS / "en" / f"{page}.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
        )
        for command in "".join(blocks).splitlines():
            if command.startswith(("make", ". ")):  # they install
                continue
            done = subprocess.run(
                command, shell=True, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
            assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
