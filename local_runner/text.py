"""Text that is safe to print: control characters are escaped, characters that a stream cannot encode are replaced."""

import codecs
import re
from io import TextIOWrapper
from typing import TextIO

# Control characters except newline and tab, line separators, changes of direction, and lone surrogates.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
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


def print_anyhow(stream: TextIO) -> None:
    """Let a stream write a replacement for characters that it cannot encode, such as stones in an ASCII terminal."""
    codecs.register_error(_stand_in.__name__, _stand_in)
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors=_stand_in.__name__)


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)  # the stream only writes
    return "".join(_STAND_INS.get(character, "?") for character in error.object[error.start : error.end]), error.end
