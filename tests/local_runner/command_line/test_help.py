"""Help pages: their examples, the groups of commands, and the completion of a shell."""

import re
import shlex

import pytest
from typer.main import get_command

from local_runner.command_line.commands import cli
from local_runner.command_line.help_page import PANELS
from tests.local_runner.command_line.test_command_line import COMMANDS


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: " ".join(["tengen", *path]))
def test_a_help_page_has_two_examples_that_can_be_parsed(path, tengen, monkeypatch):
    """The help page also names values by their meaning (FILE, GAME), not by their type (TEXT, INTEGER)."""
    monkeypatch.setenv("COLUMNS", "200")
    code, page, err = tengen(*path, "-h")
    assert (code, err) == (0, "") and " ".join(["Usage: tengen", *path]) in page
    assert not re.findall(r"<(?:bool|str|int|float|path|list)\b[^>]*>|INTEGER|TEXT", page)
    examples = re.findall(r"│ (tengen .*?) *│", page.partition("─ Examples ─")[2])
    assert len(examples) >= 2 and all(example.startswith(" ".join(["tengen", *path])) for example in examples)
    for example in examples:
        words = shlex.split(example)[1:]
        command = get_command(cli.app)
        while words and words[0] in getattr(command, "commands", {}):
            command = command.commands[words.pop(0)]
        with command.make_context("tengen", words):
            pass


def test_the_commands_are_grouped(tengen):
    page = tengen("-h")[1]
    assert all(f"─ {group} ─" in page for group in PANELS.values()) and "─ Commands ─" not in page
    assert "─ 对局与观战 ─" in tengen("-h", "--lang", "zh")[1]


@pytest.mark.parametrize(("typed", "completed"), [
    ("tengen ru", ["run-log"]),
    ("tengen bench ", ["speed", "latency"]),
    ("tengen match --env go", ["gobang_1v1", "gomoku_11x11_1v1"]),
    ("tengen match --env=x --rules st", ["stated"]),
    ("tengen match seed00", ["seed000", "seed001", "seed002", "seed003", "seed004"]),
    ("tengen tournament tengen gre", ["greedy"]),
    ("tengen sprt --mo", ["--model"]),
    ("tengen check --sandbox o", ["on", "off"]),
    ("tengen match ./subm", []),  # the shell completes files by itself
])  # fmt: skip
def test_a_shell_completes(typed, completed, tengen, monkeypatch):
    words = typed.split(" ")
    for name, value in {"_TENGEN_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": len(words) - 1}.items():
        monkeypatch.setenv(name, str(value))
    assert tengen() == (0, "\n".join(completed) + "\n", "")
