"""A game of Reversi for GTP, in which the manager sends each move.

The referee keeps the position and judges the moves. A pass that is forced may be left out.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from env_adapter import Cell, SgfGame
from local_runner.errors import RunnerError
from local_runner.formats import kinds
from local_runner.formats.saved_game import SavedGame
from local_runner.game import coordinates
from local_runner.game.session import GameSession
from local_runner.play.console import Line
from local_runner.play.our_engine import Analysed, Found, OurEngine
from local_runner.processes.engine.winning_chance import Chances

USUAL, SMALLEST, LARGEST = 8, 4, 26  # cells on a side, which is even


class ReversiGame:
    """The game, its history for `undo`, and our engine.

    Raises RunnerError, and changes nothing, where a move or a game is refused.
    """

    def __init__(self, make_engine: Callable[..., OurEngine] = OurEngine) -> None:
        self._make_engine = make_engine
        self._engine: OurEngine | None = None
        self._engine_size = 0
        self._plies: list[int] = []  # for each move that `undo` can take back, the number of plies before the move
        self.session = GameSession(kinds.setup_of(SgfGame.OTHELLO, USUAL))

    @property
    def size(self) -> int:
        """Cells on a side of the board."""
        return self.session.env.board_height

    @property
    def free(self) -> int:
        """The number of free cells."""
        return sum(row.count(0) for row in self.session.env.stones())

    @property
    def is_over(self) -> bool:
        """Whether neither side can move."""
        session = self.session
        if session.result is not None or not session.must_pass:
            return session.result is not None
        ahead = GameSession(session.setup, cells=[*session.cells, None])
        return ahead.result is not None or ahead.must_pass

    @property
    def lead(self) -> int:
        """Black's discs minus White's."""
        rows = self.session.env.stones()
        return sum(row.count(1) - row.count(2) for row in rows)

    # ---- changes

    def new(self, size: int | None = None) -> None:
        """Begin a game, by default on a board of the same size."""
        if size is not None and (size % 2 or not SMALLEST <= size <= LARGEST):
            raise RunnerError(f"the size is {SMALLEST} to {LARGEST}, and even")
        self._set(GameSession(kinds.setup_of(SgfGame.OTHELLO, size or self.size)))
        self._ready().new_game()

    def load(self, game: SavedGame, plies: int | None = None) -> None:
        """Set the position of a game that was read from a file, after `plies` plies, by default the last."""
        env = game.setup.make()
        if not env.turns_discs:
            raise RunnerError("this is no game of Reversi")
        if game.damage:
            raise RunnerError("a move of the game cannot be played")
        cells = game.cells if plies is None else game.cells[:plies]
        self._set(GameSession(replace(game.setup, opening=()), cells=cells))
        self._plies = list(range(len(cells)))

    def play(self, player: int, cell: Cell | None) -> None:
        """Make a move, None for a pass, of 0 Black or 1 White. The other side passes before, if it is its turn."""
        session, before = self.session, len(self.session.cells)
        try:
            if player != session.to_move and session.result is None:
                session.ply(None)
            if session.result is None or cell is not None:  # a pass after the end changes nothing
                session.play(cell)
        except RunnerError:
            if len(session.cells) > before:
                session.undo(len(session.cells) - before)
            raise
        self._plies.append(before)

    def undo(self) -> None:
        """Take back the last move, and the pass before it that was left out."""
        if not self._plies:
            raise RunnerError("there is no move to take back")
        if plies := len(self.session.cells) - self._plies.pop():
            self.session.undo(plies)

    def _set(self, session: GameSession) -> None:
        self.session, self._plies = session, []
        self._ready()  # before a clock runs

    # ---- our engine

    def move(self, player: int, seconds: float, line: Line) -> Found | None:
        """Our engine's move for a side; None if the side has none. Arguments as in `OurEngine.find`."""
        return self._ready().find(self._stones(), player, seconds, line=line)

    def analyse(self, player: int, lines: int, line: Line, every: float = 1.0) -> Iterator[Analysed]:
        """Our engine's best lines for a side; arguments as in `OurEngine.analyse`."""
        return self._ready().analyse(self._stones(), player, lines, line, every)

    def can_move(self, player: int) -> bool:
        """Whether a side, if it is to move, has a legal move."""
        env = self.session.env
        if self.session.result is not None or player == self.session.to_move:
            return env.can_move()
        ahead = GameSession(self.session.setup, cells=[*self.session.cells, None])
        return ahead.result is None and ahead.env.can_move()

    def chances(self, player: int) -> Chances:
        """The converter of the engine's values for a side."""
        return replace(Chances.of(self.session), mover=player)

    def _stones(self) -> bytes:
        return bytes(stone for row in self.session.env.stones() for stone in row)

    def _ready(self) -> OurEngine:
        if self._engine is None or self._engine_size != self.size:
            self._engine = None  # frees the memory of the engine before
            self._engine = self._make_engine("reversi", self.size, self.size, None)
            self._engine_size = self.size
        return self._engine


def name(cell: int, size: int) -> str:
    """The name of a cell by its number, such as D3."""
    return coordinates.name(divmod(cell, size)).upper()
