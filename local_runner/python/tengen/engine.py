"""`Engine`: our engine analyses positions and whole games, in a process of its own."""

from collections.abc import Callable
from dataclasses import dataclass, field

from rich.console import Console

from local_runner.analysis import shown as display
from local_runner.analysis.game import analyse as analyse_game
from local_runner.analysis.shown import GameAnalysis, MoveAnalysis, opinion
from local_runner.processes.engine.engine_info import BestLine, EngineInfo
from local_runner.processes.engine.engine_process import EngineProcess, Question
from local_runner.processes.sandbox import SandboxName, sandbox_mode
from local_runner.system.checks import check_counts, check_number
from local_runner.terminal.drawing import Printed
from tengen.game import Game, Moves

__all__ = ["BestLine", "Engine", "EngineInfo", "GameAnalysis", "MoveAnalysis", "Thought"]
MOST_LINES = 9
LEAST_SECONDS = 0.001


@dataclass(frozen=True, repr=False)
class Thought(EngineInfo, Printed):
    """The engine info on a position. `print` shows the board with a table of the lines.

    Attributes:
        game: The game that leads to the position.
    """

    game: Game = field(kw_only=True, compare=False)

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
        return opinion(self, self.game.to_move, self.game.env.board_width)

    def __repr__(self) -> str:
        return f"<Thought: {self.text}>"

    def print_to(self, console: Console) -> None:
        """Print the thought, as `tengen analyse` does."""
        display.show_position(self.game, self, console)


class Engine(EngineProcess):
    """Our engine. Its process starts at the first question, and ends with `close` or with the program.

    The tables of the engine are kept from question to question, so the next position of a game is answered faster. An
    engine answers one question at a time.

    Args:
        game: The game to which moves given as text belong: its name, or a `Game` at its start.
        sandbox: `"auto"`, `"on"` or `"off"`, as the option `--sandbox`.

    Raises:
        TengenError: There is no such game.

    Examples:
        >>> with Engine("gobang_1v1") as engine:
        ...     thought = engine.think("h8i9h9a1h10a2", depth=4)
        >>> thought.move, thought.lines[0].exact.value, thought.text
        ('h7', 'win', 'Black wins in 2 moves, expects h7')
    """

    def __init__(self, game: str | Game = "gobang_1v1", *, sandbox: SandboxName = "auto") -> None:
        super().__init__(sandbox_mode(sandbox))
        self._start = game if isinstance(game, Game) else Game(game)

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
        check_counts(most=MOST_LINES, lines=lines)
        if seconds is nodes is depth is None:
            seconds = 1.0
        game = self._game(moves)
        question = Question(game.setup, tuple(game.cells), lines, seconds, nodes, depth, use_book=book)
        look = None if on_thought is None else lambda info: on_thought(Thought(**vars(info), game=game))
        return Thought(**vars(self.ask(question, look)), game=game)

    def analyse(
        self, moves: Moves | Game, *, seconds: float | None = None, nodes: int | None = None, lines: int = 2,
        on_position: Callable[[int, int], object] | None = None,
    ) -> GameAnalysis:  # fmt: skip
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
        check_counts(most=MOST_LINES, lines=lines)

        def tell(_analysis: GameAnalysis, done: int, total: int) -> None:
            if on_position is not None:
                on_position(done, total)

        return analyse_game(self, self._game(moves).saved, seconds=seconds, nodes=nodes, lines=lines, progress=tell)

    def __repr__(self) -> str:
        return f"Engine({self._start!r})"

    def _game(self, moves: Moves | Game) -> Game:
        """A copy of the position's game, which does not change if the caller plays on in the original."""
        return moves.copy() if isinstance(moves, Game) else self._start.copy().play(moves)
