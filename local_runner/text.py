"""Text that others wrote, as a terminal can be given it: without what would steer it or cannot be encoded."""

import re

# Control characters but newline and tab, what breaks lines or turns their direction, and lone surrogates.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""The text with escapes in place of all that is not to be printed; lines and tabs stay.

    >>> printable("\x1b[2J\r\n")
    '\\x1b[2J\\r\n'
    """
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)
