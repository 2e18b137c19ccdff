"""Names the kinds of files that users open by mistake, so that the refusal says what the file is and what to do."""

import re

from local_runner.language.languages import Message

_LIST_OF_NAMES = re.compile(rb".[\0-\x63][\0-\x0c][\0-\x1f]\0\0\0\0(?!\0\0)..", re.DOTALL)  # .jou, .trn of WTHOR
_PICTURE = Message("a picture; a picture keeps no moves, so open the game's SGF or log")
_PACKED = Message("a packed file; unpack it and open a file that was in it")
KINDS: tuple[tuple[re.Pattern[bytes], Message], ...] = (
    (re.compile(rb"\s*\Z"), Message("empty")),
    (re.compile(rb"PK\x03\x04.{26}(?:mimetype|\[Content_Types|_rels/|xl/|word/)", re.DOTALL),
     Message("a document of an office program; save its moves as text")),
    (re.compile(rb"PK[\x03\x05\x07]|\x1f\x8b|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|BZh[1-9]|\xfd7zXZ\0|\x28\xb5\x2f\xfd"), _PACKED),
    (re.compile(rb".{257}ustar", re.DOTALL), _PACKED),
    (re.compile(rb"%PDF-"), Message("a PDF; copy its moves into a text file")),
    (re.compile(rb"\xd0\xcf\x11\xe0|\{\\rtf"), Message("a document of an office program; save its moves as text")),
    (re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0\0\0\0|RIFF.{4}WEBP", re.DOTALL), _PICTURE),
    (re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<svg\b", re.DOTALL | re.IGNORECASE), _PICTURE),
    (re.compile(rb"\xffRenLib\xff"), Message("a library of RenLib (.lib), a tree of positions; export a game as text or SGF")),
    (re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml[^>]*>.{0,2000}?<database\b", re.DOTALL),
     Message("a database of RenjuNet (RIF); export its games as SGF or text")),
    (re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b", re.DOTALL | re.IGNORECASE),
     Message("a web page; open it in a browser, or give the file from which it was made")),
    (re.compile(rb"\x7fELF|MZ"), Message("a program")),
    (re.compile(rb"(?:.*\n)?\s*(?:from \w+ import |import \w+|def \w+\(|#!.*python)"),
     Message("Python code; tengen check examines a submission")),
    (re.compile(rb'(?:\xef\xbb\xbf)?\s*\[[A-Z]\w*\s+"[^"\n]*"\s*\]'),
     Message("PGN; copy its moves, without the lines in brackets, into a text file")),
    (re.compile(rb'(?=.*"(?:info_before|info_after)"\s*:)', re.DOTALL),
     Message("a part of a log without its beginning; copy the whole log")),
    (_LIST_OF_NAMES, Message("a list of players or tournaments of WTHOR; open the .wtb beside it")),
)  # fmt: skip


def kind_of(content: bytes) -> Message | None:
    """The kind of a file that holds no games, with advice, such as "a PDF; ..."; None if it is unknown."""
    return next((words for pattern, words in KINDS if pattern.match(content)), None)
