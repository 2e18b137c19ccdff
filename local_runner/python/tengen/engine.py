"""`Engine`: our engine analyses positions and whole games, in a process of its own."""

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType

from rich.console import Console

from local_runner.analysis import shown as display
from local_runner.analysis.game import GameAnalysis, MoveAnalysis
from local_runner.analysis.game import analyse as analyse_game
from local_runner.analysis.opinion import opinion
from local_runner.formats import SavedGame
from local_runner.game.session import GameSession
from local_runner.processes.engine.engine_info import BestLine, EngineInfo
from local_runner.processes.engine.engine_process import EngineProcess, Question
from local_runner.terminal.printed import Printed
from tengen.arguments import LEAST_SECONDS, Moves, Rules, Sandbox, check_counts, check_number, sandbox_of
from tengen.game import Game

__all__ = ["Analysis", "BestLine", "Engine", "MoveAnalysis", "Thought"]
MOST_LINES = 9


@dataclass(frozen=True, repr=False)
class Thought(EngineInfo, Printed):
    """The engine info on a position. `print` shows the board with a table of the lines.

    Attributes:
        game: The game that leads to the position.
    """

    game: SavedGame = field(kw_only=True, compare=False)

    @property
    def move(self) -> str | None:
        """The best move; None after the end of the game."""
        return self.lines[0].move if self.lines else None

    @property
    def value(self) -> int | None:
        """The value of the best line for the side to move; None after the end of the game."""
        return self.lines[0].value if self.lines else None

    @property
    def text(self) -> str:
        """The opinion in words, such as `"White is slightly better, expects h8"`."""
        session = GameSession(self.game.setup, cells=self.game.cells)
        return opinion(self, session.to_move, session.env.board_width)

    def __repr__(self) -> str:
        return f"<Thought: {self.text}>"

    def print_to(self, console: Console) -> None:
        """Print the thought, as `tengen analyse` does."""
        display.show_position(self.game, self, console)


@dataclass(frozen=True, repr=False)
class Analysis(GameAnalysis, Printed):
    """The analysis of a game. `print` shows the graph of Black's chance and the table of `tengen analyse`.

    Attributes:
        game: The game.
    """

    game: SavedGame = field(kw_only=True, compare=False)

    def __repr__(self) -> str:
        black, white = ("-" if each is None else f"{each:.0f}" for each in self.accuracy)
        return f"<Analysis: {len(self.moves)} moves, accuracy {black} and {white}>"

    def print_to(self, console: Console) -> None:
        """Print the analysis, as `tengen analyse` does."""
        display.show_game(self.game, self, console)


class Engine:
    """Our engine for one game. Its process starts at the first question, and ends with `close` or with the program.

    The tables of the engine are kept from question to question, so the next position of a game is answered faster. An
    engine answers one question at a time.

    Args:
        game, rules, board_size, board: As for `Game`.
        sandbox: `"auto"`, `"on"` or `"off"`, as the option `--sandbox`.

    Raises:
        TengenError: There is no such game, or it cannot have this board.

    Examples:
        >>> with Engine("gobang_1v1") as engine:  # slow
        ...     thought = engine.think("h8i9h9a1h10a2", depth=4)
        >>> thought.move, thought.lines[0].exact.value, thought.text  # slow
        ('h7', 'win', 'Black wins in 2 moves, expects h7')
    """

    def __init__(
        self, game: str = "gobang_1v1", *, rules: Rules = "platform", board_size: int | None = None,
        board: Sequence[str] | None = None, sandbox: Sandbox = "auto",
    ) -> None:  # fmt: skip
        self._start = Game(game, rules=rules, board_size=board_size, board=board)
        self._process = EngineProcess(sandbox_of(sandbox))
        self._finalizer = weakref.finalize(self, self._process.close)

    def think(
        self, moves: Moves | Game = (), *, seconds: float | None = None, nodes: int | None = None,
        depth: int | None = None, lines: int = 1, book: bool = False,
        on_thought: Callable[[Thought], object] | None = None,
    ) -> Thought:  # fmt: skip
        """Think about a position.

        Args:
            moves: The moves that lead to the position, or a `Game`, whose last position is meant.
            seconds: Most seconds; 1 if neither `nodes` nor `depth` is given.
            nodes: Most positions to search.
            depth: Greatest depth, in plies.
            lines: The number of best moves to find, 1 to 9.
            book: Answer from the opening book, where the position is in it.
            on_thought: Called with interim results, about ten times a second. An exception in it ends the search.

        Returns:
            The thought, with up to `lines` lines.

        Raises:
            TengenError: A move cannot be played, our engine does not play the game, or its process failed.
        """
        check_number(LEAST_SECONDS, seconds=seconds)
        check_counts(nodes=nodes, depth=depth)
        check_counts(MOST_LINES, lines=lines)
        if seconds is nodes is depth is None:
            seconds = 1.0
        game = self._game(moves)
        question = Question(game.setup, game.cells, lines, seconds, nodes, depth, use_book=book)
        look = None if on_thought is None else lambda info: on_thought(Thought(**vars(info), game=game))
        return Thought(**vars(self._process.think(question, look)), game=game)

    def analyse(
        self, moves: Moves | Game, *, seconds: float | None = None, nodes: int | None = None, lines: int = 2,
        on_position: Callable[[int, int], object] | None = None,
    ) -> Analysis:  # fmt: skip
        """Analyse each move of a game.

        Args:
            moves: The game, as a `Game` or as its moves.
            seconds: Seconds for each position; 0.2 if `nodes` is not given.
            nodes: Positions to search for each position of the game.
            lines: The number of best moves to find, 2 to 9.
            on_position: Called after each position with the numbers of positions done and of all positions.

        Returns:
            The analysis of all moves.

        Raises:
            TengenError: A move cannot be played, our engine does not play the game, or its process failed.
        """
        check_number(LEAST_SECONDS, seconds=seconds)
        check_counts(nodes=nodes)
        check_counts(MOST_LINES, lines=lines)
        game = self._game(moves)

        def tell(_analysis: GameAnalysis, done: int, total: int) -> None:
            if on_position is not None:
                on_position(done, total)

        made = analyse_game(self._process, game, seconds=seconds, nodes=nodes, lines=lines, progress=tell)
        return Analysis(**vars(made), game=game)

    def stop(self) -> None:
        """End the running search; `think` then returns what was found. May be called from any thread."""
        self._process.stop()

    def close(self) -> None:
        """End the engine's process. The engine cannot be used any more."""
        self._finalizer()

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Engine({repr(self._start)[len('Game(') :]}"

    def _game(self, moves: Moves | Game) -> SavedGame:
        return (moves if isinstance(moves, Game) else self._start.copy().play(moves))._record
