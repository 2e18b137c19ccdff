"""Move strings, one game a line: h8h9i9, or f5d6c3 in Reversi. Spaces, commas and capitals are allowed.

A pass is written -- and may be left out. Text after # is ignored. A line does not name its game. The caller or the
file's name may name it, as in gobang_1v1_test.pos. Otherwise the game is inferred:

1. the smallest Reversi board on which the first `DECISIVE_PLIES` plies are legal
2. else the smallest board of the other games (tic-tac-toe, gobang) that has all the cells
3. else a larger board of gobang
"""

import functools
import re
from collections.abc import Iterator
from itertools import islice

from env_adapter import Cell, kind_of, kinds, names
from local_runner.errors import RunnerError
from local_runner.formats.file_format import FileFormat
from local_runner.formats.saved_game import GameFile, Heading, SavedGame
from local_runner.formats.source import LARGEST, MOST_GAMES, Source, too_many
from local_runner.formats.unchecked import Turn, UncheckedGame, checked, heading, positions
from local_runner.game import coordinates
from local_runner.game.setup import GameSetup
from local_runner.language.languages import Message, _
from local_runner.language.text import shortened

PASS = "--"
MOST_MOVES = 2 * LARGEST**2  # moves of a line that are read
USUAL = 20  # cells: least side of the larger gobang board in step 3, the size at the Gomocup
DECISIVE_PLIES = 6  # first plies of a line that decide whether the line is a game of Reversi
_LOOKS = re.compile(r"(?:--[\s,;]*)*[a-z][1-9][0-9]?[\s,;]*(?:[a-z][1-9][0-9]?|--|$)", re.IGNORECASE)
_MOVE = re.compile(r"([a-z][1-9][0-9]?)|(--)|[\s,;]+", re.IGNORECASE)


def fits(content: bytes) -> bool:
    """Whether the first line that is neither blank nor a comment looks like moves."""
    lines = (line.partition("#")[0].strip() for line in Source("", content[:100_000]).text.splitlines())
    return _LOOKS.match(next(filter(None, lines), "")) is not None


def read(source: Source) -> GameFile:
    """The games of a text, one for each line. Raises RunnerError if all lines are blank or comments."""
    named = next((GameSetup(env) for env in names() if env in source.name), None)
    setup = source.setup or named
    lines = list(islice(_lines(source), MOST_GAMES + 1))
    if not lines:
        raise RunnerError(_("{file} holds no game; write moves like h8i9j10").format(file=shortened(source.name)))

    @functools.lru_cache(maxsize=8)
    def load(number: int) -> SavedGame:
        return checked(_unchecked(lines[number], setup))

    return GameFile("moves", [_heading(line, setup) for line in lines[:MOST_GAMES]], load, too_many(len(lines)))


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.text.splitlines(), start=1):
        moves = line.partition("#")[0].strip()
        if moves:
            yield number, moves


def _turns(line: tuple[int, str]) -> tuple[list[Turn], str]:
    """The moves of a line, and the damage after the last of them ("" for none)."""
    number, text = line
    place = Message("line {number}", number=number)
    turns: list[Turn] = []
    at = 0
    while at < len(text):
        found = _MOVE.match(text, at)
        if found is None or len(turns) == MOST_MOVES:
            rest = shortened(text[at : at + 20])
            said = Message("{place} cannot be read from {rest!r} on; write moves like h8i9j10", place=place, rest=rest)
            return turns, said
        if found[1] or found[2]:
            turns.append(Turn(coordinates.cell(found[1]) if found[1] else None, place=place))
        at = found.end()
    return turns, ""


def _heading(line: tuple[int, str], setup: GameSetup | None) -> Heading:
    return heading(_unchecked(line, setup))


def _unchecked(line: tuple[int, str], setup: GameSetup | None) -> UncheckedGame:
    turns, damage = _turns(line)
    return UncheckedGame(
        setup or game_of(tuple(turn.cell for turn in turns)), turns, damage=damage, leaves_out_passes=True
    )


@functools.lru_cache(maxsize=4096)
def game_of(cells: tuple[Cell | None, ...]) -> GameSetup:
    """The game to which moves seem to belong, inferred as the module's docstring says."""
    by_size = sorted((kind for kind in kinds() if not kind.setup.start), key=lambda kind: kind.board)
    for kind in by_size:
        if kind.rules.illegal_free and cells and _begins(GameSetup(kind.name), cells[:DECISIVE_PLIES]):
            return GameSetup(kind.name)
    side = max((max(cell) + 1 for cell in cells if cell), default=0)
    plain = [kind.name for kind in by_size if not kind.rules.illegal_free]
    for env in plain:
        if side <= min(kind_of(env).board):
            return GameSetup(env)
    return GameSetup(plain[-1], board_size=min(max(side, USUAL), LARGEST))


def _begins(setup: GameSetup, cells: tuple[Cell | None, ...]) -> bool:
    """Whether these moves contain no pass and are legal from the start of the game."""
    try:
        setup.make().replay(cells)
    except ValueError:
        return False
    return None not in cells


def write(game: SavedGame) -> str:
    """The game as a move string.

    A forced pass between two moves is left out. Three kinds of passes are written: lost turns (the player had a legal
    move), passes beside a lost turn, and passes after the last move. Raises RunnerError for a game that begins from a
    given board.
    """
    if game.setup.board:
        raise RunnerError(_("moves cannot say from which board the game begins; give a file ending with .sgf"))
    parts: list[str] = []
    last = max((ply for ply, cell in enumerate(game.cells) if cell), default=-1)
    for ply, (cell, env) in enumerate(zip(game.cells, positions(game), strict=False)):
        beside_pass = None in game.cells[max(0, ply - 1) : ply] + game.cells[ply + 1 : ply + 2]
        if cell or ply > last or beside_pass or env.legal_moves():
            parts.append(coordinates.name(cell) if cell else PASS)
    return "".join(parts) + "\n"


FORMAT = FileFormat(
    "moves",
    Message("moves like h8h9i9"),
    "a game a line; at Reversi passes may be left out",
    ending="txt",
    media="text/plain; charset=utf-8",
    fits=fits,
    read=read,
    write=write,
    order=3,
)
