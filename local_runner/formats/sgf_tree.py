"""The syntax of SGF: a file is a collection of games, and each game is a tree of nodes with properties.

`games` finds every game of a collection in one pass, with the number of moves in its main line. `main_line` reads the
nodes of one game, and at every fork only the first branch. A file that breaks off is read up to the break. No library
for SGF is used, because the libraries read all games at once and do not say where a file is broken.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

Node = dict[str, list[str]]  # property -> values, unescaped

_VALUE = r"\[[^\]\\]*(?:\\.[^\]\\]*)*\]?"
_NAME = r"(?:[a-z]*[A-Z0-9][A-Za-z0-9]*|gm|ff|sz|ca|ap|pb|pw|b|w)"  # of a property; FF[1] to FF[3] add small letters
_ROOT = r"\s*;\s*(?:FF|GM|CA|AP|SZ)\s*\["  # properties that only the first node of a game has
START = re.compile(rf"\(\s*;[\s;(]*{_NAME}\s*\[")  # the beginning of a game; other text round games is skipped
_SCAN = re.compile(rf"([()])|(?<![A-Za-z0-9])([a-z]*[BW][a-z]*|b|w)(?=\s*\[)|{_VALUE}", re.DOTALL)
_IS_ROOT = re.compile(rf"\({_ROOT}")
_TOKEN = re.compile(rf"\s*(?:([();])|([A-Za-z0-9]+)(?=\s*\[)|({_VALUE}))", re.DOTALL)
_ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
MOST_NODES = 5000  # nodes of a main line that are read


@dataclass(frozen=True)
class Span:
    """The start and end of a game in the text, the number of moves in its main line, and whether it has variations."""

    start: int
    end: int
    plies: int
    forked: bool = False


@dataclass
class NodeLine:
    """The nodes of a main line, each with its offset in the text.

    `broken`: the offset from which the text cannot be read; None if no error was found.
    """

    nodes: list[tuple[int, Node]] = field(default_factory=list)
    broken: int | None = None


def games(text: str) -> Iterator[Span]:
    """The place and the number of moves of every game in a collection."""
    at = 0
    while found := START.search(text, at):
        span = _span(text, found.start())
        yield span
        at = span.end


def _span(text: str, start: int) -> Span:
    """The game that begins at `start`. A game that is not closed ends where the next one begins."""
    depth = plies = 0
    in_main, forked = True, False
    for found in _SCAN.finditer(text, start):
        mark = found[1]
        if mark == "(":
            if depth and _IS_ROOT.match(text, found.start()):
                return Span(start, found.start(), plies, forked)
            forked = forked or not in_main
            depth += 1
        elif mark == ")":
            in_main = False
            depth -= 1
            if not depth:
                return Span(start, found.end(), plies, forked)
        elif found[2] and in_main:
            plies += 1
    return Span(start, len(text), plies, forked)


def main_line(text: str, span: Span, most: int = MOST_NODES) -> NodeLine:
    """The first `most` nodes of the main line of a game."""
    line, values = NodeLine(), list[str]()
    at = text.index("(", span.start) + 1
    while at < span.end:
        found = _TOKEN.match(text, at, span.end)
        if found is None:
            if text[at : span.end].strip():
                line.broken = at
            break
        mark, name, value = found.groups()
        if mark == ")" or (mark == ";" and len(line.nodes) == most):
            return line
        if mark == ";":
            line.nodes.append((found.start(1), {}))
            values = []
        elif name and line.nodes:
            values = line.nodes[-1][1].setdefault(_plain_name(name), [])
        elif value and line.nodes:
            if not value.endswith("]"):
                line.broken = found.start(3)
                break
            values.append(_plain(value[1:-1]))
        elif mark != "(":
            line.broken = found.start()
            break
        at = found.end()
    if line.broken is None and len(line.nodes) < most:
        line.broken = span.end
    return line


def _plain_name(name: str) -> str:
    """A property's name without the small letters of FF[1] to FF[3]; a name of small letters alone in capitals."""
    return "".join(letter for letter in name if not letter.islower()) or name.upper()


def _plain(value: str) -> str:
    """A property's value without backslash escapes; an escaped line break is removed."""
    return _ESCAPED.sub(lambda found: "" if found[1][0] in "\r\n" else found[1], value)


def escaped(text: str) -> str:
    """A text as a property's value: ] \\ and : get a backslash in front."""
    return re.sub(r"([\]\\:])", r"\\\1", text)
