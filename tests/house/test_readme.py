"""READMEs, docs, notebook: both languages have the same commands, every command runs, every link and name exists."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import typer
from typer.core import TyperGroup

from local_runner.command_line.commands import cli
from submission.native.library import available
from tests.conftest import NO_LIBRARY, ROOT, SOURCES
from tests.serving import ADDRESS
from workshop.page import doc_tables

NEEDS_LIBRARY = pytest.mark.skipif(not available(), reason=NO_LIBRARY)
DOCS = ROOT / "docs"
ENGLISH, CHINESE = ROOT / "README.md", ROOT / "README.zh.md"
MORE_COMMANDS = ROOT / "docs" / "en" / "reference" / "commands.md"
PAGES = [ENGLISH, CHINESE, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")),
         *sorted(path for path in (ROOT / "workshop").rglob("*.md") if "node_modules" not in path.parts)]  # fmt: skip
SERVES = "make serve"  # does not end; a test below runs it
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
    """The anchors of a page's headings, as GitHub and Sphinx name them."""
    headings = re.findall(r"^#+ (.+)$", _prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def _run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        command, shell=True, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=240,
    )  # fmt: skip


SAME = ("bash", "python", "json", "diff", "{eval-rst}")  # kinds of code blocks in which only comments are translated


def _names(language: str) -> list[str]:
    return sorted(path.relative_to(DOCS / language).as_posix() for path in (DOCS / language).rglob("*.md"))


def _shape(page: Path) -> dict[str, list[object]]:
    """The properties in which a page and its translation must agree, such as headings, code and links."""
    text = re.sub(r"<!--.*?-->", "", page.read_text("utf-8"))
    blocks = re.findall(r"^```([^\n]*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return {
        "levels of headings": [len(marks) for marks in re.findall(r"^(#+) ", prose, re.MULTILINE)],
        "code": [re.sub(r"  # .*", "", code) if language in SAME else language for language, code in blocks],
        "rows of tables": [table.count("\n") for table in re.findall(r"(?:^\|.*\n)+", prose, re.MULTILINE)],
        "links": [re.sub(r"#.*|\.zh(?=\.)", "", target).replace("/zh/", "/en/") for target in links(page)],
    }


def test_both_languages_have_the_same_pages_and_readmes_with_the_same_commands() -> None:
    assert _names("zh") == _names("en")
    assert _commands(ENGLISH) == _commands(CHINESE) and len(_commands(ENGLISH)) >= 8


@pytest.mark.parametrize("name", _names("en"))
def test_a_page_and_its_translation_have_the_same_shape(name: str) -> None:
    assert _shape(DOCS / "zh" / name) == _shape(DOCS / "en" / name)


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=str)
def test_tables_are_as_the_code_says(page: Path) -> None:
    """`make messages` writes these tables; a difference means that it must be run again."""
    text = page.read_text("utf-8")
    assert doc_tables.filled(text, doc_tables.language_of(page)) == text


def test_every_command_is_run_by_ci_or_below() -> None:
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    for command in {*_commands(ENGLISH), *_commands(MORE_COMMANDS)} - {ACTIVATE, SERVES}:
        if command.startswith("make "):
            assert re.search(rf"(^|\W){command}\b", ci, re.MULTILINE), command
        else:
            assert command.startswith("tengen "), command


@pytest.mark.slow
@pytest.mark.parametrize("pages", [
    (ENGLISH, MORE_COMMANDS), (DOCS / "en/tutorial/first-agent.md", DOCS / "en/how-to/upload.md"),
], ids=["reference", "tutorial"])  # fmt: skip
def test_every_tengen_command_runs(pages: tuple[Path, ...], tmp_path: Path) -> None:
    """The commands run in order, in one folder. `make bundle` would make dist/submission.py."""
    bundled = _run("tengen bundle --out dist/submission.py", tmp_path)
    assert bundled.returncode == 0, bundled.stderr
    commands = [each for page in pages for each in _commands(page) if each.startswith(("tengen ", "cp "))]
    for command in commands:
        done = _run(command, tmp_path)
        assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        assert done.stdout.strip() or command.startswith("cp "), command
    logs = [each for each in commands if each.startswith("tengen run-log") and not each.endswith("--out from_site")]
    assert len(list((tmp_path / "logs").glob("*.json"))) == len(logs)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="no make here")
def test_make_serve_serves(tmp_path: Path) -> None:
    """The server has a store of its own and opens no browser."""
    command = ["make", "serve", f"SERVE=--no-open --store {tmp_path / 'games'}"]
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # not as a sub-make
    with subprocess.Popen(
        command, cwd=ROOT, env={**outside, "PYTHONUNBUFFERED": "1"}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        text=True, start_new_session=True,
    ) as served:  # fmt: skip
        try:
            assert served.stdout is not None
            address = next((found[0] for line in served.stdout if (found := ADDRESS.search(line))), "")
            page = httpx.get(address, follow_redirects=True)
        finally:
            os.killpg(served.pid, signal.SIGINT)
    assert page.status_code == 200 and "<title>" in page.text


def test_every_tengen_command_can_be_parsed() -> None:
    """The options of each command exist, and their values have the right type. No command runs."""
    whole = typer.main.get_command(cli.app)
    pages = (ENGLISH, *sorted((DOCS / "en").rglob("*.md")))
    commands = [each for page in pages for each in _commands(page) if each.startswith("tengen ")]
    assert len(commands) >= 30
    for command in commands:
        _, *words = shlex.split(command)
        group, context = whole, None
        while isinstance(group, TyperGroup):
            name, group, words = group.resolve_command(context, words)
        assert group is not None
        group.make_context(name, words, parent=context)


def test_every_link_inside_the_project_leads_to_a_file_or_a_heading() -> None:
    dead = []
    for page, target in [(each, target) for each in PAGES for target in links(each) if "://" not in target]:
        path, _, anchor = target.partition("#")
        place = page.parent / path if path else page
        if not place.exists() or (anchor and anchor not in anchors(place)):
            dead.append((page.name, target))
    assert not dead


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
        marks=[NEEDS_LIBRARY] * ("native" in code) + [pytest.mark.slow] * any(word in code for word in SLOW),
    )
    for page in PAGES
    if "zh" not in page.parts  # the Chinese pages have the same code
    for code in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    if "from .." not in code
]


@pytest.mark.parametrize("code", CODE)
def test_python_in_a_page_runs(code: str) -> None:
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
