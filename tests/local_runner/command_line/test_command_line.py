"""Rules for all commands: help pages, completion in a shell, one name for one option, and JSON as its schemas say."""

import json
import os
import re
import shlex
import sys

import jsonschema
import msgspec
import pytest
from typer.main import get_command

from env_adapter import names
from env_adapter.grid import LARGEST_BOARD
from local_runner.agents.catalogue import BUILT_INS
from local_runner.command_line import listings, parser
from local_runner.command_line.commands import cli
from local_runner.command_line.help_page import PANELS
from local_runner.command_line.options import located
from local_runner.game.codec import as_json
from local_runner.game.coordinates import LETTERS
from local_runner.processes import doctor
from local_runner.processes.doctor import Finding
from local_runner.processes.engine.levels import LEVELS
from local_runner.terminal import output
from tests.conftest import ROOT
from tests.local_runner.processes.naughty import path_of
from workshop.page import doc_tables

MATCH = ("--env", "tictactoe_1v1")


def test_an_empty_word_and_a_position_that_begins_with_a_dash(tengen):
    """An empty word, as from `--out "$OUT"` in a script, would mean the current folder or the default: refused."""
    assert tengen("check", "")[2] == "tengen: an argument is empty (see tengen check -h)\n"
    assert tengen("match", "a", "b", "--out", "")[2] == "tengen: --out needs a value (see tengen match -h)\n"
    position = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27
    assert tengen("replay", position)[0] == 0


def test_a_command_is_one_file(tmp_path, monkeypatch):
    """Only the module of the command that is asked for is imported."""
    (tmp_path / "added").mkdir()
    (tmp_path / "added" / "__init__.py").touch()
    (tmp_path / "added" / "say_hello.py").write_text(
        'PLACE = "added", 1\ndef say_hello(name: str) -> None:\n    """Say hello."""\n    print("hello", name)\n'
    )
    (tmp_path / "added" / "broken.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    folder = parser.CommandFolder("added", without="")
    assert ("say-hello" in folder, len(folder), folder["say-hello"].help) == (True, 2, "Say hello.")
    with pytest.raises(ZeroDivisionError):
        folder["broken"]


def every_command(group=None, path=()):
    """All commands and groups, each with the words that call it."""
    group = group or get_command(cli.app)
    yield path, group
    for name, command in getattr(group, "commands", {}).items():
        yield from every_command(command, (*path, name))


COMMANDS = dict(every_command())


def test_the_ways_to_the_help(tengen):
    assert tengen("match", "-help") == tengen("match", "-h") == tengen("match", "--games", "x", "--help")
    assert tengen("-help") == tengen("-h") and tengen() == (2, *tengen("-h")[1:])


def test_every_number_has_bounds():
    """The bounds are those of the product, and a number out of bounds is refused before any work begins."""
    numeric = {
        (path, parameter.opts[0]): parameter
        for path, command in COMMANDS.items()
        for parameter in command.params
        if parameter.type_descriptor.annotation in (int, float)
    }
    assert len(numeric) > 30
    assert [where for where, each in numeric.items() if each.min is None or each.max is None] == []
    assert numeric[("match",), "--board-size"].max == LARGEST_BOARD == len(LETTERS)
    assert numeric[("play",), "--level"].max == len(LEVELS)


def test_an_option_has_one_name_one_type_and_one_meaning():
    """One name has one help text. For options in `differ`, the text names the command's own file, default or effect."""
    named = {}
    for command in COMMANDS.values():
        for option in command.params:
            if option.param_type_name == "option":
                named.setdefault(option.opts[0], set()).add((option.metavar, option.help))
    several = {name for name, texts in named.items() if len(texts) > 1}
    differ = "--out --html --resume --jobs --env --openings --games --rounds --quick --seconds"
    assert several <= set(differ.split())
    assert {"--memory", "--sandbox", "--seed", "--rules", "--python", "--quiet"} <= set(named) - several


def test_the_docs_have_the_options_and_exit_codes_that_there_are():
    text = (ROOT / "docs" / "en" / "reference" / "commands.md").read_text("utf-8")
    codes = re.findall(r"^\| (\d+) \| (.+) \|$", text, re.MULTILINE)
    assert codes == [(str(int(code)), output.MEANINGS[code]) for code in output.ExitCode]
    known = {name for command in COMMANDS.values() for option in command.params for name in option.opts}
    named = re.findall(r"`(--[a-z]+)", text.partition("| option |")[2].partition("exit code")[0])
    assert set(named) <= known and {"--time", "--jobs", "--out", "--lang"} <= set(named)


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
def test_an_interpreter_may_be_a_relative_path_or_a_name(tengen, tmp_path, monkeypatch):
    script = tmp_path / "here" / "python"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    here = ("--python", "here/python", "--sandbox", "off")
    assert tengen("match", "greedy", "random", *MATCH, "--games", 1, *here)[0] == 0
    monkeypatch.setenv("PATH", "here", prepend=os.pathsep)  # a relative folder
    script.rename(script.with_name("named"))
    assert located("named") == str(script.with_name("named"))


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


# ---- JSON

GAME = ("--env", "tictactoe_1v1", "--games", 2)
SHORT = ("--env", "tictactoe_1v1", "--rounds", 1, "--quiet")
LATENCY = ("--env", "tictactoe_1v1", "--calls", 2, "--quiet")

WRITTEN = [  # schema, arguments
    ("match", ("match", "tengen:seconds=0.02", "random", *GAME, "--out", "logs")),
    ("match", ("match", path_of("raiser"), "random", "--env", "reversi_8x8_1v1", "--games", 1)),
    ("match", ("match", "greedy", "greedy", *GAME, "--no-limits", "--lenient")),
    ("tournament", ("tournament", "greedy", "random", path_of("first_free"), *SHORT, "--out", "t.jsonl")),
    ("tournament", ("tournament", path_of("raiser"), "random", *SHORT, "--out", "r.jsonl")),
    ("tournament", ("sprt", "greedy", "random", *SHORT, "--out", "s.jsonl")),
    ("check", ("check", path_of("first_free"), "--env", "tictactoe_1v1", "--quick")),
    ("check", ("check", path_of("raiser"), "--env", "tictactoe_1v1", "--quick")),
    ("analyse", ("analyse", "h8i9h9i8h10i10h7i7h6", "--whole", "--seconds", "0.02")),
    ("analyse", ("analyse", "f5d6c3", "--whole", "--seconds", "0.02", "--env", "reversi_8x8_1v1")),
    ("analyse_position", ("analyse", "h8i9h9i8h10i10h7i7", "--seconds", "0.02")),
    ("analyse_position", ("analyse", "f5d6c3", "--seconds", "0.02", "--env", "reversi_8x8_1v1")),
    ("bench", ("bench", "speed", "greedy", "--quick", "--quiet")),
    ("bench", ("bench", "latency", "random", *LATENCY)),
]  # fmt: skip


def test_every_command_with_json_has_a_schema():
    found = set()
    for name, each in get_command(cli.app).commands.items():
        for command in [each, *getattr(each, "commands", {}).values()]:
            if any("--json" in option.opts for option in command.params):
                found.add(name)
    assert found - {"sprt"} == set(doc_tables.RECORDS) - {"analyse_position"}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "arguments"), WRITTEN)
def test_what_a_command_writes_follows_its_schema(name, arguments, tengen, tmp_path):
    code, _, err = tengen(*arguments, "--json=found.json")
    assert code in (0, 1), err
    found = json.loads((tmp_path / "found.json").read_text())
    jsonschema.validate(found, json.loads((doc_tables.SCHEMAS / f"{name}.json").read_text()))
    record = msgspec.convert(found, doc_tables.RECORDS[name], dec_hook=lambda kind, given: kind(given))
    assert as_json(record) == found  # the output has no field that the schema lacks
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate([], json.loads((doc_tables.SCHEMAS / f"{name}.json").read_text()))


@pytest.fixture
def examined(monkeypatch):
    """Makes `tengen doctor` report made-up findings, without a look at this machine."""
    findings = [Finding("bubblewrap", False, "not installed", decides=False), Finding("an agent", True, "no network")]
    monkeypatch.setattr(doctor, "examine", lambda: findings)
    return findings


@pytest.mark.parametrize("name", listings.LISTINGS)
def test_a_listing_may_go_to_stdout_or_into_a_file(name, tengen, tmp_path, examined):
    code, out, err = tengen(name, "--json")
    assert (code, err) == (0, "")
    msgspec.json.decode(out, type=listings.LISTINGS[name])
    assert tengen(name, "--json", "all.json") == tengen(name) and (tmp_path / "all.json").read_text() == out
    assert tengen("--lang", "zh", name, "--json")[1] == out


def test_what_they_list(tengen, examined):
    found = json.loads(tengen("opponents", "--json")[1])
    assert [each["name"] for each in found["agents"]] == list(BUILT_INS) and len(found["levels"]) == len(LEVELS)
    assert found["agents"][0]["games"] == names() and found["agents"][0]["options"]["depth"] is None
    games = {each["name"]: each for each in json.loads(tengen("games", "--json")[1])["games"]}
    assert list(games) == names() and games["reversi_1v1"]["in_a_row"] is None
    assert [games["gobang_1v1"][key] for key in ("rows", "in_a_row", "platform")] == [15, 5, "jidi"]
    examined.append(Finding("an agent", False, "has no network"))
    code, out, _ = tengen("doctor", "--json")
    assert (code, json.loads(out)) == (1, {"good": False, "findings": [vars(each) for each in examined]})


def test_the_schemas_in_docs_are_those_of_the_code():
    made = doc_tables.schemas()
    assert {path.name: path.read_text("utf-8") for path in doc_tables.SCHEMAS.iterdir()} == made
