"""Neutralises text that strangers wrote. Each medium has a function whose result cannot act as markup or control codes.

A terminal gets `printable` (several lines) or `in_line` (one), which rich shows as `Text`, never as markup. JSON gets
`in_json`, file names `in_file_name`, and a page gets JSON after `printable`. `shortened` and `ending` cut text for
display only; stored text is never cut. Each function accepts any str.
"""

import codecs
import json
import re
import unicodedata
from io import TextIOWrapper
from itertools import accumulate
from typing import Any, TextIO

NAME = 60  # most columns of a name, where the place does not need a shorter one
SENTENCE = 300  # most columns of a sentence
ERROR = 1500  # most columns of an error message, which may list names
FILE_NAME = 40  # most characters of a text in a file's name: at most 160 bytes of the 255 that systems allow

# Control characters except newline and tab; marks that are invisible or change the direction of writing; line
# separators; lone surrogates; characters that XML forbids; Unicode tag characters.
_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    r"\ufffe\uffff\U000e0000-\U000e007f]"
)
_STAND_INS = {"·": ".", "●": "X", "○": "O", "…": "."}


def printable(text: str) -> str:
    r"""The text with unprintable characters as escapes. Newlines and tabs are kept.

    >>> printable("\x1b[2J\r\n")
    '\\x1b[2J\\r\n'
    """
    return _UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def in_line(text: str) -> str:
    """The text with unprintable characters, newlines and tabs as escapes. For names and sentences."""
    return printable(text).replace("\n", r"\n").replace("\t", r"\t")


def shortened(text: str, most: int = NAME) -> str:
    """`in_line(text)`, with its middle left out if it needs more than `most` columns. Similar names differ at the ends.

    >>> shortened("engine:depth=4,width=12", 12)
    'engine…th=12'
    """
    line = in_line(text)
    if len(line) <= most and sum(map(_columns, line)) <= most:
        return line
    front = _fitting(line, most // 2)
    back = _fitting(line[::-1], most - most // 2 - 1)[::-1]
    return f"{front}…{back}"


def ending(text: str, most: int) -> str:
    """The last `most` characters of `printable(text)`, after "…" if the beginning is left out.

    For tracebacks and output. Tabs become spaces first, because a terminal shows a tab as up to eight columns.
    """
    shown = printable(text.rstrip()).expandtabs()
    return shown if len(shown) <= most else "…" + shown[-most:]


def in_json(value: Any, indent: int | None = None) -> str:
    """JSON in ASCII, with control characters in strings escaped. Raises ValueError for infinities and NaN."""
    return json.dumps(value, indent=indent, allow_nan=False).replace("\x7f", r"\u007f")


def in_file_name(text: str) -> str:
    """The text as a part of a file's name: letters and digits are kept, other characters become underscores."""
    return "".join(character if character.isalnum() else "_" for character in text)[:FILE_NAME]


def print_anyhow(stream: TextIO) -> None:
    """Let a stream replace characters that its encoding lacks, such as the signs for stones on an ASCII terminal."""
    codecs.register_error(_stand_in.__name__, _stand_in)
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors=_stand_in.__name__)


def _columns(character: str) -> int:
    """The columns of a character in a terminal. A combining mark counts as one, so that long runs of them are cut."""
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _fitting(line: str, most: int) -> str:
    """The longest beginning of the line that fits into `most` columns."""
    used = accumulate(map(_columns, line[: most + 1]))  # columns of the line up to each character
    return next((line[:number] for number, columns in enumerate(used) if columns > most), line)


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)  # the stream only encodes
    return "".join(_STAND_INS.get(character, "?") for character in error.object[error.start : error.end]), error.end
