"""The settings at the head of our upload: changed by `tengen bundle --set`, and compared by `tengen check`.

For Jidi they are the rows of the table SETTINGS, for Mo constants such as MOVE_SECONDS.
Settings that a user edited in a bundle are kept when the bundle is made again, and reported by `tengen check`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from env_adapter import kind_of
from local_runner.agents import source_reader
from local_runner.agents.catalogue import OptionValue
from local_runner.agents.source_reader import Setting, Source, seal
from local_runner.agents.spec import parse_options
from local_runner.errors import RunnerError
from local_runner.language.languages import Listing, Message, Series, _, unknown
from local_runner.system.files import size
from local_runner.upload.bundle import JIDI, MO, NATIVE, RULER, Bundle, BundleError, build, parse

HEAD = source_reader.COLUMNS[: source_reader.HEAD]
ENGINES = ("search", "scorer", NATIVE)
SITE_SECONDS = {"seconds": 1, "off_turn_seconds": 1, "game_seconds": 60, "move_seconds": 60}  # time limits of the sites


def settings_of(text: str) -> list[Setting]:
    """The settings in the source text of a main file of ours, in their order. Raises SyntaxError if it is no Python."""
    return list(source_reader.settings_of(ast.parse(text)))


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
            lines[setting.line - 1] = line[: setting.start] + json.dumps(value).encode() + line[setting.end :]
        text = b"".join(lines).decode()
    return text


def differences(ours: str, text: str, settings: Iterable[Setting] | None = None) -> list[Message]:
    """The differences between the settings of two source texts, `ours` and `text`.

    `settings`: the settings of `text`, if `text` may be a stranger's and must not be parsed in this process.
    """
    before = {(setting.row, setting.name): setting.value for setting in settings_of(ours)}
    now = {(setting.row, setting.name): setting for setting in settings or settings_of(text)}
    places: dict[tuple[str, object, object], list[str]] = {}
    for key, setting in now.items():
        if key in before and before[key] != setting.value:
            places.setdefault((setting.name, before[key], setting.value), []).append(setting.place)
    found = [
        Message("{name} {before} -> {now}{rows}", name=name, before=old, now=new,
                rows=Message(" ({rows})", rows=Listing(where)) if where[0] else "")  # a constant is in no row
        for (name, old, new), where in places.items()
    ]  # fmt: skip
    if before.keys() != now.keys():
        found.append(Message("other rows or constants"))
    return found or [Message("only comments or spaces")] * (ours != text)


def _of_game(game: str, settings: list[Setting]) -> list[Setting]:
    """The settings of the row that the agent uses in a game: the first row that fits its board. "": all settings."""
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


AS_MADE = re.compile(r"# As made: (\w{12}) above the first ruler, (\w{12}) below it\.\n")
BRAND = "# tengen "  # how every bundle begins


class Parts(NamedTuple):
    """The settings of a bundle, and what was edited after the bundle was made.

    settings: the text between the header and the first ruler
    made: the seal (a hash) of the settings when the bundle was made
    settings_edited, below_edited: whether the settings, or anything below them, were edited
    """

    settings: str
    made: str
    settings_edited: bool
    below_edited: bool


def parts_of(text: str) -> Parts | None:
    """The parts of a bundle; None if the text is no bundle."""
    head, ruler, below = text.partition(RULER)
    if not (ruler and text.startswith(BRAND) and (made := AS_MADE.search(head))):
        return None
    settings = head[made.end() :]
    return Parts(settings, made[1], seal(settings) != made[1], seal(ruler + below) != made[2])


def keeping_settings(bundle: Bundle, output: Path) -> Bundle:
    """The bundle, with the settings of the file to be replaced if these settings were edited.

    Raises BundleError if the file is no bundle, if anything but its settings was edited, or if the edited settings
    belong to another version.
    """
    if not size(output):
        return bundle
    try:
        old = parts_of(output.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError):
        old = None
    advice = _("move it away or delete it, or give --out another file")
    if old is None:
        sentence = _("{file} is no bundle and is not replaced; {advice}")
    elif old.below_edited:
        sentence = _("{file} was edited by hand below its settings, which a new bundle would lose; {advice}")
    elif old.settings == bundle.settings or not old.settings_edited:
        return bundle
    elif old.made == seal(bundle.settings):
        return with_settings(bundle, old.settings)
    else:
        sentence = _("the settings of {file} were edited by hand, and the new version has other settings; {advice}")
    raise BundleError(sentence.format(file=output, advice=advice))


def with_settings(bundle: Bundle, settings: str) -> Bundle:
    """The bundle with other settings, which count as edited: the next bundle keeps them.

    Raises BundleError if the settings are no Python 3.7.
    """
    at = bundle.text.index(RULER)
    text = bundle.text[: at - len(bundle.settings)] + settings + bundle.text[at:]
    parse(Path("submission.py"), text)
    return replace(bundle, text=text, settings=settings)


def edits(content: bytes, read: Source) -> Message | None:
    """The edits made in a bundle by hand; None if there are none, or if the file is no bundle.

    The edited settings are named only if our present settings are those of the bundle. `read`: the file's facts.
    """
    text = content.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    parts = parts_of(text)
    if parts is None or not (parts.settings_edited or parts.below_edited):
        return None
    found: list[Message] = []
    ours = build(platform=MO if f"for the {MO.capitalize()} " in text[: text.index("\n")] else JIDI)
    if parts.settings_edited:
        last = text.count("\n", 0, text.index(RULER))
        now = [setting for setting in read.settings if setting.line <= last]
        known = seal(ours.settings) == parts.made
        found += differences(ours.settings, parts.settings, now) if known else [Message("the settings")]
    if parts.below_edited:
        sources = source_reader.embedded_sources(ast.parse(ours.text)) if ours.package in text else {}
        before = {name: seal(source) for name, source in sources.items()}
        names = [name for name, now in read.modules.items() if before.get(name, now) != now]
        found.append(Message("modules: {names}", names=", ".join(names)) if names else Message("below the settings"))
    return Message("differs from ours: {changes}", changes=Series(found))
