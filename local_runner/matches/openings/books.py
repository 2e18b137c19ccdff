"""Reads books of openings, from files or this package, and checks with the referee that their moves are legal.

A file that begins with `[` is JSON. In other files, a line of numbers with a comma is in the format offset, any other
line in pos; blank lines and text after a `#` are ignored. Black moves first. For further formats see `Others`.

    pos      h8i9j10                columns from the left, rows from 1 at the TOP, as c-gomoku-cli's `type=pos` and
                                    Othello transcripts; also with separators and move numbers (game/move_text.py)
    offset   0,0, 1,1, 2,2          x,y from the centre at row size // 2 and column size // 2; x to the right, y DOWN,
                                    as Gomocup's openings and c-gomoku-cli's `type=offset`
    JSON     [[[7, 7], [8, 8]]]     openings of [row, col] from 0; one opening may leave out the outer brackets
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Any

from env_adapter import Cell, Game
from env_adapter.game import WHITE
from local_runner.errors import RunnerError
from local_runner.game.board_text import NoBoard, is_board, read_boards
from local_runner.game.coordinates import spelt, written
from local_runner.game.move_text import REMARK, read_moves
from local_runner.game.setup import GameSetup
from local_runner.game.wording import why_not
from local_runner.language.languages import COMMA, _, shown
from local_runner.system.decoding import decoded
from local_runner.system.files import reason, refuse_pipe

Opening = tuple[Cell, ...]
BoardRows = tuple[tuple[int, ...], ...]

# Reads a file of games: for each game its label in errors, such as "game 3", and its moves. Returns None if the file is
# in one of the three formats that this module reads. formats/ has the function, because formats/ imports this folder.
Others = Callable[[Path, GameSetup], Sequence[tuple[str, Sequence[Cell | None]]] | None]

SHIPPED = Path(__file__).parent
OFFSET = re.compile(r"-?[0-9]{1,3}")
LETTER = re.compile(r"[A-Za-z]")


class Purpose(Enum):
    """The purpose of a book. Settings are tuned on TUNE books and tested on TEST books, which share no position."""

    TUNE = "tune"
    TEST = "test"


_Entry = tuple[str, list[tuple[str, Cell]]]  # an opening: its place in words, and each move as written and as a cell


def read(path: Path, setup: GameSetup, others: Others | None = None) -> list[Opening]:
    """The openings of a file for one game, in the file's order. The opening in `setup` is ignored.

    `others`: reads files of games; None if only the three formats are to be read.

    Raises RunnerError for a file without openings, for an unreadable line, for an opening that is illegal or ends the
    game, or leads to the position of an earlier one, even turned or mirrored. Raises EnvError for an unknown game.
    """
    setup, openings = replace(setup, opening=()), list[Opening]()
    places: dict[object, str] = {}
    games = others(path, setup) if others else None
    for place, cells in games or ():
        if None in cells:
            raise RunnerError(_("{place} has a pass; an opening has none").format(place=_in_file(path, place)))
    entries = _entries(path, setup.make()) if games is None else (
        (place, [(written(cell), cell) for cell in cells if cell]) for place, cells in games)  # fmt: skip
    for place, moves in entries:
        position = canonical(_played(setup, _in_file(path, place), moves))
        if position in places:
            sentence = _("{place} leads to the position of {other}, or to a turned or mirrored one; remove one of them")
            raise RunnerError(sentence.format(place=_in_file(path, place), other=places[position]))
        places[position] = place
        openings.append(tuple(cell for _written, cell in moves))
    if not places:
        sentence = _("{path} holds no opening; write one on each line, such as {opening}")
        raise RunnerError(sentence.format(path=path, opening=spelt(((1, 1), (0, 2)))))
    return openings


def read_board(path: Path) -> tuple[str, ...]:
    """The rows of a board in a file (game/board_text.py): . is an empty cell, X a black stone, O a white one.

    Raises RunnerError for a file that cannot be read, for other characters, for a board that is empty or not square,
    for several boards, and for White to move.
    """
    text = _text_of(path, _("cannot read a board from {path}: {error}; give another file"),
                    _("{path} is no text file; a board is written in rows of . X O"))  # fmt: skip
    try:
        boards = read_boards(text)
    except NoBoard as error:
        why = _("{path} holds no board; write rows of . X O").format(path=path)
        uneven = [(number, row) for number, row in enumerate(error.rows, start=1) if len(row) != len(error.rows)]
        for number, row in uneven[:1]:
            why = _("{path}: row {number} of the board is {width} wide, but the board is {height} high; "
                    "write a square board, one line for each row")  # fmt: skip
            why = why.format(path=path, number=number, width=len(row), height=len(error.rows))
        if error.line:
            why = _("{path}, line {number}: {line!r} is no row of a board; use only . X O")
            why = why.format(path=path, number=error.line, line=_shortened(error.text))
        raise RunnerError(why) from error
    if len(boards) > 1:
        sentence = _("{path} holds {boards} boards; give a file with one of them")
        raise RunnerError(sentence.format(path=path, boards=len(boards)))
    if boards[0].moves:
        raise RunnerError(_("{path} has moves behind its board, and --board takes none; remove them").format(path=path))
    if boards[0].first == WHITE:
        sentence = _("in {path} White is to move, but games begin with Black; swap the colours of all stones in it, or "
                     "analyse it by: tengen analyse {path}")  # fmt: skip
        raise RunnerError(sentence.format(path=path))
    return boards[0].rows


def position_after(setup: GameSetup, opening: Opening) -> Game:
    """The game after an opening. Raises RunnerError for a move that is illegal or ends the game."""
    return _played(setup, _("the opening"), [(written(cell), cell) for cell in opening])


def book(env: str, purpose: Purpose) -> list[Opening]:
    """The openings of this package's book for a game on its usual board. Raises RunnerError if there is none."""
    return read(shipped(env, purpose), GameSetup(env))


def shipped(env: str, purpose: Purpose) -> Path:
    """The path of this package's book for a game. The file may not exist."""
    return SHIPPED / f"{env}_{purpose.value}.pos"


def _in_file(path: Path, place: str) -> str:
    return f"{path}{shown(COMMA)}{place}"


def _entries(path: Path, env: Game) -> Iterator[_Entry]:
    text = _text_of(path, _("cannot read openings from {path}: {error}; give another file"),
                    _("{path} is no text file; openings are written in the pos, offset or JSON format"))  # fmt: skip
    if text.lstrip().startswith("["):
        yield from _json_entries(path, text)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        moves_said = line.partition("#")[0].strip()
        if moves_said:
            place = _("line {number}").format(number=number)
            is_offset = "," in moves_said and not LETTER.search(moves_said)
            moves = offset_moves if is_offset else _pos_moves
            yield place, list(moves(_in_file(path, place), moves_said, env))


def _text_of(path: Path, unreadable: str, no_text: str) -> str:
    """The content of a text file. Raises RunnerError with one of the sentences."""
    try:
        refuse_pipe(path)
        text = decoded(path.read_bytes()).text
    except OSError as error:
        raise RunnerError(unreadable.format(path=path, error=reason(error))) from error
    if "\0" in text:
        raise RunnerError(no_text.format(path=path))
    return text


def _pos_moves(place: str, line: str, env: Game) -> Iterator[tuple[str, Cell]]:
    moves = read_moves(line)
    if not any(moves.cells) and is_board(line):
        sentence = _("{place} is a position, but an opening is moves; give one position by --board")
        raise RunnerError(sentence.format(place=place))
    for cell in moves.cells:
        if cell is None:
            raise RunnerError(_("{place} has a pass; an opening has none").format(place=place))
        yield written(cell), cell
    if not moves.cells or (moves.rest and not REMARK.match(moves.rest)):
        sentence = _("{place} cannot be read from {rest!r} on; write moves like h8i9j10")
        raise RunnerError(sentence.format(place=place, rest=_shortened(moves.rest)))


def offset_moves(place: str, line: str, env: Game) -> Iterator[tuple[str, Cell]]:
    """The moves of a line of the offset format, as written and as cells. Raises RunnerError for another line."""
    steps = re.split(r"\s*,\s*|\s+", line)
    for step in steps:
        if not OFFSET.fullmatch(step):
            sentence = _("{place} cannot be read: {step!r} is no whole number; write 0,0, 1,-2")
            raise RunnerError(sentence.format(place=place, step=_shortened(step)))
    if len(steps) % 2:
        sentence = _("{place} has {count} numbers, but every move needs x and y; complete the last move")
        raise RunnerError(sentence.format(place=place, count=len(steps)))
    for x, y in zip(steps[::2], steps[1::2], strict=True):
        yield f"{x},{y}", (env.board_height // 2 + int(y), env.board_width // 2 + int(x))


def _json_entries(path: Path, text: str) -> Iterator[_Entry]:
    try:
        openings = json.loads(text)
    except (ValueError, RecursionError) as error:
        sentence = _("{path} begins with [ but is no JSON; write [[[row, col], ...], ...]")
        line = 0
        if isinstance(error, json.JSONDecodeError):
            sentence = _("{path}, line {line}, begins with [ but is no JSON; write [[[row, col], ...], ...]")
            line = error.lineno
        raise RunnerError(sentence.format(path=path, line=line)) from error
    if openings and all(map(_is_cell, openings)):
        openings = [openings]
    for number, opening in enumerate(openings, start=1):
        place = _("opening {number}").format(number=number)
        if not isinstance(opening, list) or not all(map(_is_cell, opening)):
            sentence = _("{place} is no list of [row, col]; write [[7, 7], [8, 8]]")
            raise RunnerError(sentence.format(place=_in_file(path, place)))
        yield place, [(str(move), (move[0], move[1])) for move in opening]


def _is_cell(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value)


def _played(setup: GameSetup, place: str, moves: Sequence[tuple[str, Cell]]) -> Game:
    env = setup.make()
    for number, (said, cell) in enumerate(moves, start=1):
        where = {"place": place, "number": number, "move": _shortened(said)}
        if why := why_not(env, cell, legal=False):
            sentence = _("{place}: move {number}, {move}, cannot be played: {why}; correct or remove it")
            raise RunnerError(sentence.format(**where, why=shown(why)))
        env.play(cell)
        if env.is_over():
            raise RunnerError(_("{place}: move {number}, {move}, ends the game; remove it").format(**where))
    return env


def _shortened(text: str) -> str:
    return text if len(text) <= 20 else text[:20] + "..."


# ---- symmetry


def images(rows: Sequence[Sequence[int]]) -> Iterator[BoardRows]:
    """The eight images of a square board, beginning with the board itself: each quarter turn, and its mirror image.

    >>> [image[0] for image in images([[1, 2], [3, 4]])]
    [(1, 2), (2, 1), (3, 1), (1, 3), (4, 3), (3, 4), (2, 4), (4, 2)]
    """
    image = tuple(map(tuple, rows))
    for _turn in range(4):
        yield image
        yield tuple(row[::-1] for row in image)
        image = tuple(zip(*image[::-1], strict=True))


def canonical(env: Game) -> tuple[int, BoardRows]:
    """A key that is equal for all symmetric positions: the side to move and the smallest image of the board.

    Positions with swapped colours are not symmetric, although turning Reversi's start by 90° swaps the colours.
    """
    return env.chess_player, min(images(env.stones()))
