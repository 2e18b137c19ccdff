"""Positions as text: boards in rows, or positions in one line each, such as OBF (game/board_text.py), and their moves.

A board with an even number of rows is read as one of Reversi unless the caller names another game. If White is to move,
a pass of Black is added, as in SGF. In gobang, the stones become alternating moves (formats/kinds.py).
"""

from env_adapter import SgfGame
from env_adapter.game import BLACK, MARKS, WHITE
from local_runner.errors import RunnerError
from local_runner.formats import kinds
from local_runner.formats.file_format import FileFormat, GameFile
from local_runner.formats.saved_game import Part, SavedGame, Turn, UncheckedGame, at_end
from local_runner.formats.source import Source, setup_for
from local_runner.game.board_text import BoardText, is_board, read_boards
from local_runner.game.move_text import read_moves
from local_runner.game.setup import GameSetup
from local_runner.language.languages import Message, _

HEAD = 20_000  # number of characters at the start by which `fits` decides


def fits(content: bytes) -> bool:
    """Whether the first lines are a board, or the first line is a position."""
    head = Source("", content[:HEAD]).text
    return is_board(head) if len(content) <= HEAD else is_board(head.lstrip().partition("\n")[0])


def read(source: Source) -> GameFile:
    """The positions of a text, each as a game. Raises RunnerError for a board or a size given by the caller."""
    given = source.setup
    if given is not None and (given.board is not None or given.board_size is not None):
        kinds.refuse_board(source.name)
    return GameFile("position", read_boards(source.text), lambda board: _unchecked(board, given))


def _unchecked(board: BoardText, given: GameSetup | None) -> UncheckedGame:
    size = len(board.rows)
    family = SgfGame.GOMOKU if size % 2 else SgfGame.OTHELLO
    plain = kinds.setup_of(family, size) if given is None else setup_for(given.env, size, size, rules=given.rules)
    stones = {(row, col): stone for row, marks in enumerate(board.rows) for col, mark in enumerate(marks)
              for stone in (BLACK, WHITE) if mark == MARKS[stone]}  # fmt: skip
    setup, moves = kinds.begun(plain, stones, board.first)
    has_pass, place = setup.kind.rules.has_pass, Message("line {number}", number=board.line)
    before = [Turn(None)] if has_pass and board.first == WHITE else [Turn(cell) for cell in moves]
    played = [Turn(cell, place=place) for cell in read_moves(board.moves).cells]
    return UncheckedGame(setup, [*before, *played], leaves_out_passes=has_pass and bool(played))


OBF = "-XO"  # the marks of an empty cell, of Black and of White


def write(game: SavedGame) -> str:
    """The last board as a line of OBF.

    Raises RunnerError for a board that is too small or not square, and for the end of a game, where no one moves.
    """
    env = at_end(game)
    cells = "".join(OBF[stone] for row in env.stones() for stone in row)
    line = f"{cells} {OBF[env.chess_player]};"
    if env.is_over() or not is_board(line):
        raise RunnerError(_("this board cannot be written as a position; give a file ending with .sgf"))
    return line + "\n"


FORMAT = FileFormat(
    Message("positions such as ---OX---"), Message("the stones, the side to move, and moves behind them"),
    ending="obf", loses=frozenset(Part), takes_setup=True,
)  # fmt: skip
