"""The parser of all commands, based on the library Typer.

To Typer's apps, commands and groups, it adds help in the user's language (help_page.py), one sentence for each error of
the parser (`UsageMistake`), and parameters whose type is a dataclass with options as its fields.
"""

import functools
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from local_runner.command_line import help_page
from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _, listed, shown, unknown
from local_runner.language.text import shortened
from local_runner.terminal.output import STDOUT, ExitCode

Command = TypeVar("Command", bound=Callable[..., Any])

# Option of another match runner, without dashes -> our option, which the error suggests if the command has it.
HABITS = {
    "concurrency": "--jobs", "games": "--rounds", "j": "--jobs", "movetime": "--time", "o": "--out",
    "rounds": "--games", "size": "--board-size", "st": "--time", "tc": "--time", "threads": "--jobs", "v": "--version",
}  # fmt: skip
JSON = "--json"
MANY_MOVES = Message("too many arguments: {arguments}; give one file, or all moves in quotation marks")
POSITION = re.compile(r"-[-xoXO*bwBW012]{15}")  # the beginning of a position as an argument
SHOWN = 20  # most columns of a wrong value in a message


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
        try:
            rest: list[str] = super().parse_args(ctx, list(args))  # type: ignore[misc]
        except typer.TyperException as error:
            raise _mistake(_sentence(error, self, args), ctx) from error
        return rest


class TengenCommand(_Explained, TyperCommand):
    """A command. Its words are read once; those that the parser would misread are changed before (`_prepared`)."""

    allow_extra_args = True  # `parse_args` refuses extra arguments by a sentence of ours
    too_many = Message("too many arguments: {arguments}")

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:  # for completion
            return super().parse_args(ctx, args)
        if sentence := _empty_or_twice(args, self):
            raise _mistake(sentence, ctx)
        if rest := super().parse_args(ctx, list(_prepared(args, moves=_takes_moves(self)))):
            sentence = MANY_MOVES if _takes_moves(self) else self.too_many
            raise _mistake(shown(Message(sentence, arguments=" ".join(rest))), ctx)
        return rest


class TengenGroup(_Explained, TyperGroup):
    """A group of commands. Without a subcommand, the group's own action runs; a group without one shows its help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args and not self.invoke_without_command and not ctx.resilient_parsing:
            typer.echo(ctx.get_help())
            raise typer.Exit(ExitCode.USAGE)
        return super().parse_args(ctx, ["--help", *args[1:]] if args[:1] == ["-help"] else args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands:
            meant = "-h" if args[0] == "help" else ""
            raise _mistake(unknown(_("command"), args[0], self.commands, meant=meant), ctx)
        return super().resolve_command(ctx, args)


def _empty_or_twice(args: Sequence[str], command: Any) -> str:
    """The sentence about an empty word, as from `--out "$OUT"`, or about an option that is given twice; "" if none."""
    named = [word.partition("=")[0] for word in args[: args.index("--") if "--" in args else None]]
    for each in command.params:
        once = each.param_type_name == "option" and not (each.is_flag or each.multiple)
        if once and sum(named.count(option) for option in each.opts) > 1:
            return _("{option} is given twice; give it once").format(option=_name(each))
    for before, word in zip(["", *args], args, strict=False):
        option = word[:-1] if re.fullmatch("--[a-z0-9-]+=", word) else "" if word else before
        if option.startswith("--"):
            return _("{option} needs a value").format(option=option)
        if not word:
            return _("an argument is empty")
    return ""


def _prepared(args: Sequence[str], *, moves: bool) -> Iterator[str]:
    """The words of a command, changed where the parser would misread them.

    `--json` has a file if the next word ends with .json or is "-"; else it gets "-", which is stdout. A position such
    as ---OX--- gets a blank before it where the command takes `moves`. `-help` is --help, not -h -e -l -p.

    >>> list(_prepared(["a", "--json", "b", "-help", "--", "--json"], moves=True))
    ['a', '--json=-', 'b', '--help', '--', '--json']
    """
    for number, word in enumerate(args):
        if word == "--":
            yield from args[number:]
            return
        after = args[number + 1] if number + 1 < len(args) else ""
        if word == JSON and after != STDOUT and not after.endswith(".json"):
            yield f"{JSON}={STDOUT}"
        elif moves and POSITION.match(word):
            yield f" {word}"
        else:
            yield "--help" if word == "-help" else word


def _takes_moves(command: Any) -> bool:
    return any("MOVES" in (each.metavar or "") for each in command.params if each.param_type_name == "argument")


def _mistake(sentence: str, context: Any) -> UsageMistake:
    return UsageMistake(_("{sentence} (see {command} -h)").format(sentence=sentence, command=context.command_path))


def _sentence(error: Any, command: Any, args: Sequence[str]) -> str:
    """The parser's error as a sentence in the user's language. `command`: the command that was parsed."""
    option: str = getattr(error, "option_name", "")
    parameter: Any = getattr(error, "param", None)
    match type(error).__name__:
        case "NoSuchOption":  # of `-games`, the parser names only -g
            letters = (word.partition("=")[0] for word in args if re.match("-[^-].", word) and len(option) == 2)
            return _unknown_option(next((word for word in letters if option[1] in word), option), command)
        case "BadOptionUsage":
            sentence = _("{option} needs a value") if _options(command).get(option) else _("{option} takes no value")
            if values := next((each.metavar for each in command.params if option in each.opts and each.nargs > 1), ""):
                sentence = _("{option} needs two values: {values}")
            return sentence.format(option=option, values=values)
        case "MissingParameter":
            return _("{argument} is missing").format(argument=_name(parameter))
        case "BadParameter" if error.__cause__ is not None:  # the cause is an error of pydantic, which has the value
            kind, value = parameter.type_descriptor, str(error.__cause__.errors()[0]["input"])
            if kind.choices is not None:
                return unknown(_name(parameter), value, [each.value for each in kind.choices])
            if parameter.max is None:
                sentence = _("{option} must be a number, not {given}")
            elif kind.annotation is int:
                sentence = _("{option} must be a whole number from {least} to {most}, not {given}")
            else:
                sentence = _("{option} must be a number from {least} to {most}, not {given}")
            return sentence.format(option=_name(parameter), least=parameter.min, most=parameter.max,
                                   given=f"'{shortened(value, SHOWN)}'")  # fmt: skip
    return str(error.format_message())


def _unknown_option(word: str, command: Any) -> str:
    """The sentence about an option that the command does not have."""
    bare, known = word.lstrip("-"), _options(command)
    commands = getattr(command, "commands", {}).items()
    if places := [other for other, each in commands if {word, f"--{bare}"} & _options(each).keys()]:
        sentence = _("{option} stands after the command that has it: {commands}")
        return sentence.format(option=f"--{bare}" if len(bare) > 1 else word, commands=listed(places))
    meant = HABITS.get(bare.lower(), "")
    return unknown(_("option"), word, known, all_known=False, meant=meant if meant in known else "")


def _options(command: Any) -> dict[str, bool]:
    """The options of a command, including hidden ones: name -> whether the option takes a value."""
    own = (parameter for parameter in command.params if parameter.param_type_name == "option")
    return {name: not parameter.is_flag for parameter in own for name in parameter.opts}


def _name(parameter: Any) -> str:
    is_option = parameter.param_type_name == "option"
    return str(parameter.opts[-1] if is_option else parameter.metavar or parameter.name.upper())


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
            self._made[name] = made = help_page.in_language(typer.main.get_command(app))
            made.examples, made.rich_help_panel = getattr(module, "EXAMPLES", ()), module.PLACE[0]
            made.too_many = getattr(module, "TOO_MANY", TengenCommand.too_many)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._modules, key=lambda name: importlib.import_module(self._modules[name]).PLACE[1]))

    def __len__(self) -> int:
        return len(self._modules)
