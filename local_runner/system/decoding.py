"""Turns the bytes of a file into text. All formats use it, and so does what a page sends.

The encoding is looked for in this order:

1. the byte order mark of UTF-8, UTF-16 or UTF-32; UTF-16 and UTF-32 without a mark are known by zero bytes among ASCII
2. the property CA of SGF, found in the raw bytes; each game of a collection may have its own
3. UTF-8 without any error
4. Shift_JIS or Big5, without any error and mostly with first bytes that are no letters of Latin-1
5. GB 18030, the encoding of Chinese programs on Windows, without any error and with signs of Chinese text
6. Windows-1252, a superset of Latin-1

Steps 4 to 6 are guesses, which `Decoded.guessed` names. In SGF, a guess under which the brackets do not match gives
way to one with fewer such faults, because a name must not cost moves. This is so for a wrong CA, too. A byte that is
no character costs one character, U+FFFD. In SGF, such a byte never takes the bracket behind it along: Chinese and
Japanese encodings use the byte of ] as a second half of characters, too.
"""

import codecs
import re
from contextlib import suppress
from typing import NamedTuple

MARKS = (  # byte order marks; the longer ones first, because UTF-32's begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"), (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
SUPERSETS = {  # encodings that programs name although they write the larger one
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "big5": "cp950", "euc_kr": "cp949",
    "iso8859-1": "cp1252", "iso8859-9": "cp1254", "tis-620": "cp874",
}  # fmt: skip
TITLES = {
    "gb18030": "GB18030", "cp1252": "Windows-1252 (Latin-1)", "cp932": "Shift_JIS", "cp950": "Big5", "cp949": "EUC-KR",
}  # fmt: skip
_KNOWN = re.compile(
    r"utf-8|gb\w+|big5\w*|cp\d+|shift_\w+|euc_\w+|iso8859-\d+|iso2022_\w+|koi8-\w|mac-\w+|tis-620|johab"
)
_CHARSET = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([\w.:+-]{2,40})\s*\]")
_FIRST_GAME = re.compile(rb"\(\s*;")
_BETWEEN_GAMES = re.compile(rb"(?<=\))(?=\s*\(\s*;)")
# A closing bracket of SGF behind a byte that is not ASCII: behind the bracket, the file goes on as SGF does.
_CLOSING = re.compile(rb"(?<=[\x80-\xff])(?=\]\s*(?:\Z|;|\[|\)\s*(?:\Z|[();])|\(\s*;|[A-Za-z]{1,12}\s*\[))")
_CHINESE = re.compile(rb"[\x81-\xfe](?:([\x80-\xfe])|([\x40-\x7e])|[0-9][\x81-\xfe][0-9])")
# First bytes of the characters of Shift_JIS and Big5: group 1 those that are no letters of Latin-1.
_LEADS = {
    "cp932": re.compile(rb"(?:([\x81-\x9f])|[\xe0-\xfc])[\x40-\xfc]|[\xa1-\xdf]"),
    "cp950": re.compile(rb"(?:([\xa4-\xbf])|[\xa1-\xfe])(?:([\x40-\x7e])|[\xa1-\xfe])"),
}
_UTF8 = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}")  # a character that two or three other bytes seldom look like
_IS_UTF8 = re.compile(rb"(?:[\x00-\x7f]|[\xe0-\xef][\x80-\xbf]{2})*")
_PIECE = re.compile(r"\s*(?:[();]|[A-Za-z0-9]+(?=\s*\[)|\[[^\]\\]*(?:\\.[^\]\\]*)*\])\s*", re.DOTALL)
# A closing bracket of SGF that became an escaped one, because the backslash is half of a character.
_SWALLOWED = re.compile(r"[^\x00-\x7f]\\\](?=\s*(?:\Z|;\s*[A-Z]|\)\s*(?:\Z|[();])|[A-Z]{1,2}\s*\[))")
_END = "\0\x1a"  # DOS programs end a text with Ctrl-Z or fill it with zeros
WRONG = "\ufffd"  # stands for a byte that is no character
RIGHT_PER_WRONG = 4  # a text with more valid non-ASCII characters than this for each invalid byte is UTF-8
HEAD = 200  # bytes at the start that tell UTF-16 and UTF-32 without a mark
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
    if not named or not any(map(_codec, named)):
        return _guess(content)._replace(named=", ".join(sorted(name.decode("ascii") for name in named)))
    if len(named) == 1:
        return _by_charset(content, _codec(named.pop()))
    encoding, parts, guessed, wrong = "", list[str](), "", ""
    for part in _BETWEEN_GAMES.split(content):
        match = _CHARSET.search(part)
        encoding = _codec(match[1]) if match else encoding
        text, guess, unfit = _by_charset(part, encoding) if encoding else _guess(part)
        parts.append(text)
        guessed, wrong = guessed or guess, wrong or unfit
    return Decoded("".join(parts), guessed, wrong)


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
        if (
            encoding != "utf-8"
            and WRONG not in text
            and _PRINTED.fullmatch(text)
            and _beyond_ascii(text) * 2 <= len(text)
        ):
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


def _by_charset(content: bytes, encoding: str) -> Decoded:
    """The text in the encoding that the file names. A file that is mostly wrong in this encoding is guessed instead."""
    if encoding != "utf-8" and _IS_UTF8.fullmatch(content) and len(_UTF8.findall(content)) > 1:
        with suppress(UnicodeDecodeError):
            return Decoded(_cleaned(content.decode("utf-8")), "UTF-8", TITLES.get(encoding, encoding))
    text = _replaced(content, encoding)
    wrong = text.count(WRONG)
    if wrong and wrong > _beyond_ascii(text) - wrong:
        guess = _guess(content)
        if WRONG not in guess.text:
            return guess._replace(named=TITLES.get(encoding, encoding))
    if not content.isascii() and (faults := _faults(text)):
        guess = _guess(content)
        if _faults(guess.text) < faults:
            return guess._replace(named=TITLES.get(encoding, encoding))
    return Decoded(_cleaned(text))


def _guess(content: bytes) -> Decoded:
    with suppress(UnicodeDecodeError):
        return Decoded(_cleaned(content.decode("utf-8")))
    text = _replaced(content, "utf-8")
    wrong = text.count(WRONG)
    if _beyond_ascii(text) - wrong > RIGHT_PER_WRONG * wrong:
        return Decoded(_cleaned(text))
    likely = [encoding for encoding in _LEADS if _leads(content, encoding)]
    likely += ["gb18030"] if _is_chinese(content) else []
    likely = [encoding for encoding in likely if _is_whole(content, encoding)] + ["cp1252"]
    if not _FIRST_GAME.search(content):
        return Decoded(_cleaned(content.decode(likely[0], "replace")), TITLES[likely[0]])
    texts = ((_replaced(content, encoding), encoding) for encoding in dict.fromkeys((*likely, *TITLES)))
    guesses: list[tuple[int, str, str]] = []
    for text, encoding in texts:
        faults = _faults(text)
        guesses.append((faults + (text.count(WRONG) if encoding not in likely else 0), text, encoding))
        if not faults and encoding in likely:
            break
    _faults_of, text, encoding = min(guesses, key=lambda each: each[0])
    return Decoded(_cleaned(text), TITLES[encoding])


def _is_whole(content: bytes, encoding: str) -> bool:
    """Whether all bytes are characters of this encoding."""
    with suppress(UnicodeDecodeError):
        content.decode(encoding)
        return True
    return False


def _leads(content: bytes, encoding: str) -> bool:
    """Whether most non-ASCII characters start with a lead byte of this encoding that is not a letter in Latin-1.

    Big5 also needs second bytes that are ASCII in one character of four, because those are rare in GB 18030.
    """
    leads = _LEADS[encoding].findall(content)
    if encoding == "cp932":
        return sum(map(bool, leads)) * 2 > len(leads)
    few, low = (sum(bool(each[group]) for each in leads) for group in (0, 1))
    return few * 2 > len(leads) and low * 4 >= len(leads)


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


def _is_chinese(content: bytes) -> bool:
    """Whether bytes that are valid in GB 18030 look like Chinese, not like letters with accents.

    Common Chinese characters have two bytes above ASCII. An accented letter before an ASCII letter looks like one of
    the rare characters. No character takes the closing bracket of a value of SGF.
    """
    high = low = 0
    closing = {match.start() for match in _CLOSING.finditer(content)}
    for match in _CHINESE.finditer(content):
        high += match[1] is not None
        low += match[2] is not None
        if match[2] == b"]" and match.start(2) in closing:
            return False
    return high >= low


def _replaced(content: bytes, encoding: str) -> str:
    return "".join(part.decode(encoding, "replace") for part in _CLOSING.split(content))


def _cleaned(text: str) -> str:
    """The text without zeros and Ctrl-Z at its end. Ctrl-Z between joined files becomes a line break."""
    return text.removeprefix("\ufeff").rstrip(_END).replace("\x1a", "\n")
