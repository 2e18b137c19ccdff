"""Reads moves as people write them: the only reader for arguments, files, openings, the page and `tengen play`.

    h8h9i9   h8 h9, i9   H8-H9_I9   h8、h9，i9   "h8","h9"     any separators, or none; full-width signs, capitals
    1. h8 h9 2. i9       1.h8 2.h9 3.i9       1 h8 h9         numbers of moves or of rounds before the moves
    h-8 h,9 I 9                                       a separator between letter and number
    7,7 8,8   (7,7) (8,8)   [[7,7],[8,8]]             row and column counted from 0, if the caller sets `pairs`
    B h8 W i9    Black: h8 White: i9    黑h8 白i9    h8 {a comment} i9 (0.5s)       sides in turn, comments, seconds
    f5 pass d6, f5 PA d6, f5PSd6, f5--d6, f5@@d6               a pass
    5f6d3c   8h 9i                                             the row before the column, in all names or in none
    position startpos moves h8 i9, play B h8, moves: h8, h8! i9?, {f5} {d6}, * h8, `h8`

A number counts as a move number only if it is the number of the move, or of the round, at its place. Of the last row of
examples, the words and marks around the moves are skipped.

>>> read_moves("1. F5 d6 2. C3 pass").cells
((4, 5), (5, 3), (2, 2), None)
"""

import re
import unicodedata
from typing import NamedTuple

from env_adapter import Cell
from local_runner.game.coordinates import LETTERS

PASSES = "pass|pa|ps|--|@@@@|@@|——|停一手|停着|虚着|虚手|弃着|弃权|パス"  # @@@@ before @@: longer words first
_ROW = "0?(?P<row>[1-9][0-9]?)"
# Patterns of the text between two moves, in lower case. If one pattern begins with another, the longer one stands
# first.
_GAPS = (
    r"\{[^{}]*\}",  # a comment
    r"\([0-9.]+\s?(?:s|秒)\)",  # the seconds of a move
    r"</?[a-z]{1,6}\s*/?>|&[a-z]{2,5};|%20",  # tags and entities of HTML, and a blank in a URL
    r"[\s,;:|/_.·•<>→()\[\]\"'`“”‘’«»、，；。：~〜+&=\\‐−–]",  # separators
    "-(?!-)|—(?!—)",  # a single dash; two dashes are a pass
    r"(?<=[0-9a-z])[!?]{1,2}(?=[\s,;]|\Z)",  # annotation glyphs: h8! i9?
    r"\*+(?=\s*[0-9a-z]|[\s,]|\Z)",  # items of a list, and bold type in Markdown
    r"(?:position|startpos|moves?|play(?:s|ed)?|棋谱|着法)(?=[\s:])",  # words before the moves
)
_GAP = "|".join(_GAPS)
_LETTER_FIRST = (
    r"(?P<col>[a-z](?:(?<![0-9].)(?<![0-9]-.)[ ]?[-,]?[ ]?)?)"  # h8, h-8, h,8; but only 8h9 and 8h-9 behind a number
    rf"{_ROW}(?![0-9])"
)
_NUMBER_FIRST = rf"{_ROW}(?P<col>[a-z])(?![a-z])"
_TURNED = r"(?:0?[1-9][0-9]?[a-z])+(?![0-9a-z])"  # names such as 5f6d with the row first, up to the next separator
# The tokens besides the cell's name (letter first or number first), in the order in which they are tried.
_TOKENS = {
    "pair": r"(?<=[(\[])\s*[0-9]{1,2}(?:\s*[,、]\s*|\s+)[0-9]{1,2}(?=\s*[)\]])"  # (7, 7), [7 7]
            r"|(?<![0-9][.])[0-9]{1,2},[0-9]{1,2}(?![0-9.,])",  # 7,7; but not in 1.7,7 and 7,7,1
    "side": r"black|white|[黑白][棋子方]?|(?:player|玩家)\s?[12](?=[\s:])"
            r"|[bw](?=[\s:(-]+(?:[a-z]0?[1-9]|[0-9]{1,2}[a-z]))",  # b and w only before a cell
    "pass": rf"(?:{PASSES})(?![0-9]|(?!{PASSES}|[a-z]0?[1-9])[a-z])",  # no beginning of a word or of a cell's name
    "gap": f"(?:{_GAP})+",
    "number": r"第?(?P<count>[0-9]{1,3})[手步着]?(?![0-9]|\s*,\s*[0-9])",  # number of a move or a round: 1, 第1手
}  # fmt: skip
_TOKEN, _TURNED_TOKEN = (
    re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in {"cell": cell, **_TOKENS}.items()))
    for cell in (_LETTER_FIRST, _NUMBER_FIRST)
)
# Text that may stand before the first cell name. If the first name has the row before the column, all names must.
_HEAD = (
    rf"(?:{_GAP}|第?[0-9]{{1,3}}(?![0-9a-z])[手步着]?|black|white|[黑白][棋子方]?|[bw](?=[\s:])|(?:{PASSES})(?=\s))*"
)
_BEGINS_TURNED = re.compile(rf"{_HEAD}{_TURNED}")
_IN_BRACES = re.compile(r"\s*(?:\{\s*[a-z]0?[1-9][0-9]?\s*\}[\s,;]*)+")
_GLUED = re.compile(_TURNED)
_GLUED_LETTER = re.compile("-?[a-z]")  # a column letter behind a row number: 8h, 8-h
_NUMBER = re.compile("[0-9]+")
_NAME = re.compile("([a-z])([1-9][0-9]?)")
_NAMES = re.compile(rf"(?:{_NAME.pattern}(?![0-9])[ ,]*)+")
_PASS = re.compile(PASSES)
REMARK = re.compile(r"\(.*\)\s*\Z|(?!black|white)[^\W\d]{2}\D*(?:(?<![a-z])[0-9]{1,2}\W*)?\Z")  # an opening's name
_NAME_IN_BRACKETS = re.compile(r"\(([^()]*[^\W\d_]{2}[^()]*)\)\s*\Z")
INVISIBLE = (
    "\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\u20e3\ufe0f\ufeff"  # invisible characters; some occur in emoji
)
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_ENCLOSED = re.compile("[\u2460-\u249b\u3251-\u325f\u32b1-\u32bf]")  # numbers in circles, brackets or with a full stop
_CELLS = {(letter, str(row)): (row - 1, col) for col, letter in enumerate(LETTERS) for row in range(1, 100)}


class MoveText(NamedTuple):
    """The moves of a text."""

    cells: tuple[Cell | None, ...]  # None for a pass
    number: int | None = None  # the move number before the first move; None if there is none
    rest: str = ""  # the text from the first character that cannot be read, "" if all could be read
    pairs: bool = False  # whether the cells are written as row and column
    sided: bool = False  # whether the side of a move is named

    @property
    def is_moves(self) -> bool:
        """Whether the text looks like moves, although its end may be unreadable. One pair of numbers is no move."""
        return any(self.cells) and (len(self.cells) > 1 or not (self.rest or self.pairs))


def read_moves(text: str, most: int = 2 * 26 * 26, *, pairs: bool = False, before: int = 0) -> MoveText:
    """The first `most` moves of a text. Cells may lie off the board, because the text does not say how large it is.

    before: number of plies of the game before this text, for names of sides such as W before a move
    pairs: cells may be written as row and column, such as 7,7 or (7, 7), if all are
    """
    text = plain(text)
    if (name := _NAME_IN_BRACKETS.search(text)) and (inside := read_moves(name[1])).rest and inside.rest != name[1]:
        before_it = read_moves(text[: name.start()], most, pairs=pairs, before=before)
        return before_it._replace(rest=before_it.rest + name[0])  # "(d1 kansei)" is no move
    if _NAMES.fullmatch(text) and len(names := _NAME.findall(text)) <= most:  # four times as fast as the loop
        return MoveText(tuple(map(_CELLS.__getitem__, names)))
    if _IN_BRACES.fullmatch(text):
        text = text.replace("{", " ").replace("}", " ")
    turned = _BEGINS_TURNED.match(text) is not None
    token = _TURNED_TOKEN if turned else _TOKEN
    cells: list[Cell | None] = []
    number: int | None = None
    sided = False
    named = paired = False  # whether cells were written as names, as pairs of numbers
    at, waits = 0, -1  # waits: the offset of a move number whose move has not come yet
    while at < len(text) and len(cells) < most:
        match = token.match(text, at)
        kind = match.lastgroup if match else ""
        if match is None or (kind == "number" and not turned and _GLUED.match(text, at)):
            break
        if kind == "number":
            count, played = int(match["count"]), len(cells)
            is_glued = _GLUED_LETTER.match(text, match.end()) is not None
            is_inside = at > 0 and text[at - 1].isascii() and text[at - 1].isalnum()  # inside a word
            if waits >= 0 or is_inside or (is_glued and not cells and count > 1):
                break
            if not cells:
                number = count
            elif count - (number or 1) not in (played, played // 2, (played + 1) // 2):
                break
            waits = at
        elif kind == "side":
            if (match["side"][0] in "w白" or match["side"][-1] == "2") != (before + len(cells)) % 2:
                break
            sided = True
        elif kind == "pair":
            if not pairs or named:
                break
            row, col = map(int, _NUMBER.findall(match["pair"]))
            paired = True
            cells.append((row, col))
            waits = -1
        elif kind != "gap":
            if kind == "cell" and paired:
                break
            named = named or kind == "cell"
            cells.append(_CELLS[match["col"][0], match["row"]] if kind == "cell" else None)
            waits = -1
        at = match.end()
    at = at if waits < 0 else waits
    return MoveText(tuple(cells), number if cells else None, text[at:], pairs=paired, sided=sided)


def plain(text: str) -> str:
    """The text in small letters, with full-width letters, digits and signs as usual ones, without invisible marks."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", _ENCLOSED.sub(r" \g<0> ", text)))
    return text.lower()


def is_pass(text: str) -> bool:
    """Whether a text is one of the words for a pass."""
    return _PASS.fullmatch(plain(text).strip()) is not None
