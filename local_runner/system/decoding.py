"""Turns the bytes of a file into text, for all formats and for what a page sends. The encoding is looked for in order:

1. the byte order mark of UTF-8, UTF-16 or UTF-32; without a mark, UTF-16 and UTF-32 show zero bytes among ASCII
2. the property CA of SGF, found in the raw bytes; each game of a collection may have its own
3. UTF-8 with few errors
4. Windows-1252, Shift_JIS, GB 18030 or Big5: the fewest errors, then the fewest unusual characters; `Decoded.guessed`

A CA that does not fit the file is replaced by a guess, too. An error in SGF is a bracket that does not match, or a byte
that is no character. Such a byte becomes one character, U+FFFD, and never swallows the bracket after it, although
Chinese and Japanese encodings also use the byte of ] as the second half of a character: so a wrong name loses no moves.
"""

import codecs
import re
from typing import NamedTuple

MARKS = (  # byte order marks; the longer ones first, because UTF-32's begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"), (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
SUPERSETS = {  # encoding that programs name -> the larger encoding in which they write
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "big5": "cp950", "euc_kr": "cp949",
    "iso8859-1": "cp1252", "iso8859-9": "cp1254", "tis-620": "cp874",
}  # fmt: skip
# An encoding that is guessed -> a pattern of all its characters beyond ASCII; group 1: those that texts seldom have.
UNUSUAL = {
    "cp1252": rb"(?<![\x80-\xff])[\x80\x85\x91-\x94\xc0-\xff](?![\x80-\xff])|([\x80-\xff])",
    "cp932": rb"[\x81-\x84\x88-\x97][\x40-\xfc]|([\x85-\x9f\xe0-\xfc][\x40-\xfc]|[\x80-\xff])",
    "gb18030": rb"[\xa1-\xf7][\xa1-\xfe]|([\x81-\xfe](?:[\x40-\xfe]|[0-9][\x81-\xfe][0-9])|[\x80-\xff])",
    "cp950": rb"[\xa1-\xc6][\x40-\x7e\xa1-\xfe]|([\x81-\xfe][\x40-\xfe]|[\x80-\xff])",
}
TITLES = {
    "gb18030": "GB18030", "cp1252": "Windows-1252 (Latin-1)", "cp932": "Shift_JIS", "cp950": "Big5", "cp949": "EUC-KR",
    "utf-8": "UTF-8",
}  # fmt: skip
_KNOWN = re.compile(
    r"utf-8|gb\w+|big5\w*|cp\d+|shift_\w+|euc_\w+|iso8859-\d+|iso2022_\w+|koi8-\w|mac-\w+|tis-620|johab"
)
_CHARSET = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([\w.:+-]{2,40})\s*\]")
_FIRST_GAME = re.compile(rb"\(\s*;")
_BETWEEN_GAMES = re.compile(rb"(?<=\))(?=\s*\(\s*;)")
# A closing bracket of SGF behind a byte that is not ASCII: behind the bracket, the file goes on as SGF does.
_CLOSING = re.compile(rb"(?<=[\x80-\xff])(?=\]\s*(?:\Z|;|\[|\)\s*(?:\Z|[();])|\(\s*;|[A-Za-z]{1,12}\s*\[))")
_UTF8 = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}")  # three bytes that are seldom found in other encodings
_IS_UTF8 = re.compile(rb"(?:[\x00-\x7f]|[\xe0-\xef][\x80-\xbf]{2})*")
_PIECE = re.compile(r"\s*(?:[();]|[A-Za-z0-9]+(?=\s*\[)|\[[^\]\\]*(?:\\.[^\]\\]*)*\])\s*", re.DOTALL)
# A closing bracket of SGF that became an escaped one, because the backslash is half of a character.
_SWALLOWED = re.compile(r"[^\x00-\x7f]\\\](?=\s*(?:\Z|;\s*[A-Z]|\)\s*(?:\Z|[();])|[A-Z]{1,2}\s*\[))")
_END = "\0\x1a"  # DOS programs end a text with Ctrl-Z or fill it with zeros
_BREAK = re.compile("\r\n?|[\x0b\x0c\x1a\x1c-\x1e\x85\u2028\u2029]")  # line breaks of str.splitlines
_RETURN, _JSON = re.compile("\r\n?"), re.compile(r"\s*\[?\s*\{")
WRONG = "\ufffd"  # stands for a byte that is no character
RIGHT_PER_WRONG = 4  # a text with more valid non-ASCII characters than this for each invalid byte is UTF-8
SAMPLE = 100_000  # bytes at the start from which an encoding is guessed
HEAD = 200  # number of bytes at the start by which UTF-16 and UTF-32 without a mark are found
_PRINTED = re.compile(r"[^\0-\x08\x0b\x0c\x0e-\x19\x1b-\x1f\x7f]+[\0\x1a]*")  # a text without control characters


class Decoded(NamedTuple):
    """A text, and the name of its encoding if that was guessed ("" if not).

    named: the encoding that the file names although it does not fit; "" if there is none
    """

    text: str
    guessed: str = ""
    named: str = ""


def decoded(content: bytes) -> Decoded:
    """The content of a file as text. Never raises."""
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return Decoded(_cleaned(content[len(mark) :].decode(encoding, "replace")))
    if encoding := _wide(content[:HEAD]):
        return Decoded(_cleaned(content.decode(encoding, "replace")))
    named = {name.lower() for name in _CHARSET.findall(content)} if _FIRST_GAME.search(content) else set()
    if len(named) <= 1 or not any(map(_codec, named)):
        unknown = ", ".join(sorted(name.decode("ascii") for name in named))
        found = _best(content, _codec(next(iter(named), b"")))
        return found._replace(named=found.named or unknown)
    encoding, parts = "", list[Decoded]()
    for part in _BETWEEN_GAMES.split(content):
        match = _CHARSET.search(part)
        encoding = _codec(match[1]) if match else encoding
        parts.append(_best(part, encoding))
    texts, guessed, wrong = zip(*parts, strict=True)
    return Decoded("".join(texts), next(filter(None, guessed), ""), next(filter(None, wrong), ""))


def narrowed(content: bytes) -> bytes:
    """A text in UTF-16 or UTF-32 as UTF-8, which the formats recognise by its first bytes; other content unchanged."""
    marks = [mark for mark, _encoding in MARKS if content.startswith(mark)]
    is_wide = (marks and marks[0] != codecs.BOM_UTF8) or _wide(content[:HEAD])
    return decoded(content).text.encode("utf-8", "replace") if is_wide else content


def _wide(head: bytes) -> str:
    """The encoding of two or four bytes a character without a byte order mark; "" if there is none.

    Decoded, the head must be text, half of it ASCII. In WTHOR and other binary files it has control characters.
    """
    if len(head) < 8 or 0 not in head:
        return ""
    for _mark, encoding in MARKS:
        text = head[: len(head) // 4 * 4].decode(encoding, "replace")
        is_text = WRONG not in text and _PRINTED.fullmatch(text) and _beyond_ascii(text) * 2 <= len(text)
        if is_text and encoding != "utf-8":
            return encoding
    return ""


def _codec(name: bytes) -> str:
    """The Python codec for a value of CA; "" if it is unknown or does not write ASCII as ASCII."""
    text = name.decode("ascii", "replace").lower().removeprefix("x-").removeprefix("cs").replace("windows-31j", "cp932")
    try:
        found = codecs.lookup(text).name
    except (LookupError, ValueError):
        return ""
    found = SUPERSETS.get(found, found)
    return found if _KNOWN.fullmatch(found) and b"(;CA[]".decode(found, "replace") == "(;CA[]" else ""


def _best(content: bytes, named: str) -> Decoded:
    """The text in the encoding `named` ("": UTF-8), or in a guessed one if a text in this encoding has errors."""
    text, is_sgf = _replaced(content, named or "utf-8"), _FIRST_GAME.search(content) is not None
    wrong = text.count(WRONG)
    right = _beyond_ascii(text) - wrong
    is_utf8 = named not in ("", "utf-8") and _IS_UTF8.fullmatch(content) and len(_UTF8.findall(content)) > 1
    faults = _faults(text) if named and is_sgf and not content.isascii() else 0
    if not is_utf8 and not faults and wrong * (1 if named else RIGHT_PER_WRONG) <= right:
        return Decoded(_cleaned(text))

    def errors(encoding: str) -> tuple[int, int, int]:
        guess = _replaced(content[:SAMPLE], encoding)
        unusual = sum(map(bool, re.findall(UNUSUAL.get(encoding, b"()"), content[:SAMPLE])))
        return _faults(guess) if is_sgf else 0, guess.count(WRONG), unusual

    guesses = dict.fromkeys([*(["utf-8"] if is_utf8 else []), *([named] if named else []), *UNUSUAL])
    if (best := min(guesses, key=errors)) == named:
        return Decoded(_cleaned(text))
    return Decoded(_cleaned(_replaced(content, best)), TITLES[best], TITLES.get(named, named))


def _faults(text: str) -> int:
    """The number of syntax errors of a text as SGF, plus the number of closing brackets that a value has swallowed."""
    end, faults = 0, 0
    for piece in _PIECE.finditer(text):
        faults += piece.start() != end
        end = piece.end()
    return faults + (end != len(text.rstrip(_END))) + len(_SWALLOWED.findall(text))


def _beyond_ascii(text: str) -> int:
    """The number of characters that are not ASCII."""
    return len(text) - len(text.encode("ascii", "ignore"))


def _replaced(content: bytes, encoding: str) -> str:
    return "".join(part.decode(encoding, "replace") for part in _CLOSING.split(content))


def _cleaned(text: str) -> str:
    """The text without zeros and Ctrl-Z at its end. Line breaks of all kinds, and Ctrl-Z between joined files, become
    \\n. In JSON, only \\r\\n and \\r do, because its strings may hold the others.
    """
    text = text.removeprefix("\ufeff").rstrip(_END)
    return (_RETURN if _JSON.match(text) else _BREAK).sub("\n", text)
