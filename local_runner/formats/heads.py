"""What files say of a game beside its moves (*heads*): event, date, ratings, rule, time limit, and the result in words.

`FileFormat.heads` has a format's name of each head. A date is read as 2001-02-03, 2001-02 or 2001 if the file's text is
a date; a time limit is in seconds. A result is read as people write it: B+R, Black wins, 黑胜, 0-1, 38:26.
"""

import re
from collections.abc import Callable, Iterable, Mapping

from env_adapter.game import BLACK, DRAW, WHITE
from local_runner.formats.saved_game import Part
from local_runner.formats.source import MOST_NAME
from local_runner.game.faults import Reason
from local_runner.game.move_text import plain
from local_runner.game.wording import player_text
from local_runner.language.languages import Message
from local_runner.language.text import in_line

HEADS = (
    Part.EVENT, Part.DATE, Part.ROUND, Part.PLACE, Part.BLACK_RATING, Part.WHITE_RATING, Part.RULE, Part.TIME,
    Part.OVERTIME,
)  # fmt: skip
OURS = {part: part.name.lower() for part in HEADS}  # the heads' names in our own logs and tables
FILLER = "tengen"  # written as the event or the place of a game that has none
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


# ---- results

RESIGNS, LATE, FORFEITS = Message("resigns"), Message("lost on time"), Message("forfeits")
_COLOUR = re.compile(r"\b(?:b|black)\b|黑|黒|흑|\b(w|white)\b|白|백")
_SIGNED = re.compile(r"\s*(?:(b|black|黑|黒)|w|white|白)[方番]?\s*\+\s*(.*)", re.DOTALL)
_SCORE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*[-:–]\s*([0-9]+(?:\.[0-9]+)?)")
_MARGIN = re.compile(r"([+-])[0-9]+(?:\.[0-9]+)?")  # Black's stones minus White's
_DRAW = re.compile(
    r"0|draw\w*|jigo|tie|(?:1/2|1⁄2)(?:-(?:1/2|1⁄2))?|0\.5(?:-0\.5)?|=|和棋?|平[局手]?|引き分け|持碁|무승부"
)
_WINS = re.compile(r"\bwin|\bwon\b|胜|勝|赢|贏|승")
_LOSES = re.compile(r"\blos[et]|\bresign|\bforfeit|认输|認輸|投了|负|負|超时|超時|패|time")
_HOW = (  # how the loser lost; the first that fits
    (re.compile(r"^r$|resign|认输|認輸|投了|中盘|中盤|中押"), RESIGNS),
    (re.compile(r"^t$|time|超时|超時|时间|時間"), LATE),
    (re.compile(r"^f$|forfeit|infraction"), FORFEITS),
)  # fmt: skip


def result_of(text: str) -> tuple[int, str]:
    """The winner's code (0 if unknown) and the way in which the loser lost, a Message that follows a colour, or "".

    >>> result_of("W+Resign"), result_of("黑胜"), result_of("0-1"), result_of("Void")
    ((2, 'resigns'), (1, ''), (2, ''), (0, ''))
    """
    said = plain(text).strip().rstrip(".")
    if signed := _SIGNED.fullmatch(said):
        return BLACK if signed[1] else WHITE, how_of(signed[2].strip())
    if _DRAW.fullmatch(said):
        return DRAW, ""
    if score := _SCORE.fullmatch(said):
        black, white = float(score[1]), float(score[2])
        return BLACK if black > white else WHITE if white > black else DRAW, ""
    if margin := _MARGIN.fullmatch(said):
        return DRAW if not float(said) else BLACK if margin[1] == "+" else WHITE, ""
    colour = _COLOUR.search(said)
    if colour is None or not (colour[0] == said or _WINS.search(said) or _LOSES.search(said)):
        return 0, ""
    first, second = (WHITE, BLACK) if colour[0][0] in "w白백" else (BLACK, WHITE)
    return first if _WINS.search(said) or colour[0] == said else second, how_of(said)


def ending_of(winner: int, how: str) -> str:
    """The sentence about the loser for the values of `result_of`; "" without `how`."""
    return player_text(int(winner == BLACK), how) if winner in (BLACK, WHITE) and how else ""


def how_of(said: str, reason: Reason = Reason.RULES) -> str:
    """How a player lost, from the words or, if it says more, the referee's reason; "" if neither says so."""
    said = plain(said)
    if reason is not Reason.RULES:
        return {Reason.RESIGNATION: RESIGNS, Reason.TIME: LATE, Reason.ADJUDICATION: ""}.get(reason, FORFEITS)
    return next((words for pattern, words in _HOW if pattern.search(said)), "")
