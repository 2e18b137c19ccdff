"""The tutorial: its code is that of `tengen init`, and its sentences are those of `tengen check`."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from babel.messages.pofile import read_po

from env_adapter import make
from local_runner.language.languages import CHINESE, LANGUAGES
from local_runner.upload.starter import STARTERS, Start
from workshop.page.messages import CATALOGUE

DOCS = Path(__file__).resolve().parents[2] / "docs"
FIELD = re.compile(r"\\\{\w*(?:!\w)?(?::[^}]*)?\\\}")  # of an escaped template


def _tutorial(language: str) -> str:
    return (DOCS / language / "tutorial" / "first-agent.md").read_text("utf-8")


def _starter(language: str, start: Start = Start.MINIMAL) -> str:
    return (STARTERS / language / f"{start.value}.py").read_text("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_code_is_that_of_the_file(language: str) -> None:
    pieces = re.findall(r"```py\n(.*?)```", _tutorial(language), re.DOTALL)
    assert len(pieces) > 5
    assert not [piece for piece in pieces if piece not in _starter(language)]
    assert f"{len(_starter(language).splitlines())} " in _tutorial(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_improvement_plays(language: str) -> None:
    page = _tutorial(language)
    function = re.search(r"```text\n(def attack_or_block.*?)```", page, re.DOTALL)[1]
    line = re.search(r"```text\n( +value = .*?)\n```", page, re.DOTALL)[1]
    source = re.sub(r"^    value = .*$", line, _starter(language), count=1, flags=re.MULTILINE) + function
    agent: dict = {}
    exec(source, agent)
    game = make("gobang_1v1")
    for cell in [(7, 7), (0, 0), (7, 8), (0, 1), (7, 9)]:
        game.play(cell)
    rows, cols = agent["my_controller"](game.all_observes[1], [SimpleNamespace(n=15)] * 2)
    assert (rows.index(1), cols.index(1)) in [(7, 6), (7, 10)]  # a block of the three


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_mistakes_are_told_in_the_words_of_the_check(language: str) -> None:
    table = re.search(r"^\|.*`tengen check`.*\|\n\|[-|]+\|\n((?:\|.*\n)+)", _tutorial(language), re.MULTILINE)[1]
    told = [row.strip("|\n ").split(" | ", 1)[1] for row in table.splitlines()]
    assert len(told) == 10
    messages = read_po(CATALOGUE.open("rb"))
    texts = [message.string if language == CHINESE else message.id for message in messages if message.id]
    templates = [FIELD.sub(".+", re.escape(text)) for text in texts]
    assert not [sentence for sentence in told if not any(re.fullmatch(each, sentence) for each in templates)]


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
