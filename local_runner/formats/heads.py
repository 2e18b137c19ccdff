"""What files say of a game beside its players, moves and result: event, date, ratings, rule, time limit.

Each format has a table, `FileFormat.heads`: a part of a game -> what the format calls it. A value is text. A date is
written as 2001-02-03, 2001-02 or 2001 if the file's date is one; a time limit in seconds. A rule is never replaced.
"""

import re
from collections.abc import Callable, Iterable, Mapping

from local_runner.formats.saved_game import Part
from local_runner.formats.source import MOST_NAME
from local_runner.language.text import in_line

HEADS = (
    Part.EVENT, Part.DATE, Part.ROUND, Part.PLACE, Part.BLACK_RATING, Part.WHITE_RATING, Part.RULE, Part.TIME,
    Part.OVERTIME,
)  # fmt: skip
OURS = {part: part.name.lower() for part in HEADS}  # their names in our own logs and tables
FILLER = "tengen"  # the event or the place of a file that tengen wrote without one
_NOTHING = {"", "?", "-", "????.??.??", FILLER}
_DATE = re.compile(r"([0-9]{4})[.-](?:([0-9]{2})[.-]([0-9]{2})|([0-9]{2})[.-]\?\?|\?\?[.-]\?\?)")
_ISO = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?(?:-([0-9]{2}))?")
_CLOCK = re.compile(r"(?:([0-9]{1,2}):)?([0-9]{1,3}):([0-9]{2})")


def heads_of(table: Mapping[Part, str], value: Callable[[str], object]) -> dict[Part, str]:
    """The heads of a game. `value`: returns what a file has under a name, such as "EV"; None for nothing."""
    said = {part: in_line(str(value(name) or ""))[:MOST_NAME].strip() for part, name in table.items()}
    found = {part: text for part, text in said.items() if text not in _NOTHING}
    if match := _DATE.fullmatch(found.get(Part.DATE, "")):
        found[Part.DATE] = "-".join(filter(None, match.groups()))
    if match := _CLOCK.fullmatch(found.get(Part.TIME, "")):
        hours, minutes, seconds = (int(part or 0) for part in match.groups())
        found[Part.TIME] = str(3600 * hours + 60 * minutes + seconds)
    return found


def written(table: Mapping[Part, str], heads: Mapping[Part, str]) -> dict[str, str]:
    """The heads that a format has, under its names."""
    return {name: heads[part] for part, name in table.items() if part in heads}


def dotted(date: str) -> str:
    """A date as PGN and GGF write it: 2001.02.03, 2001.??.??; other text unchanged."""
    match = _ISO.fullmatch(date)
    return ".".join(part or "??" for part in match.groups()) if match else date


def others(table: Mapping[Part, str], known: Iterable[str], names: Iterable[str]) -> frozenset[Part]:
    """Part.OTHER if a file has a name that its format's table and `known` lack."""
    return frozenset({Part.OTHER} if set(names) - {*table.values(), *known} else ())
