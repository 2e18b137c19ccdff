"""READMEs, docs, notebook: both languages have the same commands, every command runs, every link and name exists."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from local_runner.agents.spec import parse_agent
from local_runner.commands import cli
from local_runner.processes.portable.loading import load_agent
from tests.conftest import NO_COMPILER, SOURCES
from workshop.native.build import find_compiler
from workshop.page import doc_tables

NEEDS_COMPILER = pytest.mark.skipif(find_compiler() is None, reason=NO_COMPILER)
ROOT = Path(__file__).resolve().parents[2]
ENGLISH, CHINESE = ROOT / "README.md", ROOT / "README.zh.md"
REFERENCE = ROOT / "docs" / "en" / "reference"
MORE_COMMANDS, OPPONENTS = REFERENCE / "commands.md", REFERENCE / "opponents.md"
PAGES = [ENGLISH, CHINESE, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")),
         *sorted(path for path in (ROOT / "workshop").rglob("*.md") if "node_modules" not in path.parts)]  # fmt: skip
QUICK_CHECK = "tengen check --quick dist/submission.py"
MADE_BY_CI = {  # a command that takes long -> the command of .ci/run in its place
    "tengen check dist/submission.py --quick": QUICK_CHECK,
    "make check": QUICK_CHECK,
}
SERVES = "make serve"  # does not end; test_makefile.py runs it
ACTIVATE = ". .venv/bin/activate"  # `_run` does the same by putting that folder on the PATH


def _commands(page: Path) -> list[str]:
    blocks = re.findall(r"^```bash\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line]


def _prose(page: Path) -> str:
    """The text of a page without its code blocks."""
    return re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def links(page: Path) -> list[str]:
    """The targets of all links of a page, with their anchors."""
    return re.findall(r"\]\(([^)\s]+)\)", _prose(page))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and the site name them."""
    headings = re.findall(r"^#+ (.+)$", _prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def _run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        shlex.split(command),
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=240,
    )


def test_both_languages_give_the_same_commands_in_the_same_order() -> None:
    assert _commands(ENGLISH) == _commands(CHINESE)
    assert len(_commands(ENGLISH)) >= 8


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=str)
def test_tables_are_as_the_code_says(page: Path) -> None:
    """`make messages` fills them."""
    text = page.read_text("utf-8")
    assert doc_tables.filled(text, doc_tables.language_of(page)) == text


def test_every_command_is_run_by_ci_or_below() -> None:
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    for command in {*_commands(ENGLISH), *_commands(MORE_COMMANDS)} - {ACTIVATE, SERVES}:
        made = MADE_BY_CI.get(command, command)
        if command in MADE_BY_CI or command.startswith("make "):
            assert re.search(rf"(^|\W){made}\b", ci, re.MULTILINE), command
        else:
            assert command.startswith("tengen "), command


@pytest.mark.slow
def test_every_tengen_command_runs(tmp_path: Path) -> None:
    """In order, in one folder, as a reader types them; dist/submission.py is what `make bundle` makes."""
    bundled = _run("tengen bundle --out dist/submission.py", tmp_path)
    assert bundled.returncode == 0, bundled.stderr
    commands = [
        command for page in (ENGLISH, MORE_COMMANDS) for command in _commands(page) if command.startswith("tengen ")
    ]
    commands = [command for command in commands if command not in MADE_BY_CI]
    for command in commands:
        done = _run(command, tmp_path)
        assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        assert done.stdout.strip(), command
    logs = [command for command in commands if command.startswith("tengen run-log")]
    assert len(list((tmp_path / "logs").glob("*.json"))) == len(logs)


def test_every_tengen_command_can_be_parsed() -> None:
    """Its options exist and their values are of the right type; nothing is run."""
    whole = typer.main.get_command(cli.app)
    commands = [
        command
        for page in (ENGLISH, *sorted((ROOT / "docs" / "en").rglob("*.md")))
        for command in _commands(page)
        if command.startswith("tengen ")
    ]
    assert len(commands) >= 30
    for command in commands:
        _, *words = shlex.split(command)
        group, context = whole, None
        while isinstance(group, TyperGroup):
            name, group, words = group.resolve_command(context, words)
        assert group is not None
        group.make_context(name, words, parent=context)


@pytest.mark.usefixtures("forgotten")
def test_the_agents_of_the_page_of_opponents_take_their_options() -> None:
    for command in filter(re.compile("tengen").match, _commands(OPPONENTS)):
        _, name, *arguments = shlex.split(command)
        for text in arguments[: 2 if name == "match" else 1]:
            agent = parse_agent(text)
            load_agent(str(agent.path), agent.path.stem, dict(agent.options))


def test_every_link_inside_the_project_leads_somewhere() -> None:
    targets = [(page, target.partition("#")[0]) for page in PAGES for target in links(page)]
    assert not [
        (page.name, target) for page, target in targets if "://" not in target and not (page.parent / target).exists()
    ]


def test_every_make_target_and_subcommand_that_is_named_exists() -> None:
    whole = typer.main.get_command(cli.app)
    assert isinstance(whole, TyperGroup)
    subcommands = set(whole.list_commands(typer.Context(whole)))
    makefiles = "".join((ROOT / name).read_text("utf-8") for name in ("Makefile", "workshop/targets.mk"))
    targets = set(re.findall(r"^([a-z0-9-]+):", makefiles, re.MULTILINE))
    for page in PAGES:
        text = page.read_text("utf-8")
        lines = re.findall(r"(?:`|^)make((?:[ \n][a-z0-9]+)+)(?:`|$)", text.replace("\nmake", "\n\nmake"), re.MULTILINE)
        assert {word for line in lines for word in line.split()} <= targets, page
        assert set(re.findall(r"(?:`|^)tengen ([a-z][a-z-]+)", text, re.MULTILINE)) <= subcommands, page


# Code that compiles an engine or plays games is slow; code that stands in a package, with relative imports, is not run.
SLOW = ("native", "tengen.Engine(", "tengen.play(", "tengen.rl")
CODE = [
    pytest.param(
        code,
        id=page.name,
        marks=[NEEDS_COMPILER] * ("native" in code) + [pytest.mark.slow] * any(word in code for word in SLOW),
    )
    for page in PAGES
    if "zh" not in page.parts  # test_site.py: it has the same code
    for code in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    if "from .." not in code
]


@pytest.mark.parametrize("code", CODE)
def test_python_in_a_page_runs(code: str) -> None:
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("page", "picture"), [(ENGLISH, "game.webp"), (CHINESE, "game.zh.webp")])
def test_the_moving_picture_is_at_the_top_and_small(page: Path, picture: str) -> None:
    assert (ROOT / "docs" / "pictures" / picture).stat().st_size < 500_000
    assert f"docs/pictures/{picture}" in page.read_text("utf-8").partition("```")[0]
