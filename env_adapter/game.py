"""The base class `Game` of the platform's games. A `Game` sets up the position, checks answers and makes the steps.

As on the platform, a `Game` holds its own mutable state. A subclass holds the rules of a family of games. The quirks
are in `quirks.py`, sizes and ranges in `grid.py`. A board is `board[row][col] == [v]` with v 0 empty, 1 black, 2 white.
All values that agents read are plain ints.
Some methods of the platform are missing on purpose, because no code that plays games calls them:
`get_terminal_actions` (moves from the console), `get_config` (no game has one), `is_not_valid_vector_observation`
(rejects all observations of these games), and the drawing of pixels: `render_board`, `init_board`,
`parse_extra_info`, `game_tape`, `grid`, `grid_unit`, `grid_unit_fix`, `colors`.
"""

import itertools
import random
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from env_adapter.actions import Answer, Cell, JointAction, answer, check_lengths, listed, read_blindly, read_strictly
from env_adapter.endings import Illegality, Outcome
from env_adapter.errors import GameOver, IllegalMove, OpeningError
from env_adapter.grid import Grid, Setup
from env_adapter.quirks import Quirk, Quirks

EMPTY, BLACK, WHITE = 0, 1, 2
UNFINISHED, DRAW = 0, 3  # codes of check_win(), besides BLACK and WHITE

SIDES = {BLACK: "Black", WHITE: "White"}
MARKS = {EMPTY: ".", BLACK: "X", WHITE: "O"}

Observation = dict[Any, Any]  # the keys are strings in k in a row, strings and ints in Reversi


class Step(NamedTuple):
    """The five values that `step` returns."""

    all_observes: Any  # two observations, or the rows of the board after a pass (Quirk.LIST_AFTER_PASS)
    reward: list[float]
    done: bool
    info_before: str
    info_after: dict[str, Any]


def other(player: int) -> int:
    """The opponent of BLACK or WHITE."""
    return BLACK + WHITE - player


class Game(Grid):
    """A two-player board game with the attributes and methods of the platform's environments.

    family: the name of the rules
    has_pass: whether a side without a legal move passes; if False, `lose_turn` is refused as well
    turns_discs: whether moves turn discs over and the side with more discs wins
    takes_board: whether a game may begin from any board (`Setup.board`)
    illegal_free: why a free cell may be illegal, such as "turns no disc over"; "" if every free cell is legal
    """

    family: ClassVar[str]
    has_pass: ClassVar[bool] = False
    turns_discs: ClassVar[bool] = False
    takes_board: ClassVar[bool] = False
    illegal_free: ClassVar[str] = ""

    is_obs_continuous: ClassVar[bool] = False
    is_act_continuous: ClassVar[bool] = False
    init_info: ClassVar[None] = None

    won: Any
    n_return: list[float]
    all_observes: list[Observation]

    def __init__(self, setup: Setup, quirks: Quirks, seed: int | None = None) -> None:
        super().__init__(setup.board_height, setup.board_width)
        self.setup = setup
        self.quirks = quirks
        self._check_setup()
        self.seed = random.SystemRandom().randrange(2**31) if seed is None else seed
        self._random = random.Random(self.seed)
        self.game_name = setup.game_name
        self.max_step = self._default_max_step() if setup.max_step is None else setup.max_step
        self.agent_nums = [1, 1]
        self.obs_type = ["grid", "grid"]
        self.input_dimension = self.board_width * self.board_height
        self.action_dim = self.get_action_dim()
        self._clear_result()
        self._new_game()

    # ---- the rules: a subclass for each family of games

    @abstractmethod
    def outcome(self) -> Outcome:
        """The winner and the ending under this game's quirks. Changes nothing."""

    @abstractmethod
    def is_terminal(self) -> bool:
        """Whether the game is over. As on the platform, the call may record the result in `won` and `n_return`."""

    @abstractmethod
    def check_win(self) -> int:
        """The winner's code: 0 none, 1 Black, 2 White, 3 draw. As on the platform, the call records the result."""

    @abstractmethod
    def get_next_state(self, joint_action: JointAction) -> tuple[Any, dict[str, Any]]:
        """Play the mover's answer; returns the observations and the effects of the move (`info_after` in the log)."""

    @abstractmethod
    def get_reward(self, joint_action: JointAction) -> list[float]:
        """The rewards of the step just made, Black's first."""

    @abstractmethod
    def get_dict_observation(self, player_id: int) -> Observation:
        """The observation of player 1 or 2."""

    @abstractmethod
    def _check_setup(self) -> None:
        """Raise OptionError for a setup that the rules do not allow."""

    @abstractmethod
    def _default_max_step(self) -> int:
        """The step limit if the setup has none: at least the number of moves that fit on the board."""

    def _clear_result(self) -> None:
        """Clear the result. __init__() calls this method; reset() does so unless Quirk.RESET_KEEPS_RESULT is set."""
        self.n_return = [0, 0]

    @abstractmethod
    def _clear_board(self) -> None:
        """Set up the start position with Black to move."""

    @abstractmethod
    def _try(self, cell: Cell) -> list[Cell] | None:
        """Play a cell for the player to move, without counting a step. Returns the discs turned over.

        If the cell is not playable, returns None and changes nothing.
        """

    def is_playable(self, cell: Cell) -> bool:
        """Whether the player to move may place a stone on a cell. Does not check whether the game is over."""
        inside = 0 <= cell[0] < self.board_height and 0 <= cell[1] < self.board_width
        return inside and self.current_state[cell[0]][cell[1]][0] == EMPTY

    def is_playable_for_opponent(self, cell: Cell) -> bool:
        """Whether the opponent of the player to move may place a stone on a cell, but the player may not."""
        return False

    def can_move(self) -> bool:
        """Whether the player to move has a playable cell. Does not check whether the game is over."""
        return any(map(self.is_playable, self._cells()))

    def legal_moves(self) -> list[Cell]:
        """The legal cells of the player to move, row by row; [] if the player must pass, and after the end."""
        return [] if self.is_over() else list(filter(self.is_playable, self._cells()))

    def _cells(self) -> Iterator[Cell]:
        return itertools.product(range(self.board_height), range(self.board_width))

    def winning_line(self) -> list[Cell]:
        """The cells of the winning line; [] if there is none."""
        return []

    def _skip(self) -> None:
        """Give the turn to the opponent: a pass, or a lost turn if there is a playable cell.

        Raises IllegalMove in games without passes.
        """
        raise IllegalMove("there is no pass in this game")

    def lose_turn(self) -> Step:
        """Make a step in which the player to move plays nothing. Raises IllegalMove in games without passes."""
        raise IllegalMove("no turn can be lost in this game")

    # ---- the course of a game

    def reset(self) -> list[Observation]:
        """Start a new game from the opening. The random generator is not reset."""
        if Quirk.RESET_KEEPS_RESULT not in self.quirks:
            self._clear_result()
        self._new_game()
        return self.all_observes

    def step(self, joint_action: JointAction) -> Step:
        """Play one step with the mover's answer; the opponent's answer is ignored.

        Raises GameOver after the end, unless Quirk.STEP_AFTER_END_ALLOWED is set.
        """
        if Quirk.STEP_AFTER_END_ALLOWED not in self.quirks and self.is_terminal():
            raise GameOver(f"the game is over ({self.outcome().reason}); call reset() to play another")
        info_before = self.step_before_info()
        all_observes, info_after = self.get_next_state(joint_action)
        done = self.is_terminal()
        return Step(all_observes, self.get_reward(joint_action), done, info_before, info_after)

    def play(self, cell: Cell | None) -> Step:
        """Play one step with a cell. A None in `cells` is a pass, or a lost turn if a cell is playable."""
        if cell is None and self.can_move():
            return self.lose_turn()
        return self.step([answer(cell or (0, 0), self.board_height, self.board_width)] * self.n_player)

    def step_before_info(self, info: str = "") -> str:
        """The text of the platform's log that names the player to move."""
        return f"当前棋手:{self.chess_player}"

    def _new_game(self) -> None:
        self.chess_player = BLACK
        self.step_cnt = 1
        self._clear_board()
        moves = self.setup.start + self.setup.opening
        for number, cell in enumerate(moves, start=1):
            over = self.is_over()
            if self.has_pass and not over and not self.can_move():
                self.chess_player = other(self.chess_player)
            if over or self._try(cell) is None:
                side = SIDES[self.chess_player]
                raise OpeningError(
                    f"move {number} of the opening, {cell}, is illegal for {side}; "
                    f"accepted: {listed(self.legal_moves())}"
                )
        if moves and self.is_over():
            raise OpeningError(f"the opening {moves} ends the game; leave out its last move, {moves[-1]}")
        self.get_all_observes()

    def replay(self, cells: Iterable[Cell | None]) -> list[list[Cell]]:
        """Reset the game and `follow` the cells. Returns for each ply the discs that it turned over."""
        self.reset()
        return [self.follow(cell) for cell in cells]

    def follow(self, cell: Cell | None) -> list[Cell]:
        """Play a cell directly, without encoding answers, checking for the end or paying rewards: faster than `step`.

        None is a pass, or a lost turn if a cell is playable. Returns the discs that the ply turned over. Raises
        IllegalMove for a cell that is not playable.
        """
        if cell is None:
            self._skip()
            return []
        if (turned := self._try(cell)) is None:
            raise IllegalMove(f"{SIDES[self.chess_player]} cannot play {cell}")
        self.step_cnt += 1
        return turned

    def is_over(self) -> bool:
        """Whether the game is over under this game's quirks. Unlike `is_terminal`, this method changes nothing."""
        return self.outcome().ending is not None

    def why_illegal(self, cell: object) -> Illegality | None:
        """The reason why the player to move may not play `cell`, which may be any value; None if the move is legal."""
        if not isinstance(cell, tuple) or len(cell) != 2 or not all(type(part) is int for part in cell):
            return Illegality.NO_CELL
        row, col = cell
        if not (0 <= row < self.board_height and 0 <= col < self.board_width):
            return Illegality.OFF_BOARD
        if self.is_over():
            return Illegality.OVER
        stone = self.current_state[row][col][0]
        if stone != EMPTY:
            return Illegality.ON_BLACK if stone == BLACK else Illegality.ON_WHITE
        if self.is_playable(cell):
            return None
        return Illegality.RULE if self.can_move() else Illegality.MUST_PASS

    # ---- answers

    def is_not_valid_action(self, joint_action: JointAction) -> int:
        """Return 0 if the answers have the right lengths. Otherwise raise ActionError, which names the player."""
        swapped = Quirk.SHAPE_CHECK_SWAPS_AXES in self.quirks
        lengths = (self.board_width, self.board_height) if swapped else (self.board_height, self.board_width)
        both = Quirk.OFF_TURN_SHAPE_CHECKED in self.quirks
        players = range(self.n_player) if both else [self.chess_player - 1]
        check_lengths(joint_action, self.n_player, lengths, players)
        return 0

    def decode(self, each_action: Answer) -> Cell:
        """The (row, col) of one player's answer."""
        if Quirk.ANSWER_READ_BLINDLY in self.quirks:
            return read_blindly(each_action)
        return read_strictly(each_action)

    def encode(self, x: int, y: int) -> list[list[list[int]]]:
        """The joint action in which the player to move plays row `x`, column `y`. The opponent's lists are zeros."""
        joint_action = self.init_action_space()
        joint_action[self.chess_player - 1][0][x] = 1
        joint_action[self.chess_player - 1][1][y] = 1
        return joint_action

    def _replacement(self, cell: Cell, accepted: Sequence[Cell]) -> Cell:
        """A random accepted cell to replace an illegal one. Raises IllegalMove without Quirk.ILLEGAL_MOVE_REPLACED."""
        if Quirk.ILLEGAL_MOVE_REPLACED not in self.quirks:
            side = SIDES[self.chess_player]
            raise IllegalMove(f"{side} may not play {cell}; accepted: {listed(accepted)}")
        return self._random.choice(accepted)

    # ---- the board

    def get_all_observes(self) -> list[Observation]:
        """Make new observations for both players, and store them in `all_observes`."""
        self.all_observes = [self.get_dict_observation(player) for player in (BLACK, WHITE)]
        return self.all_observes

    def stones(self) -> list[list[int]]:
        """A copy of the board: `stones()[row][col]` is 0, 1 or 2."""
        return self.get_render_data(self.current_state)

    def text(self) -> str:
        """The board as text, one row a line, followed by a line with the player to move or the result."""
        rows = ["".join(MARKS[stone] for stone in row) for row in self.stones()]
        return "\n".join([*rows, self._state_line()])

    def draw_board(self) -> None:
        """Print `text()`."""
        print(self.text())

    def _state_line(self) -> str:
        if not self.is_over():
            return f"{SIDES[self.chess_player]} ({MARKS[self.chess_player]}) to move"
        outcome = self.outcome()
        winner = outcome.winner
        result = f"{SIDES[winner]} wins" if winner in SIDES else "draw" if winner == DRAW else "no winner"
        return f"over: {result}, {outcome.reason}"
