"""`Game`: a board game that is played move by move, or was read from a file."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from env_adapter import ActionError
from env_adapter.actions import check_lengths, read_strictly
from local_runner.errors import RunnerError
from local_runner.formats import SavedGame, from_session
from local_runner.formats.files import svg
from local_runner.formats.replaying import result_words
from local_runner.game import coordinates
from local_runner.game.records import DRAW, Cell, player_of
from local_runner.game.session import GameSession
from local_runner.game.wording import colour as colour_name
from local_runner.language.languages import _, shown
from local_runner.language.suggestions import unknown
from local_runner.processes.agent_side.action_space import action_space
from local_runner.terminal.lettered import BoardPaint, lettered_board
from tengen.arguments import PASS, Moves, Rules, cells_of, name, names_of, setup_of

__all__ = ["Game", "Result"]
Colour = Literal["black", "white"]
COLOURS: tuple[Colour, Colour] = ("black", "white")
MOST_SHOWN = 60  # plies in the repr of a game


@dataclass(frozen=True)
class Result:
    """The result of a game.

    Attributes:
        winner: `"black"` or `"white"`; None for a draw, and if nobody has won.
        points: Black's and White's points: 1 for a win, 0.5 for a draw, 0 otherwise.
        reason: The kind of the end: `"by the rules"`, `"resignation"`, `"adjudication"`, `"time"`, `"memory"`,
            `"crash"`, `"illegal move"` or another fault; `""` if a file does not say.
        text: The result in words.
    """

    winner: Colour | None
    points: tuple[float, float]
    reason: str
    text: str

    @property
    def is_draw(self) -> bool:
        """Whether the game was drawn."""
        return self.points == (0.5, 0.5)

    def __str__(self) -> str:
        return self.text


class Game:
    """A game: its board, its moves and its result. A notebook draws it.

    Args:
        game: The name of the game; `games()` lists the names.
        moves: Moves to play at once.
        rules: `"platform"`: as the site plays. `"stated"`: as its rules say.
        board_size: Cells on a side of the board; by default the game's own.
        board: For Reversi: the board to begin from, rows of . X O, with Black to move.
        players: Black's and White's names.

    Raises:
        TengenError: There is no such game, it cannot have this board, or a move cannot be played.

    Examples:
        >>> game = Game("tictactoe_1v1", "b2a1")
        >>> print(game)
           a b c
         1>○ · · 1
         2 · ● · 2
         3 · · · 3
           a b c
        Black to move
        >>> game.play("b1").play("c3").play("b3").result
        Result(winner='black', points=(1.0, 0.0), reason='by the rules', text='Black wins: 3 in a row from b1 to b3')
        >>> game.undo(2).moves
        ('b2', 'a1', 'b1')
    """

    def __init__(
        self, game: str = "gobang_1v1", moves: Moves = (), *, rules: Rules = "platform", board_size: int | None = None,
        board: Sequence[str] | None = None, players: tuple[str, str] = ("Black", "White"),
    ) -> None:  # fmt: skip
        setup = setup_of(game, rules, board_size=board_size, board=board)
        self._session = GameSession(setup, players)
        self._saved: SavedGame | None = None  # the game as a file or a match recorded it, until its moves are changed
        self.play(moves)

    @classmethod
    def _of(cls, saved: SavedGame) -> "Game":
        """The game that a file or a match has recorded."""
        game = cls.__new__(cls)
        game._session, game._saved = GameSession(saved.setup, saved.names, cells=saved.cells), saved
        return game

    # ---- the state of the game

    @property
    def game(self) -> str:
        """The name of the game, such as `"gobang_1v1"`."""
        return self._session.setup.env

    @property
    def rules(self) -> str:
        """The rules, `"platform"` or `"stated"`."""
        return self._session.setup.rules

    @property
    def players(self) -> tuple[str, str]:
        """Black's and White's names."""
        return self._session.names

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves so far, `"pass"` for a pass."""
        return names_of(self._session.cells)

    @property
    def cells(self) -> tuple[Cell | None, ...]:
        """The moves so far as (row, column), counted from 0; None for a pass."""
        return tuple(self._session.cells)

    @property
    def turn(self) -> Colour:
        """The side to move, `"black"` or `"white"`."""
        return COLOURS[self._session.to_move]

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves of the side to move, row by row.

        It is `("pass",)` if the side to move has to pass, and `()` after the end of the game.
        """
        if self.is_over:
            return ()
        return names_of(self._session.env.legal_moves()) or (PASS,)

    @property
    def result(self) -> Result | None:
        """The result; None while the game goes on, and for a recorded game that was left unfinished."""
        saved = self._record
        if not (saved.winner or saved.ending):
            return None
        winner = player_of(saved.winner)
        points = (0.5, 0.5) if saved.winner == DRAW else (float(winner == 0), float(winner == 1))
        reason = saved.result.reason.value if saved.result else ""
        return Result(None if winner is None else COLOURS[winner], points, reason, result_words(saved))

    @property
    def is_over(self) -> bool:
        """Whether the game has a result."""
        return self._session.result is not None if self._saved is None else self.result is not None

    @property
    def stones(self) -> tuple[tuple[int, ...], ...]:
        """The board as `stones[row][column]`, which is 0 for a free cell, 1 for a black stone, 2 for a white one."""
        return tuple(map(tuple, self._session.env.stones()))

    @property
    def seconds(self) -> tuple[float | None, ...]:
        """The seconds that each ply took, None where unknown; () for a game without recorded times."""
        return self._record.seconds

    @property
    def damage(self) -> str:
        """What is wrong in the file after the last move that could be read; `""` if nothing is."""
        return shown(self._record.damage)

    @property
    def _record(self) -> SavedGame:
        return self._saved or from_session(self._session)

    # ---- playing

    def play(self, moves: Moves) -> "Game":
        """Play a move, or several moves; a pass that is forced may be left out.

        Returns:
            The game itself.

        Raises:
            Unplayable: A move is illegal. No move is then played.
            TengenError: The text or value is no move.

        Examples:
            >>> Game("tictactoe_1v1").play("b2").play((0, 0)).play("c3 a3").moves
            ('b2', 'a1', 'c3', 'a3')
        """
        session, plies = self._session, len(self._session.cells)
        try:
            for cell in cells_of(moves):
                if cell is not None and session.must_pass:
                    session.play(None)
                session.play(cell)
                self._saved = None
        except RunnerError:
            if len(session.cells) > plies:
                session.undo(len(session.cells) - plies)
            raise
        return self

    def undo(self, plies: int = 1) -> "Game":
        """Take back the last plies, also of a finished game.

        Returns:
            The game itself.

        Raises:
            Unplayable: The game has fewer plies.
        """
        self._session.undo(plies)
        self._saved = None
        return self

    def resign(self, colour: Colour | None = None) -> "Game":
        """End the game as lost for a side, by default for the side to move.

        Returns:
            The game itself.

        Raises:
            Unplayable: The game is over.
        """
        self._session.resign(None if colour is None else _player(colour))
        self._saved = None
        return self

    def copy(self) -> "Game":
        """A copy, which can be played on without changing this game."""
        return Game._of(self._record)

    def __reduce__(self) -> tuple[Any, ...]:  # for pickle and copy
        return type(self)._of, (self._record,)

    # ---- what an agent sees

    def observation(self, colour: Colour | None = None) -> Any:
        """A copy of the observation that the site gives to an agent, as the first argument of `my_controller`.

        Args:
            colour: The agent's colour; by default the side to move.

        Examples:
            >>> Game("tictactoe_1v1", "b2").observation()["state_map"][1]
            [[0], [1], [0]]
        """
        player = self._session.to_move if colour is None else _player(colour)
        return copy.deepcopy(self._session.observations[player])

    @property
    def action_space(self) -> list[Any]:
        """The action space of the rows and that of the columns, as the second argument of `my_controller`."""
        env = self._session.env
        return list(action_space(env.board_height, env.board_width, self._session.setup.seed))

    def move_of(self, answer: Sequence[Sequence[int]]) -> str:
        """The move that an agent's answer names: two lists with exactly one 1, for the row and for the column.

        Raises:
            TengenError: The answer has another form.

        Examples:
            >>> Game("tictactoe_1v1").move_of([[0, 1, 0], [1, 0, 0]])
            'a2'
        """
        env = self._session.env
        try:
            check_lengths([answer] * 2, 2, (env.board_height, env.board_width), [0])
            return name(read_strictly(answer))
        except ActionError as error:
            raise RunnerError(str(error)) from error

    # ---- drawing

    def __repr__(self) -> str:
        setup, cells = self._session.setup, self._session.cells
        moves = "".join("--" if cell is None else name(cell) for cell in cells[:MOST_SHOWN])
        given = [repr(setup.env)]
        if cells:
            given.append(repr(moves + "..." if len(cells) > MOST_SHOWN else moves))
        if setup.rules != "platform":
            given.append(f"rules={setup.rules!r}")
        if setup.board_size is not None:
            given.append(f"board_size={setup.board_size}")
        if setup.board is not None:
            given.append(f"board={setup.board!r}")
        return f"Game({', '.join(given)})"

    def __str__(self) -> str:
        env, last = self._session.env, coordinates.last_played(self._session.cells)
        marked = env.winning_line() or ([last] if last else [])
        board = lettered_board(env.stones(), marked, BoardPaint(signs=True)).plain
        if self.is_over:
            return f"{board}\n{result_words(self._record)}"
        state = _("{colour} to move")
        return f"{board}\n{state.format(colour=colour_name(self._session.to_move))}"

    def svg(self) -> str:
        """The board after the last move as an SVG drawing."""
        return svg.write(self._record)

    _repr_svg_ = svg


def _player(colour: str) -> int:
    """The player, 0 Black or 1 White, of a colour. Raises RunnerError for another word."""
    if colour not in COLOURS:
        raise RunnerError(unknown(_("colour"), str(colour), COLOURS))
    return COLOURS.index(colour)
