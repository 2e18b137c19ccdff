"""The settings at the head of our upload: changed by `tengen bundle --set`, and compared by `tengen check`.

For Jidi they are the rows of the table SETTINGS, for Mo constants such as MOVE_SECONDS.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from env_adapter import kind_of
from local_runner.agents.catalogue import OptionValue
from local_runner.agents.spec import parse_options
from local_runner.errors import RunnerError
from local_runner.language.languages import Listing, Message, _
from local_runner.language.suggestions import unknown

HEAD = ("family", "rows", "cols", "in_a_row")  # the first columns of the table: which boards a row is for
COLUMNS = (*HEAD, "engine", "seconds", "off_turn_seconds")
ENGINES = ("search", "scorer")
SITE_SECONDS = {"seconds": 1, "off_turn_seconds": 1, "game_seconds": 60, "move_seconds": 60}  # what the sites allow


@dataclass(frozen=True)
class Setting:
    """One value in the source.

    name: "seconds", or a constant's name in lower case
    row: the values of the columns HEAD; () for a constant
    line, start, end: where the value stands, in bytes of its line
    """

    name: str
    row: tuple[object, ...]
    value: object
    line: int
    start: int
    end: int

    @property
    def place(self) -> str:
        """The row in words, such as "k_in_a_row 15x15"; "" for a constant."""
        if not self.row:
            return ""
        family, rows, cols, in_a_row = self.row
        size = f"{rows}x{cols}" if rows and cols else "*"
        return f"{family} {size}" + (f" {in_a_row}" if in_a_row and not rows else "")


def settings_of(text: str) -> list[Setting]:
    """The settings in the source text of a main file, in their order. Raises SyntaxError if it is no Python."""
    return list(_settings(ast.parse(text)))


def _settings(tree: ast.Module) -> Iterator[Setting]:
    for node in tree.body:
        if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
            continue
        if isinstance(node.value, ast.Constant):
            yield _setting(node.targets[0].id.lower(), (), node.value)
        elif node.targets[0].id == "SETTINGS" and isinstance(node.value, (ast.Tuple, ast.List)):
            for row in node.value.elts:
                cells = row.elts if isinstance(row, (ast.Tuple, ast.List)) else []
                values = [cell for cell in cells if isinstance(cell, ast.Constant)]
                if len(values) == len(cells) == len(COLUMNS):
                    head = tuple(value.value for value in values[: len(HEAD)])
                    yield from (_setting(name, head, value) for name, value in zip(COLUMNS, values, strict=True))


def _setting(name: str, row: tuple[object, ...], node: ast.Constant) -> Setting:
    assert node.end_col_offset is not None
    return Setting(name, row, node.value, node.lineno, node.col_offset, node.end_col_offset)


def changed(text: str, change: str) -> str:
    """The source text with changed settings.

    change: `NAME=VALUE,NAME=VALUE` for every row, or `GAME:NAME=VALUE,...` for the row of a game

    Raises RunnerError for an unknown game or setting, a value of a wrong type, or a game that no row is for.
    """
    game, colon, options = change.partition(":")
    if not colon or "=" in game:
        game, options = "", change
    if not options:
        raise RunnerError(_("--set is empty; write NAME=VALUE, such as seconds=0.7"))
    for name, value in parse_options(options).items():
        settings = [setting for setting in _of_game(game, settings_of(text)) if setting.name not in HEAD]
        named = [setting for setting in settings if setting.name == name]
        if not named:
            raise RunnerError(unknown(_("setting"), name, dict.fromkeys(setting.name for setting in settings)))
        _check(name, value)
        lines = text.encode().splitlines(keepends=True)
        for setting in named:
            line = lines[setting.line - 1]
            lines[setting.line - 1] = line[: setting.start] + _literal(value).encode() + line[setting.end :]
        text = b"".join(lines).decode()
    return text


def differences(ours: str, text: str) -> list[Message]:
    """How the settings of `text` differ from those of `ours`, both source texts."""
    before = {(setting.row, setting.name): setting.value for setting in settings_of(ours)}
    now = {(setting.row, setting.name): setting for setting in settings_of(text)}
    places: dict[tuple[str, object, object], list[str]] = {}
    for key, setting in now.items():
        if key in before and before[key] != setting.value:
            places.setdefault((setting.name, before[key], setting.value), []).append(setting.place)
    found = [
        Message("{name} {before} -> {now}{rows}", name=name, before=old, now=new, rows=_in_brackets(where))
        for (name, old, new), where in places.items()
    ]
    if before.keys() != now.keys():
        found.append(Message("other rows or constants"))
    return found or [Message("only comments or spaces")] * (ours != text)


def _in_brackets(places: list[str]) -> str:
    """The rows of the table; "" for a constant, which is in no row."""
    return Message(" ({rows})", rows=Listing(places)) if places[0] else ""


def _of_game(game: str, settings: list[Setting]) -> list[Setting]:
    """The settings of the row that the agent uses in a game: the first that fits its board. All settings for ""."""
    if not game:
        return settings
    kind = kind_of(game)
    family = "reversi" if kind.rules.turns_discs else "k_in_a_row"
    size = kind.setup.board_height, kind.setup.board_width
    for row in dict.fromkeys(setting.row for setting in settings if setting.row):
        if row[0] == family and all(wanted in (None, given) for wanted, given in zip(row[1:3], size, strict=True)):
            return [setting for setting in settings if setting.row == row]
    raise RunnerError(_("the settings have no row for {game}").format(game=game))


def _check(name: str, value: OptionValue) -> None:
    if name == "engine":
        if value not in ENGINES:
            raise RunnerError(unknown(_("engine"), str(value), ENGINES))
        return
    most = SITE_SECONDS[name]
    if isinstance(value, (bool, str)) or value is None or not 0 <= value < most:
        sentence = _("{name} takes a number of seconds from 0 to below {most}, which the site allows; not {value}")
        raise RunnerError(sentence.format(name=name, most=most, value=value))


def _literal(value: OptionValue) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)
