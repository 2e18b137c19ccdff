"""`Engine`: our engine analyses positions and whole games, in a process of its own."""

import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Literal

from rich.console import Console

from local_runner.analysis import shown as display
from local_runner.analysis.game import GameAnalysis, MoveAnalysis
from local_runner.analysis.game import analyse as analyse_game
from local_runner.analysis.opinion import opinion
from local_runner.formats import SavedGame
from local_runner.game.coordinates import numbered
from local_runner.processes.engine.engine_info import BestLine, EngineInfo, ProvedResult
from local_runner.processes.engine.engine_process import EngineProcess, Question
from local_runner.terminal.printed import Printed
from tengen.game import COLOURS, Colour, Game
from tengen.given import Rules, Sandbox, check_counts, check_seconds, sandbox_of
from tengen.moves import Moves, name

MOST_LINES = 9
Proved = Literal["win", "loss", "draw"]
PROVED: Mapping[ProvedResult, Proved | None] = {
    ProvedResult.NONE: None, ProvedResult.WIN: "win", ProvedResult.LOSS: "loss", ProvedResult.DRAW: "draw",
}  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One of the best moves, with the moves that the engine expects after it.

    Attributes:
        moves: The best move first.
        value: The engine's value of the move for the side to move, in points of its evaluation; higher is better.
        chance: Black's winning chance after the move, 0 to 1; a draw counts half.
        depth: The depth of the search in plies.
        proved: `"win"`, `"loss"` or `"draw"` for the side to move, if that is proved; else None.
        plies: In k in a row: the plies until the end of a proved win or loss; else None.
        discs: In Reversi: Black's exact lead in discs at the end, if the position is solved; else None.
    """

    moves: tuple[str, ...]
    value: int
    chance: float
    depth: int
    proved: Proved | None = None
    plies: int | None = None
    discs: int | None = None

    @property
    def move(self) -> str:
        """The first move."""
        return self.moves[0]

    def __str__(self) -> str:
        return " ".join(self.moves)


@dataclass(frozen=True)
class Thought(Printed):
    """What the engine found in a position. Printed, it is the board with a table of the lines.

    Attributes:
        lines: The best moves, best first; () after the end of the game.
        chance: Black's winning chance, 0 to 1; a draw counts half.
        depth: The greatest depth of a line, in plies.
        nodes: The number of positions that were searched.
        seconds: The time that the search took.
        source: The method that found the move: `"search"`, `"threats"`, `"solver"`, `"book"`, `"proof"` or `"scorer"`.
        text: The opinion in words, such as `"White is slightly better, expects h8"`.
        finished: False for an interim result.
    """

    lines: tuple[Line, ...]
    chance: float
    depth: int
    nodes: int
    seconds: float
    source: str
    text: str
    finished: bool
    _game: SavedGame = field(repr=False, compare=False)
    _info: EngineInfo = field(repr=False, compare=False)

    @property
    def move(self) -> str | None:
        """The best move; None after the end of the game."""
        return self.lines[0].move if self.lines else None

    @property
    def value(self) -> int | None:
        """The value of the best line; None after the end of the game."""
        return self.lines[0].value if self.lines else None

    def print_to(self, console: Console) -> None:
        """Print the thought, as `tengen analyse` does."""
        display.show_position(self._game, self._info, console)


@dataclass(frozen=True)
class AnalysedMove:
    """One ply of an analysed game.

    Attributes:
        ply: The number of the ply, from 1.
        colour: The side that moved.
        move: The move that was played.
        chance: Black's winning chance after the move, 0 to 1.
        lost: The winning chance that the mover gave away, 0 to 1.
        verdict: `"blunder"`, `"mistake"`, `"inaccuracy"`, `"missed win"`, `"only move"`, or `""` for most moves.
        best: The best move.
        lines: The engine's lines in the position before the move, best first.
    """

    ply: int
    colour: Colour
    move: str
    chance: float
    lost: float
    verdict: str
    best: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, repr=False)
class Analysis(Printed):
    """The analysis of a game. Printed, it is the graph of Black's chance and the table of `tengen analyse`.

    Attributes:
        moves: The analysed moves.
        chances: Black's winning chance at each position, 0 to 1; one entry more than plies.
        accuracy: Black's and White's accuracy, 0 to 100; None for a side without moves that count.
    """

    moves: tuple[AnalysedMove, ...]
    chances: tuple[float | None, ...]
    accuracy: tuple[float | None, float | None]
    _game: SavedGame = field(compare=False)
    _analysis: GameAnalysis = field(compare=False)

    def __repr__(self) -> str:
        black, white = ("-" if each is None else f"{each:.0f}" for each in self.accuracy)
        return f"<Analysis: {len(self.moves)} moves, accuracy {black} and {white}>"

    def print_to(self, console: Console) -> None:
        """Print the analysis, as `tengen analyse` does."""
        display.show_game(self._game, self._analysis, console)


class Engine:
    """Our engine for one game. Its process starts at the first question, and ends with `close` or with the program.

    The tables of the engine are kept from question to question, so the next position of a game is answered faster. An
    engine answers one question at a time.

    Args:
        game: The name of the game.
        rules: `"platform"` or `"stated"`.
        board_size: Cells on a side of the board; by default the game's own.
        board: For Reversi: the board to begin from, rows of . X O, with Black to move.
        sandbox: `"auto"`, `"on"` or `"off"`, as the option `--sandbox`.

    Raises:
        TengenError: There is no such game, or it cannot have this board.

    Examples:
        >>> with Engine("gobang_1v1") as engine:  # slow
        ...     thought = engine.think("h8i9h9a1h10a2", depth=4)
        >>> thought.move, thought.lines[0].proved, thought.text  # slow
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
        check_seconds(seconds)
        check_counts(nodes=nodes, depth=depth)
        check_counts(MOST_LINES, lines=lines)
        if seconds is nodes is depth is None:
            seconds = 1.0
        game = self._game(moves)
        saved = game._record
        question = Question(saved.setup, saved.cells, lines, seconds, nodes, depth, use_book=book)
        player, columns = COLOURS.index(game.turn), len(game.stones[0])

        def thought(info: EngineInfo) -> Thought:
            found = tuple(_line(line, columns) for line in info.lines)
            return Thought(found, info.chance, info.depth, info.nodes, info.seconds, info.source,
                           opinion(info, player, columns), info.finished, saved, info)  # fmt: skip

        look = None if on_thought is None else lambda info: on_thought(thought(info))
        return thought(self._process.think(question, look))

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
        check_seconds(seconds)
        check_counts(nodes=nodes)
        check_counts(MOST_LINES, lines=lines)
        game = self._game(moves)
        saved, columns = game._record, len(game.stones[0])

        def tell(_analysis: GameAnalysis, done: int, total: int) -> None:
            if on_position is not None:
                on_position(done, total)

        made = analyse_game(self._process, saved, seconds=seconds, nodes=nodes, lines=lines, progress=tell)
        analysed = tuple(_analysed(move, columns) for move in made.moves)
        return Analysis(analysed, made.chances, made.accuracy, saved, made)

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

    def _game(self, moves: Moves | Game) -> Game:
        return moves if isinstance(moves, Game) else self._start.copy().play(moves)


def _line(line: BestLine, columns: int) -> Line:
    return Line(_names(line.moves, columns), line.value, line.chance, line.depth, PROVED[line.exact], line.plies,
                line.discs)  # fmt: skip


def _names(numbers: Sequence[int], columns: int) -> tuple[str, ...]:
    return tuple(name(numbered(number, columns)) for number in numbers)


def _analysed(move: MoveAnalysis, columns: int) -> AnalysedMove:
    played, best = _names((move.cell, move.best), columns)
    lines = tuple(_line(line, columns) for line in move.lines)
    return AnalysedMove(
        move.ply + 1, COLOURS[move.player], played, move.after, move.lost, move.verdict.value, best, lines
    )
