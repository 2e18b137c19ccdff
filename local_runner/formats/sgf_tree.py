"""The syntax of SGF: a file is a collection of games, and each game is a tree of nodes with properties.

`games` finds every game in one pass. `tokens` yields the marks and properties of one game, of which `tree` makes all
its nodes, without loss. A file that breaks off is read up to the break. Libraries for SGF read all games at once and do
not say where a file is broken.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from local_runner.game.move_text import INVISIBLE
from local_runner.language.languages import Message
from local_runner.language.text import shortened

Node = dict[str, list[str]]  # property -> values, as the file has them with their backslashes

_VALUE = r"\[[^\]\\]*(?:\\.[^\]\\]*)*\]?"
_NAME = r"(?:[a-z]*[A-Z0-9][A-Za-z0-9]*|gm|ff|sz|ca|ap|pb|pw|b|w)"  # a property; FF[1] to FF[3] add small letters
_ROOT = r"\s*;\s*(?:FF|GM|CA|AP|SZ)\s*\["  # properties that only the first node of a game has
START = re.compile(rf"\(\s*;[\s;(]{{0,200}}{_NAME}\s*\[")  # the beginning of a game; other text round games is skipped
ROUND = " \t\r\n;()"  # signs round the nodes of a game
BARE = re.compile(
    rf"[{ROUND}]*(?:{_NAME}\s*{_VALUE}[\s;]*)*?[BWbw]\s*\[\s*(?:\]|[A-Za-z]{{2}}\]|[A-Za-z][0-9]{{1,2}}\])"
)  # nodes alone
_SCAN = re.compile(rf"([()])|(?<![A-Za-z0-9])([a-z]*[BW][a-z]*|b|w)(?=\s*\[)|{_VALUE}", re.DOTALL)
_IS_ROOT = re.compile(rf"\({_ROOT}")
_BLANK = rf"[\s{INVISIBLE}]*"
_STRAY = rf"(?:(?<=\]){_BLANK}\])?"  # behind a value that has brackets of its own, which some programs do not escape
_TOKEN = re.compile(rf"{_STRAY}{_BLANK}(?:([();])|([A-Za-z0-9_]*){_BLANK}({_VALUE}))", re.DOTALL)
_ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
MOST_NODES = 5000  # nodes: the most that are read of a main line, and of a tree
PER_LINE = 10  # nodes in a line of a written file


@dataclass(frozen=True)
class Span:
    """The start and end of a game in the text, the number of moves in its main line, and whether it has variations."""

    start: int
    end: int
    plies: int
    forked: bool = False


@dataclass
class TreeNode:
    """A node of a game with all its variations."""

    properties: Node = field(default_factory=dict)  # the values as the file has them; see `plain` and `escaped`
    children: list["TreeNode"] = field(default_factory=list)  # the nodes that follow; the first is of the main line
    at: int = field(default=0, compare=False)  # the offset of the node in the text

    def nodes(self) -> Iterator["TreeNode"]:
        """This node and all below, each before its children, in the order of a file."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def first(self, name: str) -> str:
        """The first value of a property as plain text; "" if the node lacks the property."""
        return next(self.values(name), "")

    def values(self, name: str) -> Iterator[str]:
        """The values of a property as plain text."""
        return map(plain, self.properties.get(name, ()))


def games(text: str) -> Iterator[Span]:
    """The place and the number of moves of every game in a collection."""
    at = 0
    while match := START.search(text, at):
        span = _span(text, match.start())
        yield span
        at = span.end


def outside(text: str, spans: Sequence[Span]) -> str:
    """A sentence (Message) with the first words outside the games, apart from numbers of games; "" for none."""
    ends = [0, *(span.end for span in spans)]
    pieces = (text[end:start] for end, start in zip(ends, [*(span.start for span in spans), len(text)], strict=True))
    words = next(filter(None, (" ".join(piece.strip(ROUND + "0123456789").split()) for piece in pieces)), "")
    return Message("left out is text outside the games, such as: {words}", words=shortened(words)) if words else ""


def _span(text: str, start: int) -> Span:
    """The game that begins at `start`. A game that is not closed ends where the next one begins."""
    depth = plies = 0
    in_main, forked = True, False
    for match in _SCAN.finditer(text, start):
        mark = match[1]
        if mark == "(":
            if depth and _IS_ROOT.match(text, match.start()):
                return Span(start, match.start(), plies, forked)
            forked = forked or not in_main
            depth += 1
        elif mark == ")":
            in_main = False
            depth -= 1
            if not depth:
                return Span(start, match.end(), plies, forked)
        elif match[2] and in_main:
            plies += 1
    return Span(start, len(text), plies, forked)


def tokens(text: str, span: Span) -> Iterator[tuple[int, str, str]]:
    """Each mark ( ) ; and each value of a property: its offset, the mark or the property's name, and the value.

    The last token is the bracket that closes the game, or "" at the offset from which the text cannot be read.
    """
    at, depth, name = span.start, 0, ""
    while (match := _TOKEN.match(text, at, span.end)) is not None:
        mark, said, value = match.groups()
        at = match.end()
        if mark:
            name = ""
            depth += {"(": 1, ")": -1}.get(mark, 0)
            yield at - 1, mark, ""
            if not depth:
                return
            continue
        if said:  # the small letters of FF[1] to FF[3] are left out; a name of small letters alone is in capitals
            name = said if said.isupper() else re.sub("[a-z]", "", said) or said.upper()
        if not (name and value.endswith("]")):
            yield match.start(3), "", ""
            return
        yield match.start(3), name, value[1:-1]
    yield at if text[at : span.end].strip() else span.end, "", ""


def tree(text: str, span: Span, most: int = MOST_NODES, *, is_main: bool = False) -> tuple[TreeNode, int | None]:
    """The first node of a game with all that follow, and the offset from which the text cannot be read, None if none.

    A game with more than `most` nodes counts as broken there. `is_main`: only the main line is read.
    """
    root, forks, number = TreeNode(), list[TreeNode](), 0
    node = last = root  # the node whose properties are read, and the one that the next node follows
    for at, name, value in tokens(text, span):
        if name == "(":
            forks.append(last)
        elif name == ")":
            if is_main:
                break
            last = forks.pop()
        elif name != ";":
            if not (name and number):
                return root, at
            node.properties.setdefault(name, []).append(value)
        elif number == most:
            return root, None if is_main else at
        else:
            number += 1
            if number > 1:
                node = TreeNode()
                last.children.append(node)
                last = node
            node.at = at
    return root, None


def written(root: TreeNode) -> str:
    """The text of a game with all its variations."""
    parts, waiting = list[str](), list[TreeNode | str]((root,))
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        parts.append("(" if node is root else "\n(")
        line = 0
        while True:
            parts.append("\n;" if line % PER_LINE == 1 else ";")
            parts += [f"{name}[{']['.join(values)}]" for name, values in node.properties.items()]
            line += 1
            if len(node.children) != 1:
                break
            node = node.children[0]
        waiting += [")", *reversed(node.children)]
    return "".join(parts) + "\n"


def plain(value: str) -> str:
    """A property's value without backslash escapes; an escaped line break is removed."""
    return _ESCAPED.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], value)


def escaped(text: str) -> str:
    """A text as a property's value: ] \\ and : get a backslash in front."""
    return re.sub(r"([\]\\:])", r"\\\1", text)
