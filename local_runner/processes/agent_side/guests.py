"""Controllers that run the agents of other platforms here. For a file without my_controller, `loading.py` makes one.

A player of the Mo platform's Reversi (known from student report 001) is a class AIPlayer that is used as
`AIPlayer(color).get_move(board)`: colours "X" (Black) and "O", moves "A1" to "H8", column first.

An agent of Kaggle's environments is a function `agent(observation, configuration)`, as in Kaggle's tictactoe:
`observation.board` row by row (0 free, 1 the first player, 2 the second), `observation.mark` the agent's number, the
answer row * columns + column. Both arguments are dicts, too, with the fields of every environment; no time is banked.
"""

from types import ModuleType
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

SIZE = 8
COLUMNS = "ABCDEFGH"
MARKS = ".XO"
STANDARD = {"actTimeout": 1, "agentTimeout": 30, "runTimeout": 1200}  # seconds: a call, the import, a game
ROW = 5  # stones in a row that win; on a board with a shorter side, as many as that side has cells
STEPS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


class MoBoard:
    """A board of rows of ".", "X" and "O". Moves change the rows `init_board` in place; None: the start position."""

    def __init__(self, init_board: Optional[List[List[str]]] = None) -> None:
        self.empty = "."
        self._board = init_board or [[self.empty] * SIZE for _ in range(SIZE)]
        if init_board is None:
            for row, col, mark in ((3, 3, "O"), (4, 4, "O"), (3, 4, "X"), (4, 3, "X")):
                self._board[row][col] = mark

    def count(self, color: str) -> int:
        """The number of discs of a colour."""
        return sum(row.count(color) for row in self._board)

    def board_num(self, action: str) -> Tuple[int, int]:
        """Row and column of a move."""
        return int(action[1]) - 1, COLUMNS.index(action[0])

    def num_board(self, action: Tuple[int, int]) -> str:
        """The move of a row and a column."""
        return f"{COLUMNS[action[1]]}{action[0] + 1}"

    def get_legal_actions(self, color: str) -> Iterator[str]:
        """The legal moves of a colour, row by row."""
        for row in range(SIZE):
            for col in range(SIZE):
                if self._board[row][col] == self.empty and self._outflanked(row, col, color):
                    yield self.num_board((row, col))

    def _move(self, action: str, color: str) -> List[str]:
        """Play a legal move; returns the flipped cells, which `backpropagation` needs to undo it."""
        row, col = self.board_num(action)
        flipped = self._outflanked(row, col, color)
        for r, c in [(row, col), *flipped]:
            self._board[r][c] = color
        return [self.num_board(cell) for cell in flipped]

    def backpropagation(self, action: str, flipped_pos: List[str], color: str) -> None:
        """Undo a move."""
        row, col = self.board_num(action)
        self._board[row][col] = self.empty
        for r, c in map(self.board_num, flipped_pos):
            self._board[r][c] = "O" if color == "X" else "X"

    def _outflanked(self, row: int, col: int, color: str) -> List[Tuple[int, int]]:
        flipped: List[Tuple[int, int]] = []
        for down, right in STEPS:
            walked: List[Tuple[int, int]] = []
            r, c = row + down, col + right
            while 0 <= r < SIZE and 0 <= c < SIZE and self._board[r][c] != self.empty:
                if self._board[r][c] == color:
                    flipped += walked
                    break
                walked.append((r, c))
                r, c = r + down, c + right
        return flipped


class MoController:
    """A `my_controller` that calls a Mo player on turn and converts its move, such as "A1", into two one-hot lists.

    `observed.look` reads the observation and the side to move. At the first call of a game the side
    to move is unknown, so the player is called for either colour. Only in the start position "O" is not called. Each
    colour has its own player object. Fewer discs than at the last call mean a new game, for which a new object is made.
    """

    def __init__(self, player: Callable[..., Any], options: Dict[str, Any], observed: ModuleType) -> None:
        self.player, self.options = player, options
        self.observed: Any = observed
        self.games: Dict[str, Tuple[int, Any]] = {}  # colour -> number of discs at the last call, player object
        self.player("X", **options)  # made now, so that wrong options fail when the agent is loaded, not in a game

    def __call__(self, observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
        """Answer an observation. Raises ValueError for games other than 8x8 Reversi, or if the player gives no move."""
        seen = self.observed.look(observation)
        if seen is not None and not (seen.reversi and len(seen.stones) == SIZE):
            raise ValueError("an AIPlayer plays Reversi on 8x8 only: give --env reversi_8x8_1v1")
        cell = (0, 0) if seen is None or seen.idle else self._ask(seen.stones, MARKS[seen.player])
        return self.observed.one_hots(cell, action_space)  # type: ignore[no-any-return]

    def _ask(self, stones: List[List[int]], color: str) -> Tuple[int, int]:
        board = MoBoard([[MARKS[stone] for stone in row] for row in stones])
        if color == "O" and board._board == MoBoard()._board:
            return 0, 0
        discs = board.count("X") + board.count("O")
        before, player = self.games.get(color, (SIZE * SIZE, None))
        if player is None or discs < before:
            player = self.player(color, **self.options)
        self.games[color] = discs, player
        if not any(True for _ in board.get_legal_actions(color)):
            return 0, 0
        move = str(player.get_move(board))
        if len(move) != len("A1") or move[0] not in COLUMNS or move[1] not in "12345678":
            raise ValueError(f"get_move answered {move!r}; it must answer a move such as 'A1'")
        return board.board_num(move)


class Struct(dict):  # type: ignore[type-arg]
    """A dict whose values are attributes, too."""

    __getattr__ = dict.__getitem__


class KaggleController:
    """A `my_controller` that calls an agent on turn, if it has a legal move."""

    def __init__(self, agent: Callable[..., Any], observed: ModuleType) -> None:
        self.agent = agent
        self.observed: Any = observed

    def __call__(self, observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
        """Answer an observation. Raises ValueError if the agent answers anything but the number of a cell."""
        seen = self.observed.look(observation)
        waits = seen is None or seen.idle or not self.observed.legal_cells(seen)
        rows, columns = (space.n for space in action_space)
        cell = 0 if waits else self._ask(seen, rows, columns)
        return self.observed.one_hots(divmod(cell, columns), action_space)  # type: ignore[no-any-return]

    def _ask(self, seen: Any, rows: int, columns: int) -> int:
        board = [stone for row in seen.stones for stone in row]
        configuration = Struct(STANDARD, rows=rows, columns=columns, episodeSteps=len(board) + 1)
        if not seen.reversi:
            configuration["inarow"] = min(ROW, rows, columns)
        observation = Struct(board=board, mark=seen.player, step=len(board) - board.count(0),
                             remainingOverageTime=0)  # fmt: skip
        taken = getattr(getattr(self.agent, "__code__", None), "co_argcount", 2)  # Kaggle passes no more arguments
        answer = self.agent(*(observation, configuration)[:taken])
        if isinstance(answer, bool) or not hasattr(answer, "__index__") or not 0 <= answer < len(board):
            raise ValueError(f"agent answered {answer!r}; it must answer a cell: row * columns + column, from 0")
        return int(answer)
