"""Positions of the page as games of the referee, and games as the page draws them.

A position may have a start board of its own. Reversi takes it as it is; White to move is a turn that Black has lost. In
other games the stones become moves that alternate, so their numbers must fit. These first moves are the `prefix`, which
the page does not see as moves.
"""

from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import TypeVar

from env_adapter import Cell, EnvError, IllegalMove, kinds
from env_adapter.game import BLACK, MARKS, WHITE, Game
from local_runner.errors import RunnerError
from local_runner.game import coordinates
from local_runner.game.board_data import BoardData, MovesData, board_now, turned_numbers
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup, title
from local_runner.language.languages import _
from local_runner.server.messages import PagePosition

Value = TypeVar("Value")
Played = tuple[Cell | None, ...]


@dataclass(frozen=True)
class Begun:
    """A position as a game: `GameSession(setup, cells=cells)` replays it.

    `position`: as the page gave it, without its moves. `board`: what is drawn before the first move.
    """

    position: PagePosition
    setup: GameSetup
    prefix: Played
    cells: Played
    board: BoardData

    def with_moves(self, cells: Played) -> PagePosition:
        """The page's position after these cells, the prefix included."""
        return self.position.model_copy(update={"moves": numbers(cells[len(self.prefix) :], self.board["cols"])})


def numbers(cells: Played, cols: int) -> list[int]:
    """Cells as the page's numbers."""
    return [coordinates.number(cell, cols) for cell in cells]


def cell_of(number: int, rows: int, cols: int) -> Cell | None:
    """The cell of a number, None for a pass. Raises RunnerError for a number off the board."""
    if number >= rows * cols:
        sentence = _("cell {number} is off the board, which has {cells}")
        raise RunnerError(sentence.format(number=number, cells=rows * cols))
    return coordinates.numbered(number, cols)


def begun(position: PagePosition) -> Begun:
    """The game of a position. Raises RunnerError or EnvError if there is no such game or its stones do not fit.

    Whether its moves can be played, the session finds out.
    """
    setup = GameSetup(position.env, rules="stated", board_size=position.size)  # the platform's know no draw
    game = setup.make()
    if position.stones is not None and len(position.stones) != game.board_height * game.board_width:
        sentence = _("the board has {cells} cells, but {given} were given")
        raise RunnerError(sentence.format(cells=game.board_height * game.board_width, given=len(position.stones)))
    place = _given if game.takes_board else _in_turn
    setup, prefix = place(setup, game, position)
    after = GameSession(setup, cells=prefix)
    if after.result is not None and position.stones is not None:
        raise RunnerError(_("the game is already over on this board; change its stones"))
    moves = tuple(cell_of(number, game.board_height, game.board_width) for number in position.moves)
    return Begun(position.model_copy(update={"moves": []}), setup, prefix, (*prefix, *moves),
                 board_now(position.env, after.env))  # fmt: skip


def _given(setup: GameSetup, game: Game, position: PagePosition) -> tuple[GameSetup, Played]:
    if position.stones is not None:
        rows = _rows([MARKS[stone] for stone in position.stones], game.board_width)
        setup = replace(setup, board_size=None, board=tuple(map("".join, rows)))
    return setup, (None,) if position.first == WHITE else ()


def _in_turn(setup: GameSetup, game: Game, position: PagePosition) -> tuple[GameSetup, Played]:
    stones = position.stones
    if stones is None:
        if position.first == BLACK:
            return setup, ()
        raise RunnerError(_("Black begins from the game's own start; take the other side instead"))
    cells = {side: [divmod(at, game.board_width) for at, stone in enumerate(stones) if stone == side]
             for side in (BLACK, WHITE)}  # fmt: skip
    black, white = len(cells[BLACK]), len(cells[WHITE])
    if black - white not in (0, 1) or position.first != 1 + black - white:
        sentence = _("{black} black and {white} white stones do not fit: Black is to move if both have as many, White "
                     "if Black has one more")  # fmt: skip
        raise RunnerError(sentence.format(black=black, white=white))
    prefix = tuple(filter(None, chain(*zip_longest(cells[BLACK], cells[WHITE]))))
    if game.setup.start:  # the same rules without stones of the game's own
        plain = next(kind.name for kind in kinds() if kind.rules is setup.kind.rules and not kind.setup.start
                     and kind.setup.in_a_row == game.setup.in_a_row)  # fmt: skip
        setup = replace(setup, env=plain, board_size=game.board_width)
    game = setup.make()
    try:
        game.replay(prefix)
    except IllegalMove as error:
        sentence = _("these stones cannot be set up in {game}; give its moves")
        raise RunnerError(sentence.format(game=title(setup.env))) from error
    if game.winning_line():
        raise RunnerError(_("the game is already over on this board; change its stones"))
    return setup, prefix


def _rows(values: list[Value], width: int) -> list[list[Value]]:
    return [values[at : at + width] for at in range(0, len(values), width)]


def drawn(start: Begun, session: GameSession, opening: int) -> MovesData:
    """The moves of a session as the page draws them. `opening`: how many moves after the prefix belong to it."""
    game, cols = session.env, start.board["cols"]
    cells = tuple(session.cells[len(start.prefix) :])
    over = session.result
    stones = [stone for row in game.stones() for stone in row]
    line = game.winning_line() if over is not None and over.ending is not None else []
    return {
        "opening": opening,
        "moves": numbers(cells, cols),
        "turned": turned_numbers(start.board, start.setup.make().replay(session.cells)[len(start.prefix) :]),
        "line": numbers(tuple(line), cols),
        "legal": [] if over is not None else numbers(tuple(game.legal_moves()), cols),
        "must_pass": session.must_pass,
        "to_move": game.chess_player,
        "winner": 0 if over is None else over.winner,
        "count": (stones.count(BLACK), stones.count(WHITE)),
    }


def _as_far_as_it_goes(start: Begun) -> tuple[GameSession, str]:
    """The session after the moves that can be played, and why the next one cannot be, "" if all can."""
    whole, bad = len(start.prefix), len(start.cells) + 1  # so many cells can be played; so many cannot
    session = GameSession(start.setup, cells=start.prefix)
    wanted = bad - 1
    while bad - whole > 1:
        try:
            session, whole = GameSession(start.setup, cells=start.cells[:wanted]), wanted
        except RunnerError:
            bad = wanted
        wanted = (whole + bad) // 2
    if whole == len(start.cells):
        return session, ""
    cell = start.cells[whole]
    said = _("pass") if cell is None else coordinates.name(cell)
    sentence = _("move {ply}, {cell}, cannot be played: {why}")
    return session, sentence.format(ply=whole - len(start.prefix) + 1, cell=said, why=session.why_not(cell))


def looks(position: PagePosition) -> tuple[BoardData, MovesData, str]:
    """How a position looks, and why it cannot be played, "" if it can. Raises EnvError for an unknown game."""
    try:
        start = begun(position)
        session, problem = _as_far_as_it_goes(start)
        return start.board, drawn(start, session, 0), problem
    except (RunnerError, EnvError) as error:
        game = GameSetup(position.env, rules="stated", board_size=position.size).make()
        board = board_now(position.env, game)
        if position.stones is not None and len(position.stones) == len(board["stones"]):
            board["stones"], board["first"] = list(position.stones), position.first
        count = (board["stones"].count(BLACK), board["stones"].count(WHITE))
        moves: MovesData = {
            "opening": 0, "moves": [], "turned": [], "line": [], "legal": [], "must_pass": False,
            "to_move": board["first"], "winner": 0, "count": count,
        }  # fmt: skip
        return board, moves, str(error)
