"""The code of the page first-agent.md, and what `tengen check` says of each mistake there, kept in mistakes.json.

The code is that of the minimal agent of `tengen init`.

A mistake is a `diff` block of the page, applied to that agent. `python -m workshop.page.mistakes` checks every changed
agent (a minute) and writes the file. `make messages` writes the sentences into the pages. A slow test compares the file
with the check.
"""

from __future__ import annotations

import ast
import json
import re
import tempfile
from pathlib import Path
from typing import Any

from local_runner.language.languages import ENGLISH, Listing, Message, Series, shown, speaking
from local_runner.upload.check import check
from local_runner.upload.check.games import PASSED
from local_runner.upload.check.report import Verdict
from local_runner.upload.starter import Start, starter
from workshop.command import run

PAGE = Path(__file__).resolve().parents[2] / "docs" / ENGLISH / "tutorial" / "first-agent.md"
FINDINGS = Path(__file__).with_name("mistakes.json")
OWN_MISTAKES = re.compile(r"^### \d.*?^```diff\n(.*?)^```", re.MULTILINE | re.DOTALL)

Tree = Any  # a message as JSON: text, [template, {field: tree}], [separator, [trees]], or [null, [names]]


def agents(language: str = ENGLISH) -> list[str]:
    """The text of the minimal agent with each mistake of the page. Raises ValueError for a line that it lacks."""
    with speaking(language):
        text, made = starter(Start.MINIMAL.value), []
    for diff in OWN_MISTAKES.findall((PAGE.parents[2] / language / "tutorial" / PAGE.name).read_text("utf-8")):
        lines = diff.splitlines(keepends=True)
        old, new = ("".join(line[1:] for line in lines if line[0] in marks) for marks in (" -", " +"))
        if text.count(old) != 1:
            raise ValueError(f"not once in the minimal agent:\n{old}")
        made.append(text.replace(old, new))
    return made


def findings(text: str) -> list[Tree]:
    """What the check says of an agent in gobang or, without a failure there, in Reversi: finding and advice."""
    with tempfile.TemporaryDirectory(prefix="tengen-mistakes-") as folder:
        file = Path(folder) / "submission.py"
        file.write_text(text, "utf-8")
        report = check(file, ["gobang_1v1"], quick=True, jobs=1)
        if report.good:
            report = check(file, ["reversi_1v1"], quick=True, jobs=1)
    failed = [row for row in report.rows if row.verdict is Verdict.FAILED]
    # In Reversi, games against random moves may be stopped before a pass: the game that begins with one is preferred.
    row = next((row for row in failed if row.what == PASSED), failed[0])
    return [_tree(row.found), _tree(row.mend)]


def piece(name: str) -> str:
    """The code block of a function of the agent, in the current language; `head`: all before the first function."""
    text = starter(Start.MINIMAL.value)
    functions = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    lines = text.splitlines(keepends=True)
    if name == "head":
        code = "".join(lines[: next(iter(functions.values())).lineno - 1])
    else:
        code = "".join(lines[functions[name].lineno - 1 : functions[name].end_lineno])
    return f"```py\n{code.strip()}\n```\n"


def said(number: str) -> str:
    """The code block with the sentences on a mistake, numbered from 1, in the current language."""
    trees = json.loads(FINDINGS.read_text("utf-8"))[int(number) - 1]
    return "```text\n" + "".join(f"{shown(_message(tree))}\n" for tree in trees) + "```\n"


def _tree(text: object) -> Tree:
    if isinstance(text, Series):
        separator = None if isinstance(text, Listing) else _tree(text._separator)
        return [separator, [_tree(part) for part in text._parts]]
    if isinstance(text, Message):
        return [text._template, {name: _tree(value) for name, value in text._fields.items()}]
    return text


def _message(tree: Tree) -> Any:
    if not isinstance(tree, list):
        return tree
    template, parts = tree
    if isinstance(parts, list):
        made = [_message(part) for part in parts]
        return Listing(made) if template is None else Series(made, _message(template))
    return Message(template, **{name: _message(value) for name, value in parts.items()})


def main() -> None:
    """Check the agents with the page's mistakes and keep what the check says."""
    trees = [findings(text) for text in agents()]
    FINDINGS.write_text(json.dumps(trees, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    run(main)
