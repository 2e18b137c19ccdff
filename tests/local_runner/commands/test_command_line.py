"""What all commands share: usage errors in one form, `-h`, one name for one option."""

import os
import re
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from local_runner.commands import cli
from local_runner.commands.shared import command_line, other_names
from local_runner.commands.shared.options import located
from local_runner.language import languages
from local_runner.system import exit_codes

ROOT = Path(__file__).resolve().parents[3]
MATCH = ("--env", "tictactoe_1v1")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("match greedy", "B is missing (see tengen match -h)"),
        ("match a b c d", "too many arguments: c d (see tengen match -h)"),
        (
            "replay h8 i9 i8",
            "too many arguments: i9 i8; write moves as one argument, in quotation marks (see tengen replay -h)",
        ),
        ("match a b --games 0", "--games must be a whole number from 1 to 100000, not '0' (see tengen match -h)"),
        ("match a b --seed x", "--seed must be a whole number from 0 to 2147483647, not 'x' (see tengen match -h)"),
        ("sprt a b --elo0 x", "--elo0 must be a number from -200 to 200, not 'x' (see tengen sprt -h)"),
        ("match a b --games", "--games needs a value (see tengen match -h)"),
        ("match a b --quiet=1", "--quiet takes no value (see tengen match -h)"),
        ("match a b --gmaes 1", "unknown option '--gmaes'; did you mean --games? (see tengen match -h)"),
        ("sprt --resume my.db", "a test goes on by another command: tengen tournament --resume my.db"),
        ("match a b -games 2", "unknown option '-games'; did you mean --games? (see tengen match -h)"),
        ("match a b -games=2", "unknown option '-games'; did you mean --games? (see tengen match -h)"),
        ("match a b -gmaes 2", "unknown option '-gmaes'; did you mean --games? (see tengen match -h)"),
        ("match -engine cmd=a", "unknown option '-engine'; did you mean tengen match A B? (see tengen match -h)"),
        ("match a b --rounds 2", "unknown option '--rounds'; did you mean --games? (see tengen match -h)"),
        (
            "match a b -concurrency 2",
            "unknown option '-concurrency'; did you mean tengen tournament --jobs? (see tengen match -h)",
        ),
        (
            "tournament a b --concurrency 2",
            "unknown option '--concurrency'; did you mean --jobs? (see tengen tournament -h)",
        ),
        ("tournament a b --games 2", "unknown option '--games'; did you mean --rounds? (see tengen tournament -h)"),
        ("analyse h8 -multipv 3", "unknown option '-multipv'; did you mean --lines? (see tengen analyse -h)"),
        ("help", "unknown command 'help'; did you mean -h? (see tengen -h)"),
        ("bench version", "unknown command 'version'; did you mean tengen --version? (see tengen bench -h)"),
        ("-v", "unknown option '-v'; did you mean --version? (see tengen -h)"),
        ("-V", "unknown option '-V'; did you mean --version? (see tengen -h)"),
        ("bench -v", "unknown option '-v'; did you mean tengen --version? (see tengen bench -h)"),
        ("match a b -lang zh", "unknown option '-lang'; did you mean --lang? (see tengen match -h)"),
        ("-games 2", "--games stands after the command that has it: match (see tengen -h)"),
        ("match a b -x", "unknown option '-x' (see tengen match -h)"),
        ("play a --colour whit", "unknown colour 'whit'; did you mean white?"),
        ("play levle3", "unknown agent 'levle3'; did you mean level3? (or give the path of a submission.py)"),
        ("mtach", "unknown command 'mtach'; did you mean match? (see tengen -h)"),
        ("bench nothing", "unknown command 'nothing'; choose one of: speed, latency (see tengen bench -h)"),
        ("--black a", "--black stands after the command that has it: run-log (see tengen -h)"),
        ("bundle --platform jida", "unknown platform 'jida'; did you mean jidi?"),
        ("sprt a b --model logistical", "unknown --model 'logistical'; did you mean logistic? (see tengen sprt -h)"),
        ("match a b --sandbox onn", "unknown --sandbox 'onn'; did you mean on? (see tengen match -h)"),
        (
            "games --json all.txt",
            "--json takes a file that ends with .json; for another file, write --json=all.txt (see tengen games -h)",
        ),
        ("games all.txt --json", "too many arguments: all.txt (see tengen games -h)"),
        ("replay . . ..", "too many arguments: . ..; give one file at a time (see tengen replay -h)"),
        ("bench latency --load hug", "unknown load 'hug'; did you mean hog?"),
    ],
)
def test_usage(arguments, line, tengen):
    assert tengen(*arguments.split()) == (2, "", f"tengen: {line}\n")


def test_what_is_suggested_exists():
    options = {option for command in COMMANDS.values() for each in command.params for option in each.opts}
    for ours in other_names.OPTIONS.values():
        assert set(ours) <= {*options, *other_names.ELSEWHERE, other_names.AGENTS}
    assert {each for each in other_names.COMMANDS.values() if "-" not in each} <= {path[0] for path in COMMANDS if path}


@pytest.mark.parametrize("word", ["zh", "zh-CN", "zh_CN", "ZH", "zh_CN.UTF-8", "zh-Hans"])
def test_a_language_may_be_named_as_a_locale(word, tengen):
    chinese = tengen("--lang", "zh", "match")
    assert tengen("match", "--lang", word) == tengen("match", f"--lang={word}") == chinese
    assert languages.requested() == "zh" and "A is missing" not in chinese[2]


@pytest.mark.parametrize("word", ["en-US", "EN", "en_GB.UTF-8"])
def test_so_may_english(word, tengen):
    assert "A is missing" in tengen("match", "--lang", word)[2]


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
    folder = command_line.CommandFolder("added", without="")
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
TAKES_A_VALUE = [
    (path, each)
    for path, command in COMMANDS.items()
    for each in command.params
    if not getattr(each, "is_flag", False) and not each.hidden
]


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_h_shows_the_help_of_every_command(path, tengen, monkeypatch):
    """Values are named by what they are, not by their type."""
    monkeypatch.setenv("COLUMNS", "200")
    code, out, err = tengen(*path, "-h")
    assert (code, err) == (0, "") and " ".join(["Usage: tengen", *path]) in out
    assert not re.findall(r"<(?:bool|str|int|float|path|list)\b[^>]*>|INTEGER|TEXT", out)


@pytest.mark.parametrize(
    ("path", "parameter"), TAKES_A_VALUE, ids=lambda each: each.name if hasattr(each, "name") else " ".join(each)
)
def test_no_value_is_empty(path, parameter, tengen, tmp_path):
    """An empty variable in a script, as in `--out "$OUT"`, would else mean the current folder or the default."""
    is_option = parameter.param_type_name == "option"
    if "--lang" in parameter.opts:
        given = ["--lang", ""]
    else:
        before = [each for each in COMMANDS[path].params if each.param_type_name == "argument"]
        given = [f"{parameter.opts[0]}="] if is_option else ["1"] * before.index(parameter) + [""]
    code, out, err = tengen(*path, *given)
    assert (code, out, err.count("\n")) == (2, "", 1) and ("needs a value" in err or "not ''" in err or "''" in err)
    assert list(tmp_path.iterdir()) == []


def test_tengen_alone_shows_its_help(tengen):
    assert tengen()[1:] == tengen("-h")[1:] and tengen()[0] == 2


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
