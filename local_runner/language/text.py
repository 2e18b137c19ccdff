"""Text that strangers wrote, made inert: one function for each medium that it is shown in.

    terminal     printable (several lines), in_line (one line); rich shows both as `Text`, never as markup
    JSON         in_json
    Markdown     in_markdown, markdown_code
    plots        in_plot
    file names   in_file_name

HTML is escaped by its template engine, after `printable`. `shortened` and `ending` cut what is shown; what is kept is
never cut. Each function accepts any str, of any length, with any characters.
"""

import codecs
import json
import re
import unicodedata
from collections.abc import Mapping
from io import TextIOWrapper
from typing import Any, TextIO

NAME = 60  # columns of a name that are shown where there is room
SENTENCE = 300  # columns of a sentence
ERROR = 1500  # columns of an error message, which may list names
PLOT_NAME = 44  # columns of a name in a plot
FILE_NAME = 40  # characters that a text gives to a file's name: at most 160 bytes of the 255 that systems allow

# Control characters except newline and tab; marks that are invisible or change the direction; line separators; lone
# surrogates; what XML forbids; tags.
_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    r"\ufffe\uffff\U000e0000-\U000e007f]"
)
_MARKDOWN = re.compile(r"[\\`*_{}\[\]#~$]")
_ENTITIES: Mapping[str, str] = {
    # In a Markdown that is older than these escapes, an entity stays text where a backslash would not.
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "@": "&#64;", "://": "&#58;//", "www.": "www&#46;",
}  # fmt: skip
_HTML_IN_MARKDOWN = re.compile("|".join(map(re.escape, _ENTITIES)), re.IGNORECASE)
_STAND_INS = {"·": ".", "●": "X", "○": "O", "…": "."}


def printable(text: str) -> str:
    r"""The text with unprintable characters as escapes; newlines and tabs stay.

    >>> printable("\x1b[2J\r\n")
    '\\x1b[2J\\r\n'
    """
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def in_line(text: str) -> str:
    """`printable`, with newlines and tabs as escapes too: for names and sentences."""
    return printable(text).replace("\n", r"\n").replace("\t", r"\t")


def shortened(text: str, most: int = NAME) -> str:
    """`in_line`, without its middle if it needs more than `most` columns, since names of one family differ at the ends.

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
    """`printable` with tabs as spaces, without its beginning if it has more than `most` characters.

    For tracebacks and output. A terminal shows a tab as up to eight columns, so a tab counts as these.
    """
    shown = printable(text.rstrip()).expandtabs()
    return shown if len(shown) <= most else "…" + shown[-most:]


def in_json(value: Any, indent: int | None = None) -> str:
    """JSON in ASCII, which any stream can write and no terminal obeys. Raises ValueError for infinities and NaN."""
    return json.dumps(value, indent=indent, allow_nan=False).replace("\x7f", r"\u007f")


def in_markdown(text: str) -> str:
    """The text in one line of Markdown, also in a cell of a table: no markup, no HTML, no links.

    >>> print(in_markdown("<b>|*x*"))
    &lt;b&gt;&#124;\\*x\\*
    """
    escaped = _MARKDOWN.sub(r"\\\g<0>", in_line(text))
    return _HTML_IN_MARKDOWN.sub(_entity, escaped)


def markdown_code(text: str) -> str:
    """The text as a code span, or plain if it has characters that end a span or a cell."""
    line = in_line(text)
    return f"`{line}`" if line.strip() and not set("`|") & set(line) else in_markdown(line)


def in_plot(text: str) -> str:
    """A name in a plot; a legend leaves out names that begin with an underscore, so these begin with a space."""
    name = shortened(text, PLOT_NAME)
    return " " + name if name.startswith("_") else name


def in_file_name(text: str) -> str:
    """A part of a file's name: letters and digits, everything else as underscores."""
    return "".join(character if character.isalnum() else "_" for character in text)[:FILE_NAME]


def print_anyhow(stream: TextIO) -> None:
    """Let a stream write a replacement for characters that it cannot encode, such as stones in an ASCII terminal."""
    codecs.register_error(_stand_in.__name__, _stand_in)
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors=_stand_in.__name__)


def _entity(found: re.Match[str]) -> str:
    text = found[0]
    return _ENTITIES.get(text) or text[:-1] + "&#46;"  # WWW. in any case


def _columns(character: str) -> int:
    """Columns of a terminal, but at least one, so that a text of combining marks is cut too."""
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _fitting(line: str, most: int) -> str:
    """As much of the beginning as fits into `most` columns."""
    used = 0
    for number, character in enumerate(line[: most + 1]):
        used += _columns(character)
        if used > most:
            return line[:number]
    return line


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)  # the stream only writes
    return "".join(_STAND_INS.get(character, "?") for character in error.object[error.start : error.end]), error.end
