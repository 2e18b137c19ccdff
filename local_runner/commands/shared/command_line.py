"""The parser of all commands, based on the library Typer.

`CommandLine` is a Typer app whose commands are `TengenCommand`s and whose groups are `TengenGroup`s. `CommandLine` adds
three things to Typer: `-h`, help in the user's language, and `UsageMistake`s. A `UsageMistake` is an error of the
parser in one sentence. Commands share options through a parameter whose type is a dataclass with these options as
fields.
"""

import functools
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from local_runner.commands.shared import help_page, managers, numbers, other_names
from local_runner.errors import RunnerError
from local_runner.language.languages import _, listed
from local_runner.language.suggestions import unknown
from local_runner.system.exit_codes import ExitCode
from local_runner.terminal.json_result import STDOUT

Command = TypeVar("Command", bound=Callable[..., Any])

# Parameter -> name of its value on help pages, such as FILE. Other parameters without a metavar have N.
VALUES = {
    "agent": "AGENT", "agents": "AGENT", "against": "AGENT", "black": "AGENT", "white": "AGENT", "file": "FILE",
    "game": "GAME", "env": "GAME", "openings": "BOOK", "platform": "PLATFORM", "source": "FOLDER",
    "elo0": "ELO", "elo1": "ELO", "alpha": "P", "beta": "P", "think": "SECONDS", "port": "PORT",
}  # fmt: skip
JSON = "--json"
POSITION = re.compile(r"-[-xoXO*bwBW012]{15}")  # the beginning of a position as an argument


class UsageMistake(RunnerError):
    """A command line that cannot be parsed. The message refers to the help page."""


class CommandLine(typer.Typer):
    """A Typer app whose commands are `TengenCommand`s and whose groups are `TengenGroup`s."""

    def __init__(self, name: str, *, cls: "type[TengenGroup] | None" = None, **settings: Any) -> None:
        names = {"help_option_names": ["-h", "--help"]}
        super().__init__(
            name=name, cls=cls or TengenGroup, context_settings=names, pretty_exceptions_enable=False,
            rich_markup_mode=None, **{"add_completion": False, **settings},
        )  # fmt: skip

    def command(self, *given: Any, **settings: Any) -> Callable[[Command], Command]:
        """As in Typer, except that a parameter whose type is a dataclass is replaced by the dataclass's fields."""
        register = super().command(*given, **{"cls": TengenCommand, **settings})

        def registered(command: Command) -> Command:
            register(_spread(command))
            return command

        return registered


def _spread(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with each dataclass parameter replaced by the dataclass's fields. Typer has no groups of options."""
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


class _Explained:
    """Mixin for commands and groups: shows our help page, and turns the parser's errors into `UsageMistake`s."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        help_page.show(self, ctx)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        long = ["--help" if word == "-help" else word for word in args]  # the parser reads -help as `-h -e -l -p`
        try:
            if not ctx.resilient_parsing:
                self._check_values(ctx, long)
            arguments: list[str] = super().parse_args(ctx, long)  # type: ignore[misc]
        except typer.TyperException as error:
            if mistake := _mistaken_file(error, args):
                raise UsageMistake(_with_help(mistake, ctx)) from error
            raise UsageMistake(_with_help(_sentence(error, self, ctx, args), ctx)) from error
        return arguments

    def _check_values(self, ctx: Any, args: list[str]) -> None:
        """Raise UsageMistake for an option that is given twice, an empty value, and a text that is no number."""
        given, _rest, order = self.make_parser(ctx).parse_args(args=list(args))  # type: ignore[attr-defined]
        for parameter in () if given.get("help") else order:
            name, value = _name(parameter), given.get(parameter.name)
            once = parameter.param_type_name == "option" and not (parameter.is_flag or parameter.multiple)
            mistake = ""
            if once and order.count(parameter) > 1:
                mistake = _("{option} is given twice; give it once").format(option=name)
            elif "" in ([value] if isinstance(value, str) else value if isinstance(value, list | tuple) else ()):
                mistake = _("{option} needs a value").format(option=name)
            elif isinstance(value, str) and numbers.is_number(parameter):
                mistake = numbers.mistake(name, parameter, value)
            if mistake:
                raise UsageMistake(_with_help(mistake, ctx))


class TengenCommand(_Explained, TyperCommand):
    """A command. A `--json` that takes a file may be given without one, which means stdout."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if _takes_moves(self):  # a blank tells the parser that a position such as ---OX--- is no option
            args = [f" {word}" if POSITION.match(word) else word for word in args]
        if not ctx.resilient_parsing:
            args = managers.translated(args, str(self.name))
        return super().parse_args(ctx, list(with_json_file(args, _options(self).get(JSON, False))))


class TengenGroup(_Explained, TyperGroup):
    """A group of commands. Without a subcommand, the group's own action runs; a group without one shows its help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args and not self.invoke_without_command and not ctx.resilient_parsing:
            typer.echo(ctx.get_help())
            raise typer.Exit(ExitCode.USAGE)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands:
            meant = other_names.command(args[0], self.commands)
            raise UsageMistake(_with_help(unknown(_("command"), args[0], self.commands, meant=meant), ctx))
        return super().resolve_command(ctx, args)


def help_texts(command: Any) -> Iterator[tuple[Any, str, str]]:
    """Every help text of a command, its parameters and its subcommands, without line breaks inside paragraphs.

    Yields the object that has the text, the name of its attribute ("help" or "epilog"), and the text.
    """
    yield from _own_texts(command)
    for each in getattr(command, "commands", {}).values():
        yield from help_texts(each)


def _own_texts(command: Any) -> Iterator[tuple[Any, str, str]]:
    fields = [(command, "help"), (command, "epilog"), *((parameter, "help") for parameter in command.params)]
    for owner, field in fields:
        if text := getattr(owner, field, None):
            yield owner, field, "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def in_language(command: Any) -> Any:
    """Translate a command's help into the current language, and set missing metavars; returns the command."""
    commands = getattr(command, "commands", {})
    known = (
        [] if isinstance(commands, CommandFolder) else list(commands.values())
    )  # a CommandFolder translates its own commands
    for owner, field, text in list(_own_texts(command)):
        setattr(owner, field, _(text))
    for parameter in command.params:
        if parameter.metavar is None:
            parameter.metavar = VALUES.get(parameter.name, "N")
    for each in known:
        in_language(each)
    return command


class CommandFolder(Mapping[str, Any]):
    """The commands in a package's modules, in the current language: name -> command.

    A module is imported only when its command is used. `without`: the name of the only module that is no command.
    """

    def __init__(self, package: str, without: str) -> None:
        modules = pkgutil.iter_modules(importlib.import_module(package).__path__)
        names = [each.name for each in modules if not each.ispkg and each.name != without]
        self._modules = {name.replace("_", "-"): f"{package}.{name}" for name in names}
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            module = importlib.import_module(self._modules[name])
            app = getattr(module, name.replace("-", "_"))
            if not isinstance(app, CommandLine):
                command, app = app, CommandLine(name)
                app.command(name)(command)
            self._made[name] = made = in_language(typer.main.get_command(app))
            made.examples, made.rich_help_panel = getattr(module, "EXAMPLES", ()), getattr(module, "PANEL", None)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._modules, key=lambda name: importlib.import_module(self._modules[name]).ORDER))

    def __len__(self) -> int:
        return len(self._modules)


def with_json_file(arguments: Sequence[str], takes_file: bool) -> Iterator[str]:
    """The arguments, with "-" (stdout) added to each `--json` that has no file.

    The word after `--json` is its file if the word ends with .json or is "-". `takes_file`: whether the command's
    `--json` takes a file; otherwise the arguments are unchanged.

    >>> list(with_json_file(["a", "--json", "--", "--json"], takes_file=True))
    ['a', '--json=-', '--', '--json']
    """
    for number, word in enumerate(arguments):
        if word == "--" or not takes_file:
            yield from arguments[number:]
            return
        after = arguments[number + 1] if number + 1 < len(arguments) else ""
        alone = word == JSON and not (after == STDOUT or after.endswith(".json"))
        yield f"{JSON}={STDOUT}" if alone else word


def _takes_moves(command: Any) -> bool:
    """Whether moves may be given as an argument."""
    return any("MOVES" in (each.metavar or "") for each in command.params)


def _options(command: Any) -> dict[str, bool]:
    """The options of a command, including hidden ones: name -> whether the option takes a value."""
    own = (parameter for parameter in command.params if parameter.param_type_name == "option")
    return {name: not parameter.is_flag for parameter in own for name in parameter.opts}


def _mistaken_file(error: Any, args: Sequence[str]) -> str:
    """The sentence about a word after `--json` that was meant as its file, and is one argument too many; else ""."""
    alone = f"{JSON}={STDOUT}"
    after = args[args.index(alone) + 1 :] if alone in args else ()
    extra = re.search(r"extra argument\S* \((.+)\)", error.message)
    if extra and after and after[0] in extra[1].split():
        return _("--json takes a file that ends with .json; for another file, write --json={word}").format(
            word=after[0]
        )
    return ""


def _with_help(sentence: str, context: Any) -> str:
    return _("{sentence} (see {command} -h)").format(sentence=sentence, command=context.command_path)


def _unknown_option(word: str, command: Any, context: Any) -> str:
    """The sentence about an option that the command does not have."""
    commands, name = getattr(command, "commands", {}).items(), f"--{word.lstrip('-')}"
    if places := [other for other, each in commands if {word, name} & _options(each).keys()]:
        sentence = _("{option} stands after the command that has it: {commands}")
        return sentence.format(option=name if len(word) > 2 else word, commands=listed(places))
    known = _options(command)
    needed = [_name(each) for each in command.params if each.param_type_name == "argument"]
    meant = other_names.option(word, known, " ".join([context.command_path, *needed]) if needed else "")
    return unknown(_("option"), word, known, all_known=False, meant=meant)


def _as_written(option: str, args: Sequence[str]) -> str:
    """The option as its user wrote it: `-games` for -g, since the parser takes letters after one dash one by one."""
    letters = (word.partition("=")[0] for word in args if re.match(r"-[^-].", word))
    return next((word for word in letters if len(option) == 2 and option[1] in word[1:]), option)


def _sentence(error: Any, command: Any, context: Any, args: Sequence[str]) -> str:
    """The parser's error as a sentence in the user's language. `command`: the command that was parsed."""
    parameter: Any = getattr(error, "param", None)
    where = _name(parameter)
    match type(error).__name__:
        case "NoSuchOption":
            return _unknown_option(_as_written(error.option_name, args), command, context)
        case "MissingParameter":
            return _("{argument} is missing").format(argument=where)
        case "BadOptionUsage" if "require" in error.message:
            return _("{option} needs a value").format(option=error.option_name)
        case "BadOptionUsage":
            return _("{option} takes no value").format(option=error.option_name)
        case "BadParameter" if choice := re.search(r"'(.*)' is not one of (.+)", error.message):
            return unknown(where, choice[1], re.findall(r"'([^']+)'", choice[2]))
        case "BadParameter" if where:
            return f"{where}: {_lowered(error.message)}"
        case "UsageError" if extra := re.search(r"extra arguments?\S* \((.+)\)", error.message):
            from local_runner.game.move_text import read_moves  # imports the referee

            moves = read_moves(extra[1], pairs=True)
            if any(moves.cells) and not moves.rest and _takes_moves(command):
                sentence = _("too many arguments: {arguments}; write moves as one argument, in quotation marks")
                return sentence.format(arguments=extra[1])
            sentence = _("too many arguments: {arguments}")
            if all(Path(argument).exists() for argument in extra[1].split()):
                sentence = _("too many arguments: {arguments}; give one file at a time")
            return sentence.format(arguments=extra[1])
    return _lowered(error.message)


def _name(parameter: Any) -> str:
    if parameter is None:
        return ""
    is_option = parameter.param_type_name == "option"
    return str(parameter.opts[-1] if is_option else parameter.metavar or parameter.name.upper())


def _lowered(text: str) -> str:
    text = text.strip().removesuffix(".")
    return text[:1].lower() + text[1:]
