"""Reads boards as people write them: the only reader for --board, files of positions, and pasted positions.

    . X O   - * O   _ B W   · ● ○   . @ O      an empty cell, Black, White; also 0 1 2, . 0 1 and . 1 2
    rows of marks, one a line, also with letters above and numbers before them, with blanks, commas or | between marks
    all cells in one line, row by row from the top, and the side to move: ...OX......XO... X
    OBF, a line of such cells, the side to move and remarks behind a semicolon: ...OX......XO... X; d3:+2;
        moves after the side to move: ...OX......XO... X f5d6c3; the board of GGF: [4 .... .OX. .XO. .... X]
    boards that GGS or Edax prints among other lines, between two lines of letters, with "O to move" in a row or below;
    the moves of such a board are the lines below with a number and a colon: 1: F5//2.5
    [[0, 0, 0, 0], [0, 2, 1, 0], ...           lists as Python, numpy and JSON print them; also 0 1 -1, 0. 1. 2., [[[0],

The numbers 0 and 1 alone are refused, because they may mean an empty cell and Black, or Black and White.

>>> read_boards(".X.. XO.. OX.. .... O")
[BoardText(rows=('.X..', 'XO..', 'OX..', '....'), first=2, line=1, moves='')]
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from env_adapter.game import BLACK, EMPTY, MARKS, WHITE
from local_runner.game.coordinates import LETTERS
from local_runner.game.move_text import plain, read_moves

SMALLEST, LARGEST = 4, 26  # cells: least and greatest side
FREE = ".-_+·□🟩"
ALPHABETS = (  # marks of an empty cell, of Black and of White
    (FREE, "x*b@●⚫", "ow○◯〇⚪"), ("0", "1", "2"), (FREE, "0", "1"), (FREE, "1", "2"),
)  # fmt: skip
UNCLEAR = {"0", "1"}
_SIDES = {**dict.fromkeys(("x", "b", "*", "@", "●", "1", "black", "黑", "黑先"), BLACK),
          **dict.fromkeys(("o", "w", "○", "2", "white", "白", "白先"), WHITE)}  # fmt: skip
_SIDE = re.compile(r"(.*?)(?:\s+(?:to\s+)?(?:move|play|turn)s?)?\s*[:.]?\s*")
_WORDS = re.compile(r"(.*?)((?:\s+\w+|\s+\S)?(?:\s+to)?(?:\s+(?:move|play|turn)s?)?)[\s:.]*")
_SIDES_BY_LENGTH = {side * side: side for side in range(SMALLEST, LARGEST + 1)}
_PRINTED = re.compile(r"^[| ]*(a b c d(?: [e-z])*)\b.*\n((?:[| ]*[0-9]{1,2} .*\n)+)[| ]*\1\b.*", re.MULTILINE)
_PRINTED_ROW = re.compile(r"^[| ]*([0-9]{1,2})((?: [^\s0-9])+) +\1\b", re.MULTILINE)
_TO_MOVE = re.compile(r"(\S) to move\b")
_PLAYED = re.compile(r"^[| ]*[0-9]{1,3}: *([^/\s]+)", re.MULTILINE)  # a move of GGS, without its value and time
_SIZE = re.compile(r"\A[\s\[]*[0-9]{1,2} (?=[^0-9]*\Z)")  # the side of the board before its cells, as in GGF
_BETWEEN = re.compile(r"[\s,|\[\]\"'/]+")
_LABELLED = re.compile(r"\s*([0-9]{1,2})[\s|](.*?)(?:[\s|]+\1)?\s*")
_COMMENT = re.compile("[%#].*")
_LISTS = re.compile(r"\[\s*\[[\s\[\],.0-9-]*")
_NUMBER = re.compile(r"(-?[0-9])(?:\.0*)?(?![0-9.])")


@dataclass(eq=False)
class NoBoard(ValueError):
    """No board can be read from a text."""

    line: int = 0  # the number of the first line that is no row of a board; 0 if there is none
    text: str = ""  # this line
    rows: Sequence[str] = ()  # the rows that were read, if they make no square


class BoardText(NamedTuple):
    """A board as rows of . X O."""

    rows: tuple[str, ...]
    first: int = 0  # the side to move, 1 Black, 2 White, 0 if the text does not say
    line: int = 1  # the number of the board's first line, from 1
    moves: str = ""  # the moves that the text gives from this board on, as in the text


def read_boards(text: str) -> list[BoardText]:
    """All boards of a text: one board in rows, a board in each line, or printed boards among other lines.

    Raises NoBoard if there is no board, or a line is neither a board nor a row of one.
    """
    if printed := list(_printed(plain(text))):
        return printed
    lines = [(number, line) for number, said in enumerate(_as_rows(plain(text)).splitlines(), start=1)
             if (line := _COMMENT.sub("", said)).strip()]  # fmt: skip
    is_square = {len(_joined(line)) for _number, line in lines} == {len(lines)}
    boards = [board._replace(line=number) for number, line in lines if (board := _one_line(line))]
    if boards and len(boards) == len(lines) and not is_square:
        return boards
    return [_of_rows(lines, text.splitlines())]


def is_board(text: str) -> bool:
    """Whether a text is one or more boards with stones."""
    try:
        return all(set("".join(board.rows)) - {MARKS[EMPTY]} for board in read_boards(text))
    except NoBoard:
        return False


def _printed(text: str) -> Iterator[BoardText]:
    """The boards between two lines of letters. No boards if a line above the first has several moves."""
    boards = list(_PRINTED.finditer(text))
    if any(len(read_moves(line, 2).cells) > 1 for line in text[: boards[0].start() if boards else 0].splitlines()):
        return
    for board, end in zip(boards, [*(each.start() for each in boards[1:]), len(text)], strict=False):
        rows = [(int(number), _joined(marks)) for number, marks in _PRINTED_ROW.findall(board[2])]
        alphabet, side = _alphabet("".join(marks for _number, marks in rows)), len(_joined(board[1]))
        if alphabet and [(number, len(marks)) for number, marks in rows] == [(row, side) for row in range(1, side + 1)]:
            to_move = _TO_MOVE.search(text, board.start(2), end)
            first, line = _side(to_move[1], alphabet) if to_move else 0, text.count("\n", 0, board.start(2)) + 1
            moves = " ".join(_PLAYED.findall(text, board.end(), end))
            yield BoardText(tuple(_plainly(marks, alphabet) for _number, marks in rows), first, line, moves)


def _as_rows(text: str) -> str:
    """The rows of a board that is printed as lists of numbers, with 2 for -1; a text without such lists unchanged.

    Raises NoBoard for lists that are no rows of a board, such as the pairs of row and column of moves.
    """
    if (lists := _LISTS.search(text)) is None:
        return text
    cells = "".join("2" if number == "-1" else number for number in _NUMBER.findall(lists[0]))
    side, lists_opened = _SIDES_BY_LENGTH.get(len(cells), 0), lists[0].count("[")
    if not set(cells) <= set("012") or lists_opened not in (side + 1, side * side + side + 1):
        raise NoBoard
    return "\n".join(cells[at : at + side] for at in range(0, len(cells), side))


def _one_line(line: str) -> BoardText | None:
    """The board whose cells are all in one line, with the moves behind the side to move; None if there is none."""
    line = _SIZE.sub("", line.partition(";")[0])
    cells, first, moves = _joined(line), "", ""
    parts = line.split()
    if parts and len(parts[0]) - 1 in _SIDES_BY_LENGTH:  # the side to move stands behind the last cell
        parts[:1] = [parts[0][:-1], parts[0][-1]]
    played = read_moves(" ".join(parts[2:])) if parts and len(parts[0]) in _SIDES_BY_LENGTH else None
    if played and played.cells and not played.rest:
        cells, first, moves = parts[0], parts[1], " ".join(parts[2:])
    elif len(cells) not in _SIDES_BY_LENGTH:
        shorter, words = _WORDS.fullmatch(line).groups()  # type: ignore[union-attr]
        if _side(words, ALPHABETS[0]) and len(_joined(shorter)) in _SIDES_BY_LENGTH:
            cells, first = _joined(shorter), words
        else:
            cells, first = cells[:-1], cells[-1:]
    side, alphabet = _SIDES_BY_LENGTH.get(len(cells)), _alphabet(cells)
    if side is None or alphabet is None or (first and not _side(first, alphabet)):
        return None
    rows = (cells[at : at + side] for at in range(0, len(cells), side))
    return BoardText(tuple(_plainly(row, alphabet) for row in rows), _side(first, alphabet), moves=moves)


def _of_rows(lines: Sequence[tuple[int, str]], whole: Sequence[str]) -> BoardText:
    """The board with a row in each line. `whole`: all lines of the text as they are. Raises NoBoard."""
    framed = any("|" in line for _number, line in lines)
    rows: list[tuple[int, str, str]] = []  # number and text of the line, its marks
    first = 0
    for number, line in lines:
        marks = _joined(line)
        if marks == LETTERS[: len(marks)] or (framed and "|" not in line and not marks.strip("+-=")):
            continue
        if rows and (side := _side(line, ALPHABETS[0])):
            first = side
            continue
        rows.append((number, line, marks))
    labels = [_LABELLED.fullmatch(line) for _number, line, _marks in rows]
    if rows and [label and int(label[1]) for label in labels] == [*range(1, len(rows) + 1)]:
        labelled = zip(rows, labels, strict=True)
        rows = [(number, line, _joined(label[2])) for (number, line, _marks), label in labelled if label]
    alphabet = _alphabet(mark for _number, _line, marks in rows for mark in marks)
    if alphabet is None:
        known = set("".join(ALPHABETS[0]))
        wrong = [number for number, _line, marks in rows if set(marks) - known] or [number for number, *_ in rows]
        raise NoBoard(wrong[0], whole[wrong[0] - 1]) if wrong else NoBoard()
    made = tuple(_plainly(marks, alphabet) for _number, _line, marks in rows)
    if not made or {len(row) for row in made} != {len(made)}:
        raise NoBoard(rows=made)
    return BoardText(made, first, rows[0][0])


def _joined(line: str) -> str:
    return _BETWEEN.sub("", line)


def _alphabet(cells: Iterable[str]) -> tuple[str, str, str] | None:
    """The first of ALPHABETS that has all these marks; None if none has, or if 0 and 1 are the only marks."""
    marks = set(cells)
    if marks and marks <= UNCLEAR:
        return None
    return next((each for each in ALPHABETS if marks <= set("".join(each))), None)


def _plainly(cells: str, alphabet: tuple[str, str, str]) -> str:
    return "".join(next(MARKS[stone] for stone, marks in enumerate(alphabet) if cell in marks) for cell in cells)


def _side(text: str, alphabet: tuple[str, str, str]) -> int:
    """The side that a mark or a word names, such as "x" or "white to move"; 0 for none."""
    word = text.strip()
    if len(word) == 1 and word in alphabet[1] + alphabet[2]:
        return BLACK if word in alphabet[1] else WHITE
    match = _SIDE.fullmatch(word)
    return _SIDES.get(match[1], 0) if match else 0
