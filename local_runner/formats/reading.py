"""Reads a file of games in the first of `FORMATS` whose `fits` accepts the content, whatever the file is called.

Only for move strings, the game may be in the name (files/moves.py). Files that users open by mistake are named by their
first bytes, so that the refusal says what the file is and what to do. `openings_of` takes each game as an opening.
"""

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from env_adapter import Cell, EnvError, names
from local_runner.errors import RunnerError
from local_runner.formats import kinds
from local_runner.formats.file_format import FileFormat, GameFile
from local_runner.formats.files import FORMATS, moves
from local_runner.formats.source import MOST_BYTES, Source, Tell
from local_runner.game.board_text import NoBoard
from local_runner.game.setup import GameSetup, called, is_mnk
from local_runner.language.languages import COMMA, Message, Series, _, shown
from local_runner.language.text import shortened
from local_runner.system.decoding import narrowed
from local_runner.system.files import reason, refuse_pipe

_MARK = rb"(?:\xef\xbb\xbf)?\s*"  # a byte order mark and blanks
_MARKUP = _MARK + rb"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*"
_NAMES_OF_WTHOR = rb".[\0-\x63][\0-\x0c][\0-\x1f]\0\0\0\0(?!\0\0)....[\0\x08\x0a][\0\x01]"  # names only
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
KINDS = tuple(  # kinds of files that hold no games, with advice, such as "a PDF; ..."
    (re.compile(b"|".join(signs), re.DOTALL | re.IGNORECASE if b"<" in signs[-1] else re.DOTALL), words)
    for words, signs in _SIGNS
)


class UnknownFormat(RunnerError):
    """A file is in none of the formats. The message lists the formats."""


OF_BOOKS = {"moves", "offset", "json_moves"}  # formats that matches/openings/books.py reads, with its own errors
SIZELESS = {"pgn", "table"}  # formats that do not say the size of the board
NAMELESS = {*SIZELESS, "position"}  # formats that do not say which game it is
STDIN = "-"  # the argument for the standard input
HEAD = 100_000  # number of bytes at the start by which a format's `read_path` is chosen
READERS = [each for each in FORMATS if each.read is not None]
_IS_PATH = re.compile(r"\s*(?:\.{0,2}[/\\]|~)")  # the beginning of a path
_URL = re.compile(r"\s*(?:https?|ftp):/|\s*www\.", re.IGNORECASE)
_PATH = re.compile(r"[/\\~]|\.[A-Za-z]{1,5}$")  # signs that an argument is the path of a file


def read(
    name: str, content: bytes, setup: GameSetup | None = None, folder: Path | None = None,
    kind: FileFormat | None = None, tell: Tell = lambda _part: None,
) -> GameFile:  # fmt: skip
    """The games of a file.

    `setup`: the game that the caller names; None for the one that the file names or suggests. `folder`: as in `Source`.
    `kind`: the format; None for the first that fits. `tell`: as in `Source`.
    Raises RunnerError if the file has more than `MOST_BYTES`, fits no format, or no game in it can be read. Raises
    RunnerError, too, if `setup` is another game than the one that the file names.
    """
    if len(content) > MOST_BYTES:
        sentence = _("{file} has more than {most} MB; give a smaller file")
        raise RunnerError(sentence.format(file=shortened(name), most=MOST_BYTES // 1_000_000))
    content = narrowed(content)
    file_format = kind or _fitting(content)
    if file_format is None:
        if mistaken := next((words for pattern, words in KINDS if pattern.match(content)), None):
            sentence = _("{file} is no file of games, but {kind}")
            raise RunnerError(sentence.format(file=shortened(name), kind=shown(mistaken)))
        known = shown(COMMA).join(shown(each.about) for each in READERS)
        sentence = _("{file} is no file of games that can be read: {kinds}")
        raise UnknownFormat(sentence.format(file=shortened(name), kinds=known))
    source = Source(name, content, setup, folder, tell)
    try:
        if kind is not None and not (kind.takes_setup or (kind.fits is not None and kind.fits(content))):
            raise NoBoard
        games = file_format.read(source)  # type: ignore[misc]
    except EnvError as error:
        raise RunnerError(f"{shortened(name)}: {error}") from error
    except NoBoard as error:
        sentence = _("{file} cannot be read as {format}; leave out --as")
        raise RunnerError(sentence.format(file=shortened(name), format=file_format.name)) from error
    if not games and games.path is None:  # a tournament may have no game yet
        sentence = _("{file} holds no game; {damage}") if games.problem else _("{file} holds no game")
        raise RunnerError(sentence.format(file=shortened(name), damage=shown(games.problem)))
    if setup is not None and not file_format.takes_setup:
        _refuse_another_game(games, setup, name)
    if not source.is_text:
        return games
    games.lines = sum(map(bool, map(str.strip, source.text.splitlines())))
    if guessed := source.decoded.guessed:
        unnamed = Message("the file does not name its encoding; it was read as {encoding}", encoding=guessed)
        unfit = Message("the encoding that the file names, {named}, does not fit it; it was read as {encoding}",
                        named=source.decoded.named, encoding=guessed)  # fmt: skip
        games.note = Series([*filter(None, [games.note]), unfit if source.decoded.named else unnamed])
    return games


def read_path(path: Path, setup: GameSetup | None = None, kind: FileFormat | None = None) -> GameFile:
    """The games of a file on the disk. Raises RunnerError as `read` does, and if the file cannot be opened or read."""
    try:
        refuse_pipe(path)
        with open(path, "rb") as file:
            head = file.read(HEAD) if path.is_file() else b""
            if kind is None and (file_format := _fitting(head)) is not None and file_format.read_path is not None:
                games = file_format.read_path(path)
                if setup is not None:
                    _refuse_another_game(games, setup, path.name)
                return games
            content = head + file.read(MOST_BYTES + 1)
    except OSError as error:
        sentence = _("cannot read {path}: {error}; give a file of games")
        raise RunnerError(sentence.format(path=path, error=reason(error))) from error
    return read(path.name, content, setup, path.parent, kind)


def read_argument(text: str, setup: GameSetup | None = None, kind: FileFormat | None = None) -> GameFile:
    """The games for a FILE|MOVES argument of a command: the path of a file, or moves such as h8h9i9, or pasted SGF.
    - is the standard input.

    Raises RunnerError if the argument is empty, if a file names another game than `setup`, and as `read_path` does.
    """
    if not text.strip():
        raise RunnerError(_("give a file of games, or moves such as h8h9i9"))
    if text == STDIN:
        return read(_("the standard input"), sys.stdin.buffer.read(MOST_BYTES + 1), setup, kind=kind)
    if _URL.match(text):
        sentence = _("{url} is an address; download the file first, and give its path")
        raise RunnerError(sentence.format(url=shortened(text)))
    if _names_file(text):
        return read_path(Path(text.replace("\0", "\ufffd")), setup, kind)
    content = text.encode("utf-8", "surrogateescape")
    if kind or _fitting(content) is not None:
        return read(_("the moves"), content, setup, kind=kind)
    sentence = _("{text} is no file, and it cannot be read as moves; give a file of games, or moves such as h8h9i9")
    raise RunnerError(sentence.format(text=shortened(text)))


def is_moves(text: str) -> bool:
    """Whether a FILE|MOVES argument is a list of moves."""
    return not _names_file(text) and moves.fits(text.encode("utf-8", "surrogateescape"))


def _names_file(text: str) -> bool:
    """Whether a FILE|MOVES argument is the path of a file: it exists, or the text looks like a path, not like games."""
    if os.path.exists(text) or _IS_PATH.match(text):
        return True
    is_pasted = moves.is_whole(text) or "\n" in text or text.lstrip()[:1] in ("(", "{") or "[" in text
    is_game = is_pasted and _fitting(text.encode("utf-8", "surrogateescape")) is not None
    return _PATH.search(text) is not None and not is_game


def _refuse_another_game(games: GameFile, setup: GameSetup, file: str) -> None:
    """Raise RunnerError for a file whose game, board or size differs from the options, which the file overrides."""
    if other := next((heading.env for heading in games if heading.env != setup.env), ""):
        kinds.refuse_game(file, other, setup)
    if setup.board or setup.board_size:
        own, asked = games.game(0).setup.make(), setup.make()
        if (own.board_height, own.setup.board) != (asked.board_height, asked.setup.board):
            kinds.refuse_board(file)


def _fitting(content: bytes) -> FileFormat | None:
    return next((each for each in READERS if each.fits is not None and each.fits(content)), None)


def openings_of(path: Path, setup: GameSetup) -> Sequence[tuple[str, Sequence[Cell | None]]] | None:
    """The place and the moves of each game in a file; None for a file that `books.read` reads itself.

    Raises RunnerError for a file of another game, and for a damaged game, another board or another start.
    """
    try:
        file = read_path(path)
    except RunnerError:
        return None
    if file.kind in OF_BOOKS:
        return None
    other = file[0].env if len(file) else ""
    if file.kind not in NAMELESS and other != setup.env and (other in names() or is_mnk(other)):
        sentence = _("{path} holds games of {other}; give --env {env}, or another book")
        raise RunnerError(sentence.format(path=path, other=shown(called(other)), env=other))
    size = setup.board_size if file.kind in SIZELESS else None
    file = read_path(path, replace(setup, board=None, board_size=size, opening=()))
    found = list[tuple[str, Sequence[Cell | None]]]()
    start = setup.make()
    for number, game in enumerate(file.games(), start=1):
        place = _("game {number}").format(number=number)
        own = game.setup.make()
        if game.damage:
            raise RunnerError(f"{path}, {place}: {shown(game.damage)}")
        if game.setup.board is not None:
            sentence = _("{place} is a position, but an opening is moves; give one position by --board")
            raise RunnerError(sentence.format(place=f"{path}, {place}"))
        if own.board_height != start.board_height:
            sentence = _("{place} is on a board of {size}x{size}; give --board-size {size}, or another book")
            raise RunnerError(sentence.format(place=f"{path}, {place}", size=own.board_height))
        found.append((place, game.cells))
    return found
