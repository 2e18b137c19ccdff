"""The syntax of SGF: a file is a collection of games, and each game is a tree of nodes with properties.

`games` finds every game of a collection in one pass, with the number of moves in its main line. `main_line` reads the
nodes of one game, and at every fork only the first branch. `tree` reads all nodes without loss, and `written` writes
them. A file that breaks off is read up to the break. No library for SGF is used, because the libraries read all games
at once and do not say where a file is broken.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from local_runner.game.move_text import INVISIBLE
from local_runner.language.languages import Message
from local_runner.language.text import shortened

Node = dict[str, list[str]]  # property -> values, unescaped

_VALUE = r"\[[^\]\\]*(?:\\.[^\]\\]*)*\]?"
_NAME = r"(?:[a-z]*[A-Z0-9][A-Za-z0-9]*|gm|ff|sz|ca|ap|pb|pw|b|w)"  # a property; FF[1] to FF[3] add small letters
_ROOT = r"\s*;\s*(?:FF|GM|CA|AP|SZ)\s*\["  # properties that only the first node of a game has
START = re.compile(rf"\(\s*;[\s;(]*{_NAME}\s*\[")  # the beginning of a game; other text round games is skipped
ROUND = " \t\r\n;()"  # signs round the nodes of a game
BARE = re.compile(
    rf"[{ROUND}]*(?:{_NAME}\s*{_VALUE}[\s;]*)*?[BWbw]\s*\[\s*(?:\]|[A-Za-z]{{2}}\]|[A-Za-z][0-9]{{1,2}}\])"
)  # nodes alone
_SCAN = re.compile(rf"([()])|(?<![A-Za-z0-9])([a-z]*[BW][a-z]*|b|w)(?=\s*\[)|{_VALUE}", re.DOTALL)
_IS_ROOT = re.compile(rf"\({_ROOT}")
_TOKEN = re.compile(rf"[\s{INVISIBLE}]*(?:([();])|([A-Za-z0-9_]+)(?=\s*\[)|({_VALUE}))", re.DOTALL)
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
    """A node of a game with all its variations.

    properties: the values of each property as the file has them, with their backslashes; see `plain` and `escaped`
    children: the nodes that follow; the first continues the main line
    """

    properties: Node = field(default_factory=dict)
    children: list["TreeNode"] = field(default_factory=list)

    def nodes(self) -> Iterator["TreeNode"]:
        """This node and all below, each before its children, in the order of a file."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def has_variations(self) -> bool:
        """Whether a node here or below has several children."""
        return any(len(node.children) > 1 for node in self.nodes())

    def first(self, name: str) -> str:
        """The first value of a property as plain text; "" without one."""
        return plain(next(iter(self.properties.get(name, ())), ""))


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


class _Reader:
    """Reads the marks ( ) ; of a game and the properties between them.

    `broken`: the offset from which the text cannot be read, once `marks` has ended; None after the game's end.
    """

    def __init__(self, text: str, span: Span) -> None:
        self.broken: int | None = None
        self._text, self._span = text, span

    def marks(self) -> Iterator[tuple[str, int, Node]]:
        """Each mark of the game with its offset. The properties of a node are added to the dict that came with its ;
        until the next mark is asked for.
        """
        text, end = self._text, self._span.end
        at, depth = self._span.start, 0
        node: Node | None = None
        values = list[str]()
        while at < end:
            match = _TOKEN.match(text, at, end)
            if match is None:
                self.broken = at if text[at:end].strip() else end
                return
            mark, name, value = match.groups()
            if mark:
                depth += {"(": 1, ")": -1}.get(mark, 0)
                node, values = ({}, []) if mark == ";" else (node, values)
                yield mark, match.start(1), node if mark == ";" and node is not None else {}
                if not depth:
                    return
            elif node is None:
                self.broken = match.start()
                return
            elif name:
                values = node.setdefault(plain_name(name), [])
            elif value.endswith("]"):
                values.append(value[1:-1])
            else:
                self.broken = match.start(3)
                return
            at = match.end()
        self.broken = end


def main_line(text: str, span: Span, most: int = MOST_NODES) -> tuple[list[tuple[int, Node]], int | None]:
    """The first `most` nodes of the main line of a game, each with its offset in the text.

    Also the offset from which the text cannot be read; None if no error was found.
    """
    nodes, reader, broken = list[tuple[int, Node]](), _Reader(text, span), None
    for mark, at, node in reader.marks():
        if mark == ")" or (mark == ";" and len(nodes) == most):
            break
        if mark == ";":
            nodes.append((at, node))
    else:
        broken = reader.broken
    return [(at, {name: list(map(plain, values)) for name, values in node.items()}) for at, node in nodes], broken


def tree(text: str, span: Span, most: int = MOST_NODES) -> tuple[TreeNode, int | None]:
    """The first node of a game with all that follow, and the offset from which the text cannot be read, None if none.

    A game with more than `most` nodes counts as broken there.
    """
    root = TreeNode()
    last, forks, number = root, list[TreeNode](), 0
    reader = _Reader(text, span)
    for mark, at, properties in reader.marks():
        if mark == "(":
            forks.append(last)
        elif mark == ")":
            last = forks.pop()
        else:
            number += 1
            if number > most:
                return root, at
            if number == 1:
                root.properties = properties
                continue
            last.children.append(TreeNode(properties))
            last = last.children[-1]
    return root, reader.broken


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
            parts.append(("\n" if line % PER_LINE == 1 else "") + ";" + _properties(node))
            line += 1
            if len(node.children) != 1:
                break
            node = node.children[0]
        waiting += [")", *reversed(node.children)]
    return "".join(parts) + "\n"


def _properties(node: TreeNode) -> str:
    return "".join(name + "".join(f"[{value}]" for value in values) for name, values in node.properties.items())


def plain_name(name: str) -> str:
    """A property's name without the small letters of FF[1] to FF[3]; a name of small letters alone in capitals."""
    return "".join(letter for letter in name if not letter.islower()) or name.upper()


def plain(value: str) -> str:
    """A property's value without backslash escapes; an escaped line break is removed."""
    return _ESCAPED.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], value)


def escaped(text: str) -> str:
    """A text as a property's value: ] \\ and : get a backslash in front."""
    return re.sub(r"([\]\\:])", r"\\\1", text)
