"""Files of Piskvork (.psq), the match manager of the Gomocup: a head, one move a line, then the names and the result.

    Piskvorky 15x15, 11:11, 0     columns x rows of the board; the rest of the line is ignored
    8,8,1500                      x from the left and y from the top, both from 1; the move's time in milliseconds
    ...
    black.zip                     names of the two players
    white.zip
    -1
    1,Freestyle                   the winner: 1 Black, 2 White

Programs that write this format differ in the last lines. So if the referee finds a winner, the winner in the file is
ignored.
"""

import re

from env_adapter import SgfGame
from local_runner.errors import RunnerError
from local_runner.formats import kinds
from local_runner.formats.file_format import FileFormat
from local_runner.formats.saved_game import GameFile, SavedGame
from local_runner.formats.source import LARGEST, SMALLEST, Source, name_of
from local_runner.formats.unchecked import Turn, UncheckedGame, checked, heading
from local_runner.game.records import BLACK_WINS, WHITE_WINS
from local_runner.game.session import GameSession
from local_runner.language.languages import Message, _
from local_runner.language.text import shortened

HEAD = re.compile(r"\s*piskvorky\s+([0-9]{1,4})\s*x\s*([0-9]{1,4})\s*(?:,[^\n]*)?", re.IGNORECASE)
_MOVE = re.compile(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*(?:,\s*(-?[0-9]{1,12})\s*)?")
_WINNER = re.compile(r"\s*([12])\s*,\s*[a-z].*", re.IGNORECASE)
_BROKEN = re.compile(r"\s*-?[0-9]+\s*,")
_NUMBER = re.compile(r"\s*-?[0-9]+\s*(,.*)?")


def fits(content: bytes) -> bool:
    """Whether a file begins with the head of a .psq file."""
    return HEAD.match(Source("", content[:200]).text) is not None


def read(source: Source) -> GameFile:
    """The one game of a file. Raises RunnerError for a board that is not square or not 3 to 26 cells wide."""
    game = _unchecked(source)

    def load(number: int) -> SavedGame:
        return checked(game)

    return GameFile("psq", [heading(game)], load)


def _unchecked(source: Source) -> UncheckedGame:
    lines = source.text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.strip())
    found = HEAD.match(lines[first])
    assert found is not None  # `fits` has found it
    cols, rows = int(found[1]), int(found[2])
    if rows != cols or not SMALLEST <= rows <= LARGEST:
        sentence = _("a board of {rows}x{cols} cannot be shown, only square boards from {least} to {most}")
        raise RunnerError(sentence.format(rows=rows, cols=cols, least=SMALLEST, most=LARGEST))
    turns, names, winner, ended = [], list[str](), 0, False
    damage: str = ""
    for number, line in enumerate(lines[first + 1 :], start=first + 2):
        place = Message("line {number}", number=number)
        if not ended and (move := _MOVE.fullmatch(line)):
            milliseconds = int(move[3]) if move[3] else 0
            cell = (int(move[2]) - 1, int(move[1]) - 1)
            turns.append(Turn(cell, place=place, seconds=milliseconds / 1000 if milliseconds > 0 else None))
        elif not ended and _BROKEN.match(line):
            damage = Message("{place}: {line} is no move", place=place, line=shortened(line))
            break
        elif said := _WINNER.fullmatch(line):
            winner = int(said[1])
            break
        elif line.strip():
            ended = True
            if not _NUMBER.fullmatch(line):
                names.append(line)
        if len(turns) > LARGEST**2:
            break
    black, white = (name_of(name.strip(), player) for player, name in enumerate([*names, "", ""][:2]))
    setup, start = kinds.with_start(kinds.setup_of(SgfGame.GOMOKU, rows), [turn.cell for turn in turns])
    return UncheckedGame(setup, turns[start:], (black, white), winner, damage=damage, winner_must_fit=False)


def write(game: SavedGame) -> str:
    """The game as a .psq file. Raises RunnerError for a game that is not about stones in a row."""
    session = GameSession(game.setup, cells=game.cells)
    rows, cols = session.env.board_height, session.env.board_width
    if game.setup.kind.sgf is not SgfGame.GOMOKU:
        raise RunnerError(_("a .psq file holds only games of stones in a row; give a file ending with .json"))
    times = game.seconds or (None,) * len(game.cells)
    start = session.env.setup.start
    moves = [*((cell, None) for cell in start), *zip(game.cells, times, strict=True)]
    lines = [f"Piskvorky {cols}x{rows}, 11:11, 0"]
    for cell, seconds in moves:
        assert cell is not None  # games of stones in a row have no passes
        lines.append(f"{cell[1] + 1},{cell[0] + 1},{round(1000 * (seconds or 0))}")
    winner = [f"{game.winner},Freestyle"] if game.winner in (BLACK_WINS, WHITE_WINS) else []
    return "\n".join([*lines, *map(_plain, game.names), "-1", *winner]) + "\n"


def _plain(name: str) -> str:
    """The name, with a dot added if it is blank or a reader could take it for a number or a move."""
    return f"{name}." if _NUMBER.fullmatch(name) or not name.strip() else name


FORMAT = FileFormat(
    "psq",
    Message(".psq of Piskvork"),
    "the game and its times; any square board up to 26x26",
    ending="psq",
    media="text/plain; charset=utf-8",
    fits=fits,
    read=read,
    write=write,
)
