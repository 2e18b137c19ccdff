"""`Game`: a board game that is played move by move, or was read from a file; moves as the user writes them.

>>> cells_of("h8i9"), cells_of(["h8", (8, 8), "pass"]), cells_of((7, 7))
(((7, 7), (8, 8)), ((7, 7), (8, 8), None), ((7, 7),))
"""

import copy
import operator
import os
import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib.metadata import version
from typing import Any, Literal

from env_adapter import RULES, ActionError, Cell, names
from env_adapter.actions import check_lengths, read_strictly
from local_runner.agents.catalogue import BUILT_INS
from local_runner.agents.declared_games import players
from local_runner.errors import AgentError, RunnerError, TengenError, Unplayable
from local_runner.formats import SavedGame, from_session
from local_runner.formats.files import svg
from local_runner.formats.source import checked_setup
from local_runner.game import coordinates, records, wording
from local_runner.game.move_text import read_moves
from local_runner.game.records import Colour, Result
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.game.wording import colour
from local_runner.language import languages
from local_runner.language.languages import _, shown, unknown
from local_runner.language.text import shortened
from local_runner.processes.agent_side.action_space import action_space
from local_runner.terminal.drawing import BoardPaint, lettered_board

__all__ = ["AgentError", "Game", "GameSetup", "Result", "TengenError", "Unplayable", "__version__", "agents", "cell",
           "games", "name", "use_language"]  # fmt: skip
__version__ = version("tengen")
MOST_SHOWN = 60  # most plies in the repr of a game
COLOURS: tuple[Colour, Colour] = ("black", "white")
Path = str | os.PathLike[str]
Rules = Literal["platform", "stated"]
PASS = "pass"
Move = str | tuple[int, int] | None  # "h8" or (row, column) from 0; "pass" or None
Moves = Move | Iterable[Move]  # a text may hold several moves: "h8i9h9"

languages.use(None)  # the language of the locale, until `use_language` is called


def setup_of(
    game: str, rules: str = "platform", seed: int | None = 0, board_size: int | None = None,
    board: Sequence[str] | None = None,
) -> GameSetup:  # fmt: skip
    """The setup of a game. `seed`: None for a new one. `board`: rows such as `"..XO"`, for Reversi."""
    seed = secrets.randbits(31) if seed is None else seed
    if rules not in RULES:
        raise RunnerError(unknown(_("rules"), str(rules), RULES))
    return checked_setup(GameSetup(game, rules, seed, board_size=board_size, board=tuple(board) if board else None))


class Game(GameSession):
    """A game: its board, its moves and its result. A notebook draws it.

    Args:
        game: The name of the game; `games()` lists the names.
        moves: Moves to play at once.
        rules: `"platform"`: the rules as the site's code plays them. `"stated"`: as the site's text states them.
        board_size: Cells on a side of the board; by default the game's own.
        board: For Reversi: the board to begin from, one text a row, of . (empty), X (Black) and O; Black is to move.
        names: Black's and White's names.

    Attributes:
        setup: The game's name (`setup.env`), its rules and its board.
        cells: The moves so far as (row, column), counted from 0; None for a pass.
        result: The result; None while the game goes on, and for a game of a file that was left unfinished.
        env: The referee's game. Do not play in it. `env.stones()[row][column]` is 0 for a free cell, 1 for a black
            stone, 2 for a white one.

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
        >>> result = game.play("b1").play("c3").play("b3").result
        >>> result.colour, result.points, result.reason.value, str(result)
        ('black', (1.0, 0.0), 'by the rules', 'Black wins: 3 in a row from b1 to b3')
        >>> game.undo(2).moves
        ('b2', 'a1', 'b1')
    """

    _saved: SavedGame | None = None  # the game as a file or a match has recorded it
    _saved_result: Result | None = None

    def __init__(
        self, game: str = "gobang_1v1", moves: Moves = (), *, rules: Rules = "platform", board_size: int | None = None,
        board: Sequence[str] | None = None, names: tuple[str, str] = wording.COLOURS,
    ) -> None:  # fmt: skip
        super().__init__(setup_of(game, rules, board_size=board_size, board=board), names)
        self.play(moves)

    @classmethod
    def of(cls, saved: SavedGame) -> "Game":
        """The game that a file or a match has recorded."""
        game = cls.__new__(cls)
        GameSession.__init__(game, saved.setup, saved.names, cells=saved.cells)
        if game.result is None and (saved.winner or saved.ending):
            game.result = saved.result or records.WordedResult(saved.winner, words=saved.ending)
        game._saved, game._saved_result = saved, game.result
        return game

    @property
    def saved(self) -> SavedGame:
        """The game for writing: with names and times of its file, if moves and result are still those of the file."""
        if self._saved and (self._saved.cells, self._saved_result) == (tuple(self.cells), self.result):
            return self._saved
        return from_session(self)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves so far, `"pass"` for a pass."""
        return tuple(map(name, self.cells))

    @property
    def turn(self) -> Colour:
        """The side to move, `"black"` or `"white"`."""
        return COLOURS[self.to_move]

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves of the side to move, row by row.

        It is `("pass",)` if the side to move has to pass, and `()` after the end of the game.
        """
        return () if self.result is not None else tuple(map(name, self.env.legal_moves())) or (PASS,)

    @property
    def seconds(self) -> tuple[float | None, ...]:
        """The seconds that each ply took, None where unknown; () for a game without recorded times."""
        return self.saved.seconds

    @property
    def damage(self) -> str:
        """What is wrong in the file after the last move that could be read; `""` if nothing is."""
        return shown(self.saved.damage)

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
        plies = len(self.cells)
        try:
            for cell in cells_of(moves):
                if cell is not None and self.must_pass:
                    super().play(None)
                super().play(cell)
        except RunnerError:
            if len(self.cells) > plies:
                self.undo(len(self.cells) - plies)
            raise
        return self

    def copy(self) -> "Game":
        """A copy, which can be played on without changing this game."""
        return copy.deepcopy(self)

    # ---- what an agent sees

    def observation(self, player: int | None = None) -> Any:
        """A copy of the observation that the site gives to an agent, as the first argument of `my_controller`.

        Args:
            player: The agent's colour, 0 Black or 1 White; by default the side to move.

        Examples:
            >>> Game("tictactoe_1v1", "b2").observation()["state_map"][1]
            [[0], [1], [0]]
        """
        return copy.deepcopy(self.observations[self.to_move if player is None else player])

    @property
    def action_space(self) -> list[Any]:
        """The action space of the rows and that of the columns, as the second argument of `my_controller`."""
        return list(action_space(self.env.board_height, self.env.board_width, self.setup.seed))

    def move_of(self, answer: Sequence[Sequence[int]]) -> str:
        """The move that an agent's answer names: two lists with exactly one 1, for the row and for the column.

        Raises:
            TengenError: The answer has another form.

        Examples:
            >>> Game("tictactoe_1v1").move_of([[0, 1, 0], [1, 0, 0]])
            'a2'
        """
        try:
            check_lengths([answer] * 2, 2, (self.env.board_height, self.env.board_width), [0])
            return name(read_strictly(answer))
        except ActionError as error:
            raise RunnerError(str(error)) from error

    # ---- drawing

    def __repr__(self) -> str:
        given = [repr(self.setup.env)]
        if self.cells:
            moves = "".join("--" if cell is None else name(cell) for cell in self.cells[:MOST_SHOWN])
            given.append(repr(moves + "..." if len(self.cells) > MOST_SHOWN else moves))
        usual = GameSetup(self.setup.env)
        given += [f"{key}={getattr(self.setup, key)!r}" for key in ("rules", "board_size", "board")
                  if getattr(self.setup, key) != getattr(usual, key)]  # fmt: skip
        return f"Game({', '.join(given)})"

    def __str__(self) -> str:
        last = coordinates.last_played(self.cells)
        marked = self.env.winning_line() or ([last] if last else [])
        board = lettered_board(self.env.stones(), marked, BoardPaint(signs=True)).plain
        to_move = _("{colour} to move").format(colour=colour(self.to_move))
        return f"{board}\n{self.result or to_move}"

    def svg(self) -> str:
        """The board after the last move as an SVG drawing."""
        return svg.write(self.saved)

    _repr_svg_ = svg


# ---- moves


def cell(name: str) -> tuple[int, int]:
    """The row and column, counted from 0, of the cell with a name.

    Raises:
        TengenError: The text is no name of a cell.

    Examples:
        >>> cell("h8"), cell("a10")
        ((7, 7), (9, 0))
    """
    place = coordinates.cell(name)
    if place is None:
        raise RunnerError(_("{text} is no cell; write a cell such as h8").format(text=repr(shortened(name))))
    return place


def name(cell: tuple[int, int] | None) -> str:
    """The name of a cell, given as (row, column) from 0; `"pass"` for None.

    Raises:
        TengenError: The row is below 0, or the column is not 0 to 25.

    Examples:
        >>> name((7, 7)), name((9, 0)), name(None)
        ('h8', 'a10', 'pass')
    """
    if cell is None:
        return PASS
    row, col = cell
    if row < 0 or not 0 <= col < len(coordinates.LETTERS):
        raise RunnerError(_("{cell} has no name; a board has at most 26 rows and columns").format(cell=cell))
    return coordinates.name((row, col))


def cells_of(moves: Any) -> tuple[Cell | None, ...]:
    """The cells of moves, None for a pass. Raises RunnerError for anything that is no move."""
    if moves is None:
        return (None,)
    if isinstance(moves, str):
        reading = read_moves(moves)
        if reading.rest:
            sentence = _("{text} cannot be read as moves from {rest} on; write moves such as h8h9i9, or (row, column)")
            raise RunnerError(sentence.format(text=repr(shortened(moves)), rest=repr(shortened(reading.rest[:20]))))
        return reading.cells
    try:
        items = list(moves)
    except TypeError:
        sentence = _("{text} is no move; write moves such as h8h9i9, or (row, column)")
        raise RunnerError(sentence.format(text=repr(moves))) from None
    with suppress(TypeError, ValueError):
        row, col = map(operator.index, items)
        return ((row, col),)
    return tuple(cell for item in items for cell in cells_of(item))


# ---- names, language


def games() -> tuple[str, ...]:
    """The names of the games.

    Examples:
        >>> games()[:2]
        ('gobang_1v1', 'reversi_1v1')
    """
    return tuple(names())


def agents(game: str | None = None) -> tuple[str, ...]:
    """The names of the agents that come with tengen, the strongest first.

    Args:
        game: Only the agents that play this game.

    Raises:
        TengenError: The game is unknown.

    Examples:
        >>> agents("tictactoe_1v1")[0], "random" in agents()
        ('tengen', True)
    """
    return tuple(BUILT_INS) if game is None else tuple(players(setup_of(game).make()))


def use_language(language: str) -> None:
    """Show texts and errors in a language. Without this call, they are in the language of the locale.

    Args:
        language: `"en"` or `"zh"`.

    Raises:
        TengenError: The language is another one.
    """
    if language not in languages.LANGUAGES:
        raise RunnerError(unknown(_("language"), str(language), languages.LANGUAGES))
    languages.use(language)
