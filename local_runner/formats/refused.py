"""Names the kinds of files that users open by mistake, so that the refusal says what the file is and what to do."""

import re

from local_runner.language.languages import Message

_MARK = rb"(?:\xef\xbb\xbf)?\s*"  # a byte order mark and blanks
_MARKUP = _MARK + rb"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*"
_NAMES_OF_WTHOR = rb".[\0-\x63][\0-\x0c][\0-\x1f]\0\0\0\0(?!\0\0)....[\0\x08\x0a][\0\x01]"  # no games, but names
_SIGNS: tuple[tuple[Message, tuple[bytes, ...]], ...] = (
    (Message("an empty file"), (rb"\s*\Z",)),
    (Message("a document of an office program; save its moves as text"),
     (rb"PK\x03\x04.{26}(?:mimetype|\[Content_Types|_rels/|xl/|word/)", rb"\xd0\xcf\x11\xe0", rb"\{\\rtf")),
    (Message("a packed file; unpack it and open a file that was in it"),
     (rb"PK[\x03\x05\x07]", rb"\x1f\x8b", rb"7z\xbc\xaf\x27\x1c", rb"Rar!\x1a\x07", rb"BZh[1-9]", rb"\xfd7zXZ\0",
      rb"\x28\xb5\x2f\xfd", rb".{257}ustar")),
    (Message("a PDF; copy its moves into a text file"), (rb"%PDF-",)),
    (Message("a picture, which keeps no moves; open the game's SGF or log"),
     (rb"\x89PNG", rb"\xff\xd8\xff", rb"GIF8", rb"BM.{4}\0\0\0\0", rb"RIFF.{4}WEBP", _MARKUP + rb"<svg\b")),
    (Message("a library of RenLib (.lib), a tree of positions; export a game as text or SGF"), (rb"\xffRenLib\xff",)),
    (Message("a database of RenjuNet (RIF); export its games as SGF or text"), (_MARKUP + rb"<database\b",)),
    (Message("a web page; open it in a browser, or give the file from which it was made"),
     (_MARKUP + rb"<(?:!doctype html|html|head|body)\b",)),
    (Message("a dialogue of the Gomocup protocol, which writes x,y; write its moves as names such as h8"),
     (rb"\s*(?:START [0-9]+|RECTSTART |BOARD\s*\n|BEGIN\s*\n|TURN [0-9])",)),
    (Message("a program"), (rb"\x7fELF", rb"MZ")),
    (Message("Python code; tengen check examines a submission"),
     (rb"(?:[^\n]*\n){0,20}?[ \t]*(?:from [\w.]+ import |import \w+\s|def \w+\(|#!.*python)",)),
    (Message("PGN of another game; only moves such as f5 can be read"),
     (_MARK + rb'\[[A-Z]\w*\s+"[^"\n]*"\s*\]',)),
    (Message("a part of a log without its beginning; copy the whole log"), (rb'(?=.*"info_(?:before|after)"\s*:)',)),
    (Message("a list of players or tournaments of WTHOR; open the .wtb beside it"), (_NAMES_OF_WTHOR,)),
)  # fmt: skip
KINDS = tuple(
    (re.compile(b"|".join(signs), re.DOTALL | re.IGNORECASE if b"<" in signs[-1] else re.DOTALL), words)
    for words, signs in _SIGNS
)


def kind_of(content: bytes) -> Message | None:
    """The kind of a file that holds no games, with advice, such as "a PDF; ..."; None if it is unknown."""
    return next((words for pattern, words in KINDS if pattern.match(content)), None)
