"""What all commands share: usage errors in one form, `-h`, one name for one option."""

import os
import re
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from env_adapter.setup import LARGEST_BOARD
from local_runner.command_line import parser
from local_runner.command_line.options import located
from local_runner.commands import cli
from local_runner.game.coordinates import LETTERS
from local_runner.language import languages
from local_runner.processes.engine.levels import LEVELS
from local_runner.system import exit_codes

ROOT = Path(__file__).resolve().parents[3]
MATCH = ("--env", "tictactoe_1v1")


USAGE = [  # command line -> the sentence, before "(see COMMAND -h)"
    ("match greedy", "B is missing"),
    ("match a b c d", "too many arguments: c d"),
    ("replay h8 i9 i8", "too many arguments: i9 i8; give one file, or all moves in quotation marks"),
    ("match a b --games 0", "--games must be a whole number from 1 to 100000, not '0'"),
    ("match a b --seed x", "--seed must be a whole number from 0 to 2147483647, not 'x'"),
    ("sprt a b --elo0 x", "--elo0 must be a number from -200 to 200, not 'x'"),
    ("match a b --time nan", "--time must be a number from 0.001 to 3600, not 'nan'"),
    ("match a b --time inf", "--time must be a number from 0.001 to 3600, not 'inf'"),
    ("match a b --games", "--games needs a value"),
    ("match a b --out=", "--out needs a value"),
    ("match a b --quiet=1", "--quiet takes no value"),
    ("match a b --time=1 --time 2", "--time is given twice; give it once"),
    ("match a b --gmaes 1", "unknown option '--gmaes'; did you mean --games?"),
    ("match a b -games=2", "unknown option '-games'; did you mean --games?"),
    ("match a b -gmaes 2", "unknown option '-gmaes'; did you mean --games?"),
    ("match a b --rounds 2", "unknown option '--rounds'; did you mean --games?"),
    ("match a b -x", "unknown option '-x'"),
    ("tournament a b -concurrency 2", "unknown option '-concurrency'; did you mean --jobs?"),
    ("sprt a b --model logistical", "unknown --model 'logistical'; did you mean logistic?"),
    ("match a b --sandbox onn", "unknown --sandbox 'onn'; did you mean on?"),
    ("games all.txt --json", "too many arguments: all.txt"),
    ("help", "unknown command 'help'; did you mean -h?"),
    ("mtach", "unknown command 'mtach'; did you mean match?"),
    ("bench nothing", "unknown command 'nothing'; choose one of: speed, latency"),
    ("-v", "unknown option '-v'; did you mean --version?"),
    ("-games 2", "--games stands after the command that has it: match"),
]


@pytest.mark.parametrize(("arguments", "line"), USAGE)
def test_usage(arguments, line, tengen):
    name = arguments.split()[0]
    command = f"tengen {name}" if (name,) in COMMANDS else "tengen"
    assert tengen(*arguments.split()) == (2, "", f"tengen: {line} (see {command} -h)\n")


@pytest.mark.parametrize(("arguments", "line"), [
    ("sprt --resume my.jsonl", "a test goes on by another command: tengen tournament --resume my.jsonl"),
    ("play a --colour whit", "unknown colour 'whit'; did you mean white?"),
    ("play levle3", "unknown agent 'levle3'; did you mean level3? (or give the path of a submission.py)"),
])  # fmt: skip
def test_a_wrong_name(arguments, line, tengen):
    assert tengen(*arguments.split()) == (2, "", f"tengen: {line}\n")


def test_an_empty_word_and_a_position_that_begins_with_a_dash(tengen):
    """An empty variable in a script, as in `--out "$OUT"`, would else mean the current folder or the default."""
    assert tengen("check", "")[2] == "tengen: an argument is empty (see tengen check -h)\n"
    assert tengen("match", "a", "b", "--out", "")[2] == "tengen: --out needs a value (see tengen match -h)\n"
    position = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27
    assert tengen("replay", position)[0] == 0


@pytest.mark.parametrize("word", ["zh", "zh-CN", "zh_CN", "ZH", "zh_CN.UTF-8", "zh-Hans"])
def test_a_language_may_be_named_as_a_locale(word, tengen):
    chinese = tengen("--lang", "zh", "match")
    assert tengen("match", "--lang", word) == tengen("match", f"--lang={word}") == chinese
    assert languages.requested() == "zh" and "A is missing" not in chinese[2]


def test_help_may_have_one_dash(tengen):
    assert tengen("match", "-help") == tengen("match", "-h") == tengen("match", "--help")
    assert tengen("-help") == tengen("-h")


def test_a_command_is_one_file(tmp_path, monkeypatch):
    """Only the module of the command that is asked for is imported."""
    (tmp_path / "added").mkdir()
    (tmp_path / "added" / "__init__.py").touch()
    (tmp_path / "added" / "say_hello.py").write_text(
        'ORDER = 1\ndef say_hello(name: str) -> None:\n    """Say hello."""\n    print("hello", name)\n'
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


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_h_shows_the_help_of_every_command(path, tengen, monkeypatch):
    """Values are named by what they are, not by their type."""
    monkeypatch.setenv("COLUMNS", "200")
    code, out, err = tengen(*path, "-h")
    assert (code, err) == (0, "") and " ".join(["Usage: tengen", *path]) in out
    assert not re.findall(r"<(?:bool|str|int|float|path|list)\b[^>]*>|INTEGER|TEXT", out)


def test_tengen_alone_shows_its_help(tengen):
    assert tengen()[1:] == tengen("-h")[1:] and tengen()[0] == 2


def test_every_number_has_bounds():
    """They are those of the product, and a number outside them is refused before any work begins."""
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
    """Those that differ in help name another file, or another default."""
    named = {}
    for command in COMMANDS.values():
        for option in command.params:
            if option.param_type_name == "option":
                named.setdefault(option.opts[0], set()).add((option.metavar, option.help))
    several = {name for name, texts in named.items() if len(texts) > 1}
    files = {"--out", "--json", "--html", "--resume", "--game", "--ply"}
    assert several <= {
        *files,
        "--jobs",
        "--env",
        "--openings",
        "--games",
        "--rounds",
        "--quick",
        "--depth",
        "--time",
        "--seconds",
    }
    assert {"--memory", "--sandbox", "--seed", "--rules", "--python", "--quiet"} <= set(named) - several


def test_the_docs_have_the_options_and_exit_codes_that_there_are():
    text = (ROOT / "docs" / "en" / "reference" / "commands.md").read_text("utf-8")
    codes = re.findall(r"^\| (\d+) \| (.+) \|$", text, re.MULTILINE)
    assert codes == [(str(int(code)), exit_codes.MEANINGS[code]) for code in exit_codes.ExitCode]
    known = {name for command in COMMANDS.values() for option in command.params for name in option.opts}
    named = re.findall(r"`(--[a-z]+)", text.partition("| option |")[2].partition("exit code")[0])
    assert set(named) <= known and {"--time", "--jobs", "--out", "--lang"} <= set(named)


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
def test_an_interpreter_may_be_a_relative_path_or_a_name(tengen, tmp_path, monkeypatch):
    script = tmp_path / "here" / "python"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    assert (
        tengen("match", "greedy", "random", *MATCH, "--games", 1, "--python", "here/python", "--sandbox", "off")[0] == 0
    )
    monkeypatch.setenv("PATH", "here", prepend=os.pathsep)  # a relative folder
    script.rename(script.with_name("named"))
    assert located("named") == str(script.with_name("named"))
