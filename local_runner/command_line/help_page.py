"""The help of commands: their texts in the user's language, and the page that `-h` shows.

A page has the usage, the text, and tables of the arguments, options and subcommands. Typer's own page cannot be
translated, and cannot break lines of Chinese, which has no spaces.
"""

import enum
import inspect
import re
from collections.abc import Iterator
from typing import Any

from local_runner.language.languages import CHINESE, Message, _, current, shown

# UNBROKEN matches a piece of text that no line break may split: text in brackets, a word, or a Chinese character. The
# piece includes Chinese punctuation that may not end a line (OPENING) or begin one (CLOSING).
WIDE, OPENING, CLOSING = "\u2e80-\ua4cf\uf900-\ufaff\uff00-\uffef", "（《“", "，。：；、！？）》”"
UNBROKEN = re.compile(rf"\s*(?:\[[^]]*]|[{OPENING}]*(?:[{WIDE}]|[^\s{WIDE}{OPENING}{CLOSING}]+)[{CLOSING}]*|\S)\s*")
FRAME = 6  # characters of a panel's line that hold no text: its borders and spaces
PANELS = {  # the group in PLACE of a command's module -> title of the group on the page of `tengen -h`
    "play": Message("Play and watch"),
    "games": Message("Files of games"),
    "upload": Message("Your upload"),
    "many": Message("Many games"),
    "lists": Message("What there is, and this machine"),
}
# Parameter -> name of its value on help pages, such as FILE. Other parameters without a metavar have N.
VALUES = {
    "agent": "AGENT", "agents": "AGENT", "against": "AGENT", "black": "AGENT", "white": "AGENT", "file": "FILE",
    "game": "GAME", "env": "GAME", "openings": "BOOK", "platform": "PLATFORM", "source": "FOLDER",
    "elo0": "ELO", "elo1": "ELO", "alpha": "P", "beta": "P", "think": "SECONDS", "port": "PORT",
}  # fmt: skip
Row = tuple[str, str, str]  # the name of a parameter or command, its value, its help


def show(command: Any, context: Any) -> None:
    """Print the help page of a command to stdout."""
    from rich.cells import cell_len  # here, because the import is slow
    from rich.console import Console
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    words = {"[OPTIONS]": _("[OPTIONS]"), "COMMAND [ARGS]...": _("COMMAND [ARGS]...")}
    pieces = [words.get(piece, piece) for piece in command.collect_usage_pieces(context)]
    usage = _("Usage: {command}").format(command=" ".join([context.command_path, *pieces]))
    texts = [usage, *_paragraphs(command.help)]
    console.print(Text("\n" + "\n\n".join(_broken(each, console.width - 2) for each in texts) + "\n"), soft_wrap=True)
    for title, rows in _tables(command, context):
        table = Table.grid(padding=(0, 2, 0, 0))
        widths = [max(cell_len(row[column]) for row in rows) for column in (0, 1)]
        left = max(20, console.width - sum(width + 2 for width in widths if width) - FRAME)
        for name, value, text in rows:
            cells = [Text(name, "bold cyan"), *([Text(value, "bold yellow")] if widths[1] else [])]
            table.add_row(*cells, Text(_broken(text, left), overflow="fold"))
        console.print(Panel(table, title=title, title_align="left", border_style="dim"))
    for text in _paragraphs(command.epilog):
        console.print(Text("\n" + _broken(text, console.width - 2)), soft_wrap=True)


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
    for owner, field, text in list(_own_texts(command)):
        setattr(owner, field, _(text))
    for parameter in command.params:
        if parameter.metavar is None:
            parameter.metavar = VALUES.get(parameter.name, "N")
    commands = getattr(command, "commands", {})
    for each in commands.values() if isinstance(commands, dict) else ():  # a `CommandFolder` translates its own
        in_language(each)
    return command


def _paragraphs(text: str | None) -> list[str]:
    """The paragraphs of a help text. The first paragraph is joined into one line; the others keep their line breaks."""
    first, *others = inspect.cleandoc(text or "").split("\n\n")
    return [" ".join(first.split()), *others] if first else []


def _tables(command: Any, context: Any) -> Iterator[tuple[str, list[Row]]]:
    seen = [each for each in command.params if not each.hidden]
    arguments = [each for each in seen if each.param_type_name == "argument"]
    if arguments:
        yield _("Arguments"), [(each.metavar or each.name.upper(), "", _help(each)) for each in arguments]
    options = [(", ".join(each.opts), _value(each), _help(each)) for each in seen if each not in arguments]
    yield _("Options"), [*options, (", ".join(context.help_option_names), "", _("Show this help and exit."))]
    panels: dict[str, list[Row]] = {}
    for name, each in getattr(command, "commands", {}).items():
        panel = PANELS.get(each.rich_help_panel, Message("Commands"))
        panels.setdefault(shown(panel), []).append((name, "", next(iter(_paragraphs(each.help)), "")))
    yield from panels.items()
    path, group = context.command_path, context
    while not hasattr(group.command, "examples") and group.parent is not None:
        group = group.parent
    known = getattr(group.command, "examples", ())  # the commands of workshop/ have no examples
    examples = [each for each in known if f"{each} ".startswith(f"{path} ")]
    if examples:  # a subcommand shows those of its group's examples that call it
        yield _("Examples"), [(example, "", "") for example in examples]


def _value(option: Any) -> str:
    """The name and range of an option's value, such as "N [x>=1]"; "" for an option without a value."""
    if option.is_flag:
        return ""
    name = option.name.upper() if option.metavar is None else option.metavar
    if option.max is not None:
        return f"{name} [{option.min}<=x<={option.max}]"
    return name if option.min is None else f"{name} [x>={option.min}]"


def _help(parameter: Any) -> str:
    """The help text of a parameter, with its default or "[required]"."""
    texts = [" ".join((parameter.help or "").split())]
    default = parameter.default
    if parameter.required:
        texts.append(_("[required]"))
    elif default not in (None, "") and parameter.show_default and not getattr(parameter, "is_flag", False):
        default = default.value if isinstance(default, enum.Enum) else default
        texts.append(_("[default: {}]").format(f"{default:g}" if isinstance(default, float) else default))
    return ("" if current() == CHINESE else " ").join(texts)


def _broken(text: str, width: int) -> str:
    """The text with lines of at most `width` columns, broken between words or Chinese characters.

    >>> _broken("two words", 5).splitlines(), _broken("一二三。", 6).splitlines()
    (['two', 'words'], ['一二', '三。'])
    """
    from rich.cells import cell_len

    lines: list[str] = []
    for given in text.splitlines():
        line = ""
        for piece in UNBROKEN.findall(given):
            if line.strip() and cell_len((line + piece).rstrip()) > width:
                lines.append(line.rstrip())
                line = ""
                piece = piece.lstrip()
            line += piece
        lines.append(line.rstrip())
    return "\n".join(lines)
