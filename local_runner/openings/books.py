"""Books of openings: files that are read and checked against the referee, and the books in this package.

There are three formats. A file that begins with `[` is JSON. In a text file, a line with a comma is in the offset
format, any other line in the pos format. In text files, blank lines and everything after a `#` are ignored, and upper
case is read as lower case.

    pos      h8i9j10                moves one after the other: a letter for the column, a to z from the left, and the
                                    number of the row, from 1 at the TOP, as in Othello transcripts and in the files of
                                    c-gomoku-cli's `type=pos`
    offset   0,0, 1,1, 2,2          x,y of each move, relative to the centre at row size // 2 and column size // 2; x
                                    to the right, y DOWN, as in Gomocup's openings and c-gomoku-cli's `type=offset`
    JSON     [[[7, 7], [8, 8]]]     a list of openings; an opening is a list of [row, col] from 0, rows from the top

Moves are played alternately from the start of the game, Black first. A pass cannot be written.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

from env_adapter import Cell, Game, answer
from local_runner.errors import RunnerError
from local_runner.game_setup import GameSetup
from local_runner.openings.symmetry import canonical
from local_runner.records import COLOURS

Opening = tuple[Cell, ...]

SHIPPED = Path(__file__).parents[1] / "data" / "openings"
POS_MOVE = re.compile(r"([a-z])([0-9]{1,3})")
COLUMNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
OFFSET = re.compile(r"-?[0-9]{1,3}")


class Purpose(Enum):
    """The purpose of a book: what is tuned on one is tested on the other. The two share no position."""

    TUNE = "tune"
    TEST = "test"


@dataclass(frozen=True)
class _BookEntry:
    """One opening in a file: its place there, and each move as written and as a cell."""

    place: str
    moves: tuple[tuple[str, Cell], ...]


def read(path: Path, setup: GameSetup) -> list[Opening]:
    """The openings of a file for one game, in the file's order. The opening in `setup` is ignored.

    Raises RunnerError for a file without openings, for a line that cannot be read, and for an opening that is illegal,
    ends the game, or leads to the position of an earlier one, also turned or mirrored. Raises EnvError for an unknown
    game.
    """
    return [opening for opening, _ in read_played(path, setup)]


def read_played(path: Path, setup: GameSetup) -> Iterator[tuple[Opening, Game]]:
    """Each opening of a file as in `read`, with the game after it."""
    setup = replace(setup, opening=())
    places: dict[object, str] = {}
    for entry in _entries(path, setup.make()):
        game = _played(setup, entry)
        position = canonical(game)
        if position in places:
            raise RunnerError(
                f"{entry.place} leads to the position of {places[position].removeprefix(f'{path}, ')}, "
                f"or to a turned or mirrored one; remove one of them"
            )
        places[position] = entry.place
        yield tuple(cell for _, cell in entry.moves), game
    if not places:
        raise RunnerError(f"{path} holds no opening; write one on each line, such as {spelt(((1, 1), (0, 2)))}")


def read_board(path: Path) -> tuple[str, ...]:
    """The rows of a board in a text file with the characters . X O, with or without spaces between them.

    Column letters above the board and row numbers before a row are ignored. Raises RunnerError for other content.
    """
    rows: list[str] = []
    text = _text_of(path, "a board", "a board is written in rows of . X O")
    for number, line in enumerate(text.splitlines(), start=1):
        marks = re.sub(r"^[0-9]+", "", re.sub(r"\s", "", line.upper()))
        if not marks or (not rows and marks == COLUMNS[: len(marks)]):
            continue
        if set(marks) - set(".XO"):
            raise RunnerError(f"{path}, line {number}: {_shortened(line)!r} is no row of a board; use only . X O")
        rows.append(marks)
    if not rows:
        raise RunnerError(f"{path} holds no board; write rows of . X O")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows):
            raise RunnerError(
                f"{path}: row {number} of the board has {len(row)} cells, but the board has {len(rows)} rows; "
                "write a square board, one line for each row"
            )
    return tuple(rows)


def position_after(setup: GameSetup, opening: Opening) -> Game:
    """The game after an opening. Raises RunnerError for a move that is illegal or ends the game."""
    return _played(setup, _BookEntry("the opening", tuple((str(cell), cell) for cell in opening)))


def book(env: str, purpose: Purpose) -> list[Opening]:
    """The openings in this package for a game on its usual board. Raises RunnerError if there are none."""
    if not (path := shipped(env, purpose)).is_file():
        raise RunnerError(f"no book of openings comes with {env}; give a file of openings, or use random ones")
    return read(path, GameSetup(env))


def shipped(env: str, purpose: Purpose) -> Path:
    """The path of the book for a game; the file need not exist."""
    return SHIPPED / f"{env}_{purpose.value}.pos"


def spelt(opening: Opening) -> str:
    """The opening in the pos format. The board has at most 26 columns.

    >>> spelt(((7, 7), (8, 8), (9, 9)))
    'h8i9j10'
    """
    return "".join(f"{chr(ord('a') + col)}{row + 1}" for row, col in opening)


def _entries(path: Path, env: Game) -> Iterator[_BookEntry]:
    text = _text_of(path, "openings", "openings are written in the pos, offset or JSON format")
    if text.lstrip().startswith("["):
        yield from _json_entries(path, text)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        written = line.partition("#")[0].strip().lower()
        if written:
            place = f"{path}, line {number}"
            moves = _offset_moves(place, written, env) if "," in written else _pos_moves(place, written)
            yield _BookEntry(place, tuple(moves))


def _text_of(path: Path, what: str, written: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise RunnerError(f"cannot read {what} from {path}: {error.strerror}; give another file") from error
    except UnicodeDecodeError as error:
        raise RunnerError(f"{path} is no text file; {written}") from error


def _pos_moves(place: str, line: str) -> Iterator[tuple[str, Cell]]:
    end = 0
    while end < len(line):
        move = POS_MOVE.match(line, end)
        if move is None:
            raise RunnerError(f"{place} cannot be read from {_shortened(line[end:])!r} on; write moves like h8i9j10")
        yield move[0], (int(move[2]) - 1, ord(move[1]) - ord("a"))
        end = move.end()


def _offset_moves(place: str, line: str, env: Game) -> Iterator[tuple[str, Cell]]:
    steps = re.split(r"\s*,\s*|\s+", line)
    for step in steps:
        if not OFFSET.fullmatch(step):
            raise RunnerError(f"{place} cannot be read: {_shortened(step)!r} is no whole number; write 0,0, 1,-2")
    if len(steps) % 2:
        raise RunnerError(f"{place} has {len(steps)} numbers, but every move needs x and y; complete the last move")
    for x, y in zip(steps[::2], steps[1::2], strict=True):
        yield f"{x},{y}", (env.board_height // 2 + int(y), env.board_width // 2 + int(x))


def _json_entries(path: Path, text: str) -> Iterator[_BookEntry]:
    try:
        openings = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = f", line {error.lineno}," if isinstance(error, json.JSONDecodeError) else ""
        raise RunnerError(f"{path}{line} begins with [ but is no JSON; write [[[row, col], ...], ...]") from error
    for number, opening in enumerate(openings, start=1):
        place = f"{path}, opening {number}"
        if not isinstance(opening, list) or not all(map(_is_cell, opening)):
            raise RunnerError(f"{place} is no list of [row, col]; write [[7, 7], [8, 8]]")
        yield _BookEntry(place, tuple((str(move), (move[0], move[1])) for move in opening))


def _is_cell(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value)


def _played(setup: GameSetup, entry: _BookEntry) -> Game:
    """The game after an opening. Each move is checked before it is played."""
    env = setup.make()
    height, width = env.board_height, env.board_width
    for number, (written, cell) in enumerate(entry.moves, start=1):
        move = f"{entry.place}: move {number}, {_shortened(written)},"
        if not (0 <= cell[0] < height and 0 <= cell[1] < width):
            raise RunnerError(f"{move} is off the {height}x{width} board; correct or remove it")
        legal = env.legal_moves()
        if not legal:
            raise RunnerError(f"{move} is illegal: {COLOURS[env.chess_player - 1]} must pass; remove it")
        if cell not in legal:
            why = "the cell is occupied" if env.stones()[cell[0]][cell[1]] else "it turns no disc over"
            raise RunnerError(f"{move} is illegal for {COLOURS[env.chess_player - 1]}: {why}; correct or remove it")
        env.step([answer(cell, height, width)] * env.n_player)
        if env.is_over():
            raise RunnerError(f"{move} ends the game; remove it")
    return env


def _shortened(text: str) -> str:
    return text if len(text) <= 20 else text[:20] + "..."
