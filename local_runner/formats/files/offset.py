"""Books of openings in the format `offset` of c-gomoku-cli and of the Gomocup: 8,-3, 6,-4, 5,-4.

A move is x,y from the centre, which is row and column size // 2; x to the right, y down. Every line is an opening.
Pairs without a sign and without commas between them, 0,0 1,1, are rows and columns: see game/move_text.py.
"""

import re

from env_adapter import SgfGame
from local_runner.errors import RunnerError
from local_runner.formats.file_format import FileFormat, GameFile
from local_runner.formats.files.moves import BUT_MOVES
from local_runner.formats.saved_game import SavedGame, Turn, UncheckedGame
from local_runner.formats.source import LARGEST, Source
from local_runner.game.setup import GameSetup
from local_runner.language.languages import Message, _
from local_runner.matches.openings.books import offset_moves

LINE = re.compile(r"\s*-?[0-9]{1,2}\s*(?:,\s*-?[0-9]{1,2}[\s,]*)+")
LIST = re.compile(r"\s*[0-9]+\s*,\s*[0-9]+\s*,")
SMALL, LARGE = 15, 20  # sides of the boards of gobang and of the Gomocup
GAME = "gobang_1v1"


def fits(content: bytes) -> bool:
    """Whether the first lines are numbers with commas between them; see the module about rows and columns."""
    lines = [line for _number, line in _lines(Source("", content[:10_000]).text)]
    is_numbers = bool(lines) and all(map(LINE.fullmatch, lines[:-1] or lines))
    return is_numbers and any("-" in line or LIST.match(line) for line in lines)


def read(source: Source) -> GameFile:
    """The openings of a book. Raises RunnerError for a line that cannot be read."""
    lines = _lines(source.text)
    far = max((int(number) for _number, line in lines for number in re.findall("[0-9]{1,3}", line)), default=0)
    size = min(max(LARGE, 2 * far + 1), LARGEST) if far > SMALL // 2 else None
    setup = source.setup or GameSetup(GAME, board_size=size)
    env = setup.make()

    def unchecked(line: tuple[int, str]) -> UncheckedGame:
        place = _("line {number}").format(number=line[0])
        moves = offset_moves(place, line[1].strip(" \t,"), env)
        return UncheckedGame(setup, [Turn(cell, place=place) for _said, cell in moves])

    file = GameFile("offset", lines, unchecked)
    list(file)  # `list` reads all lines; a bad line raises
    return file


def _lines(text: str) -> list[tuple[int, str]]:
    lines = ((number, line.partition("#")[0]) for number, line in enumerate(text.splitlines(), start=1))
    return [(number, line) for number, line in lines if line.strip()]


def write(game: SavedGame) -> str:
    """The moves of a game of stones in a row as a line. Raises RunnerError for a game without moves."""
    env = game.setup.make()
    if not game.cells:
        raise RunnerError(_("a game without moves makes no line; leave it out"))
    row, col = env.board_height // 2, env.board_width // 2
    return ", ".join(f"{cell[1] - col},{cell[0] - row}" for cell in game.cells if cell) + "\n"


FORMAT = FileFormat(
    Message("a book of openings in the format offset of c-gomoku-cli"),
    Message("a line of x,y from the centre for each opening"), ending="offset", games=frozenset({SgfGame.GOMOKU}),
    loses=BUT_MOVES, order=1, takes_setup=True,
)  # fmt: skip
