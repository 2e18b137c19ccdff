"""The numbers on a command line: every one has bounds, and a wrong one gets one sentence before any work begins."""

import itertools

import pytest

from env_adapter.setup import LARGEST_BOARD
from local_runner.commands.shared import numbers
from local_runner.game.coordinates import LETTERS
from local_runner.processes.engine.levels import LEVELS
from tests.local_runner.commands.test_command_line import COMMANDS

NUMERIC = {
    (path, parameter.opts[0] if parameter.param_type_name == "option" else parameter.name.upper()): parameter
    for path, command in COMMANDS.items()
    for parameter in command.params
    if numbers.is_number(parameter)
}
NO_NUMBERS = ["", " ", "x", "inf", "-inf", "nan", "NaN", "infinity", "1_0", "1,5", "０", "２", "٣", "1e400", "--",
              "0x10", "9" * 30, "-" + "9" * 30, "2 ", "½", "1e", "1.2.3", "1\n", "9" * 5000]  # fmt: skip
NO_WHOLE_NUMBERS = ["1e3", "1.0", "2.5", "1e-3"]


def test_every_number_has_bounds():
    assert len(NUMERIC) > 40
    assert [where for where, each in NUMERIC.items() if each.min is None or each.max is None] == []


@pytest.mark.parametrize("where", NUMERIC, ids=lambda where: " ".join([*where[0], where[1]]))
def test_what_is_no_number_is_one_sentence(where, tengen, tmp_path):
    (path, name), parameter = where, NUMERIC[where]
    is_whole = parameter.type_descriptor.annotation is int
    is_option = name.startswith("-")
    beyond = [str(parameter.max + 1), *([str(parameter.min - 1)] if is_option else [])]
    kind = "a whole number" if is_whole else "a number"
    sentence = f"{name} must be {kind} from {parameter.min} to {parameter.max}, not "
    for text in [*NO_NUMBERS, *beyond, *(NO_WHOLE_NUMBERS if is_whole else ["1e309"])]:
        assert numbers.mistake(name, parameter, text).startswith(sentence), text
    for text in (str(parameter.min), str(parameter.max), f"+{parameter.max}"):
        assert numbers.mistake(name, parameter, text) == ""
    code, out, err = tengen(*path, *([name, "nan"] if is_option else ["file", "nan"]))
    assert (code, out, err) == (2, "", f"tengen: {sentence}'nan' (see {' '.join(['tengen', *path])} -h)\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("given", "meant"), [
    ("1e3", "; write 1000"), ("２", "; write 2"), ("1_000", "; write 1000"), ("1,000", "; write 1000"),
    ("2.0", "; write 2"), (" 5", "; write 5"), ("2.5", ""), ("1e9", ""), ("x", ""), ("-2", ""), ("−2", ""),
])  # fmt: skip
def test_the_number_that_was_meant_is_named(given, meant, tengen):
    err = tengen("match", "a", "b", f"--games={given}")[2]
    sentence = f"--games must be a whole number from 1 to 100000, not '{given}'{meant}"
    assert err == f"tengen: {sentence} (see tengen match -h)\n"


@pytest.mark.parametrize(
    ("given", "value"), [("0.5", 0.5), (".5", 0.5), ("5.", 5), ("+2", 2), ("1e-2", 0.01), ("1E1", 10)]
)
def test_numbers_that_are_right(given, value):
    command = COMMANDS["match",]
    with command.make_context("match", ["greedy", "random", "--time", given]) as context:
        assert context.params["time"] == value


def test_the_bounds_are_those_of_the_product():
    assert NUMERIC[("match",), "--board-size"].max == LARGEST_BOARD == len(LETTERS)
    assert NUMERIC[("play",), "--level"].max == len(LEVELS)


@pytest.mark.parametrize("option", ["--games=2", "--time=1", "--env=tictactoe_1v1", "--python=python3"])
def test_an_option_is_given_once(option, tengen):
    name = option.partition("=")[0]
    assert tengen("match", "greedy", "random", option, option)[2].startswith(f"tengen: {name} is given twice; give it")


def test_help_comes_before_mistakes(tengen):
    assert tengen("match", "--games", "x", "-h") == tengen("match", "-h")


def test_options_that_may_be_repeated_are_not_given_twice():
    repeatable = {each.opts[0] for command in COMMANDS.values() for each in command.params if each.multiple}
    assert repeatable == {"--agent", "--env", "--load", "--out", "--set"}
    assert list(itertools.chain(*(each.opts for each in COMMANDS["check",].params if each.multiple))) == ["--env"]
