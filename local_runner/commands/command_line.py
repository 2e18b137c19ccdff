"""What all commands of the command line share: `-h`, old names of options, and one form of usage error.

`CommandLine` is a Typer whose commands are `TengenCommand`s and whose groups are `TengenGroup`s. Errors of the parser
become a `UsageMistake`, one sentence like every RunnerError. Commands may share options by a parameter that is a
dataclass of them.
"""

import functools
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import typer
from rich.markup import escape
from typer.core import TyperCommand, TyperGroup

from local_runner.errors import RunnerError
from local_runner.language.languages import CHINESE, _, used
from local_runner.language.suggestions import unknown
from local_runner.system.exit_codes import ExitCode

if TYPE_CHECKING:
    from rich.text import Text

Command = TypeVar("Command", bound=Callable[..., Any])
ParserError: type[Exception] = typer.BadParameter.__mro__[1]  # UsageError, of click or of typer's copy of click

OLD_NAMES = {  # still understood
    "--st": "--time", "--concurrency": "--jobs", "--processes": "--jobs", "--output": "--out", "--log-dir": "--out",
    "--moves": "--positions",
}  # fmt: skip
FRAME = {  # what typer writes around the help
    "ARGUMENTS_PANEL_TITLE": "Arguments",
    "OPTIONS_PANEL_TITLE": "Options",
    "COMMANDS_PANEL_TITLE": "Commands",
    "DEFAULT_STRING": "[default: {}]",
    "REQUIRED_LONG_STRING": "[required]",
}
# What a help page calls the value of a parameter that does not say it itself: by the parameter's name, else N.
VALUES = {
    "agent": "AGENT", "agents": "AGENT", "against": "AGENT", "black": "AGENT", "white": "AGENT", "file": "FILE",
    "game": "GAME", "env": "GAME", "openings": "BOOK", "platform": "PLATFORM", "source": "FOLDER", "folder": "FOLDER",
    "elo0": "ELO", "elo1": "ELO", "alpha": "P", "beta": "P", "think": "SECONDS", "port": "PORT",
}  # fmt: skip
JSON, STDOUT = "--json", "-"
# What stays on one line in Chinese: a character or a word, with the marks that may not begin or end a line.
WIDE, OPENING, CLOSING = "\u2e80-\ua4cf\uf900-\ufaff\uff00-\uffef", "（《“", "，。：；、！？）》”"
UNBROKEN = re.compile(
    rf"\s*(?:[{OPENING}]*(?:[{WIDE}]|[^\s{WIDE}{OPENING}{CLOSING}]+)[{CLOSING}]*|\S)\s*"
)


class UsageMistake(RunnerError):
    """A command line that cannot be read; the message names the help page."""


class CommandLine(typer.Typer):
    """A Typer app with the project's commands and groups."""

    def __init__(self, name: str, **settings: Any) -> None:
        names = {"help_option_names": ["-h", "--help"]}
        super().__init__(
            name=name, cls=TengenGroup, context_settings=names, add_completion=False, pretty_exceptions_enable=False,
            rich_markup_mode="rich", **settings,
        )  # fmt: skip

    def command(self, *given: Any, **settings: Any) -> Callable[[Command], Command]:
        """As in Typer; a parameter that is a dataclass stands for its fields."""
        register = super().command(*given, **{"cls": TengenCommand, **settings})

        def registered(command: Command) -> Command:
            register(_spread(command))
            return command

        return registered


def _spread(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the fields of its dataclasses as parameters of its own, since Typer has no groups of options."""
    given = inspect.signature(command, eval_str=True).parameters.values()
    groups: dict[str, Any] = {each.name: each.annotation for each in given if is_dataclass(each.annotation)}
    fields = {name: inspect.signature(group).parameters for name, group in groups.items()}

    @functools.wraps(command)
    def spread(**values: Any) -> Any:
        made = {name: groups[name](**{field: values.pop(field) for field in fields[name]}) for name in groups}
        return command(**made, **values)

    flat = [part for each in given for part in fields.get(each.name, {each.name: each}).values()]
    named = [part.replace(kind=inspect.Parameter.KEYWORD_ONLY) for part in flat]
    spread.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
    return spread


class _Translated:
    """Translates what a command's help does not take from the command itself."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _frame_help()
        super().format_help(ctx, formatter)  # type: ignore[misc]

    def get_usage(self, ctx: Any) -> str:
        usage: str = super().get_usage(ctx)  # type: ignore[misc]
        return usage.replace("Usage:", _("Usage:"), 1)

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help, option.metavar = _("Show this help and exit."), ""
        return option


class TengenCommand(_Translated, TyperCommand):
    """A command that understands old names of its options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, list(in_new_words(_with_long_help(args), _options(self))))
        except ParserError as error:
            _explain(error, self, ctx)


class TengenGroup(_Translated, TyperGroup):
    """A group of commands; alone it shows its help, unless it does something by itself."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args and not self.invoke_without_command:
            typer.echo(ctx.get_help())
            raise typer.Exit(ExitCode.USAGE)
        try:
            return super().parse_args(ctx, _with_long_help(args))
        except ParserError as error:
            _explain(error, self, ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands:
            raise UsageMistake(_with_help(unknown(_("command"), args[0], self.commands), ctx))
        return super().resolve_command(ctx, args)


def help_texts(command: Any) -> Iterator[tuple[Any, str, str]]:
    """Every help text of a command, its parameters and its subcommands: whose it is, in which field, and the text.

    Paragraphs are without line breaks.
    """
    fields = [(command, "help"), (command, "epilog"), *((parameter, "help") for parameter in command.params)]
    for owner, field in fields:
        if text := getattr(owner, field, None):
            yield owner, field, "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
    for each in getattr(command, "commands", {}).values():
        yield from help_texts(each)


def in_language(command: Any) -> Any:
    """The command with its help in the language that is used; brackets in it are no markup."""
    for owner, field, text in list(help_texts(command)):
        setattr(owner, field, escape(_(text)))
    _name_values(command)
    return command


def _name_values(command: Any) -> None:
    """Let the help name every value by what it is, where typer would write a type such as <list[str]>."""
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            parameter.display_type_rich = lambda ctx: None  # the name says it
        if parameter.metavar is None:
            parameter.metavar = "" if getattr(parameter, "is_flag", False) else VALUES.get(parameter.name, "N")
    for each in getattr(command, "commands", {}).values():
        _name_values(each)


def _frame_help() -> None:
    """Let typer write its own words in the language that is used, and break lines as that language does.

    Rich breaks lines at spaces only, which Chinese has not.
    """
    from rich import _wrap  # here, because the import is slow
    from typer import rich_utils

    if used() == CHINESE:
        _wrap.re_word = UNBROKEN

    class Folding(rich_utils.OptionHighlighter):
        def highlight(self, text: "Text") -> None:
            super().highlight(text)
            text.overflow = "fold"

    for name, text in FRAME.items():
        setattr(rich_utils, name, _(text))
    rich_utils.highlighter = Folding()


def in_new_words(arguments: Sequence[str], options: Mapping[str, bool]) -> Iterator[str]:
    """The arguments with the new names of options, and with the value that `--json` may leave out.

    `options`: the command's options, and whether each takes a value. A word after `--json` is its file if it ends with
    .json or is "-"; without a file, the result goes to stdout.

    >>> list(in_new_words(["a", "--st=2", "--json", "--", "--st"], {"--time": True, "--json": True}))
    ['a', '--time=2', '--json=-', '--', '--st']
    """
    for number, word in enumerate(arguments):
        if word == "--":
            yield from arguments[number:]
            return
        name, equals, value = word.partition("=")
        if name not in options and OLD_NAMES.get(name) in options:
            word = OLD_NAMES[name] + equals + value
        after = arguments[number + 1] if number + 1 < len(arguments) else ""
        if word == JSON and options.get(JSON) and not (after == STDOUT or after.endswith(".json")):
            word = f"{JSON}={STDOUT}"
        yield word


def _with_long_help(arguments: Sequence[str]) -> list[str]:
    """The arguments with --help for -help, which the parser would take for `-h -e -l -p`."""
    return ["--help" if word == "-help" else word for word in arguments]


def _options(command: Any) -> dict[str, bool]:
    """The options of a command, also the hidden ones, and whether each takes a value."""
    own = (parameter for parameter in command.params if parameter.param_type_name == "option")
    return {name: not parameter.is_flag for parameter in own for name in parameter.opts}


def _explain(error: Any, command: Any, context: Any) -> NoReturn:
    """Raise the parser's error as one sentence."""
    raise UsageMistake(_with_help(_sentence(error, command), context)) from error


def _with_help(sentence: str, context: Any) -> str:
    return _("{sentence} (see {command} -h)").format(sentence=sentence, command=context.command_path)


def _sentence(error: Any, command: Any) -> str:
    """What is wrong, told from the fields of the parser's errors, whose words differ between its versions."""
    parameter = getattr(error, "param", None)
    where = _name(parameter)
    match type(error).__name__:
        case "NoSuchOption":
            commands = getattr(command, "commands", {}).items()
            if places := [name for name, each in commands if error.option_name in _options(each)]:
                sentence = _("{option} stands after the command that has it: {commands}")
                return sentence.format(option=error.option_name, commands=", ".join(places))
            return unknown(_("option"), error.option_name, _options(command), all_known=False)
        case "MissingParameter":
            return _("{argument} is missing").format(argument=where)
        case "BadOptionUsage" if "require" in error.message:
            return _("{option} needs a value").format(option=error.option_name)
        case "BadOptionUsage":
            return _("{option} takes no value").format(option=error.option_name)
        case "BadParameter" if choice := re.search(r"'(.*)' is not one of (.+)", error.message):
            return unknown(where, choice[1], re.findall(r"'([^']+)'", choice[2]))
        case "BadParameter" if (bounds := _bounds(parameter)) != (None, None):
            least, most = bounds
            if most is None:
                return _("{option} must be a number of at least {least}").format(option=where, least=least)
            return _("{option} must be a number from {least} to {most}").format(option=where, least=least, most=most)
        case "BadParameter" if where and "valid integer" in error.message:
            return _("{option} must be a whole number").format(option=where)
        case "BadParameter" if where and re.search("valid (number|float)", error.message):
            return _("{option} must be a number").format(option=where)
        case "BadParameter" if where:
            return f"{where}: {_lowered(error.message)}"
        case "UsageError" if extra := re.search(r"extra arguments?\S* \((.+)\)", error.message):
            return _("too many arguments: {arguments}").format(arguments=extra[1])
    return _lowered(error.message)


def _bounds(parameter: Any) -> tuple[float | None, float | None]:
    """The least and the greatest value of a number, which older versions of typer keep in its type."""
    owner = parameter if hasattr(parameter, "min") else getattr(parameter, "type", None)
    return getattr(owner, "min", None), getattr(owner, "max", None)


def _name(parameter: Any) -> str:
    if parameter is None:
        return ""
    is_option = parameter.param_type_name == "option"
    return str(parameter.opts[-1] if is_option else parameter.metavar or parameter.name.upper())


def _lowered(text: str) -> str:
    text = text.strip().removesuffix(".")
    return text[:1].lower() + text[1:]
