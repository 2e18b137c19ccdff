"""A GTP engine for Reversi as an agent: the manager's side of the protocol (see play/gtp.py).

Every move is sent as `play`; `genmove` asks for the engine's move. Cells are named as in Othello, rows from the top. A
forced pass is sent, too; if the engine refuses the pass, it has passed by itself. A board without known moves is set up
by one command.
"""

import os
import re
import tempfile
from typing import Any, Dict, List, Optional, Set, Tuple

from .program import Program, command_of, number

PROTOCOL = {
    "about": "a GTP engine; Reversi, the sizes that the engine takes",
    "options": {"time": None},
}
GAMES = ("reversi",)

TIME_SHARE = 0.8  # default time for a move, as sent to the engine: a share of the limit of a call
USUAL = 8  # cells on a side: a board that an engine has without `boardsize`
MOST_SECONDS = 10**6
COLOURS = ("", "black", "white")
ANSWER = re.compile(r"([=?])(\d*)[ \t]*(.*)")
POINTS = "abcdefghijklmnopqrstuvwxyz"  # of SGF
STEPS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
MOST_TRIED = 1500  # positions that are tried to find the moves that lead to a board; up to 0.3 s
CELL = re.compile("([A-Za-z])([0-9]{1,2})")

Move = Tuple[int, int]  # colour, cell; a cell is the number row * size + column


# ---- the game, as the observations of one player show it; a board is a list, row by row: 0 free, 1 Black, 2 White


def flipped(board: List[int], size: int, cell: int, colour: int) -> List[int]:
    """The discs that a move on a free cell turns over; [] for an illegal move."""
    found: List[int] = []
    for down, right in STEPS:
        row, col, line = cell // size + down, cell % size + right, []
        while 0 <= row < size and 0 <= col < size and board[row * size + col] == 3 - colour:
            line.append(row * size + col)
            row, col = row + down, col + right
        if 0 <= row < size and 0 <= col < size and board[row * size + col] == colour:
            found += line
    return found


def can_move(board: List[int], size: int, colour: int) -> bool:
    """Whether a side has a legal move."""
    return any(not stone and flipped(board, size, cell, colour) for cell, stone in enumerate(board))


def begun(size: int) -> List[int]:
    """The board at the start of a game."""
    board, low, high = [0] * (size * size), size // 2 - 1, size // 2
    board[low * size + low] = board[high * size + high] = 2
    board[low * size + high] = board[high * size + low] = 1
    return board


def moves_to(board: List[int], size: int) -> Optional[List[Move]]:
    """Moves that lead from the start to a board; None if none are found among MOST_TRIED positions."""
    start = begun(size)
    if any(stone and not now for now, stone in zip(board, start)):
        return None
    cells = [cell for cell, stone in enumerate(board) if stone and not start[cell]]
    tried: Set[Tuple[int, ...]] = set()

    def found(now: List[int], colour: int) -> Optional[List[Move]]:
        left = [cell for cell in cells if not now[cell]]
        if not left:
            return [] if now == board else None
        if (colour, *now) in tried or len(tried) > MOST_TRIED:
            return None
        tried.add((colour, *now))
        legal = False
        for cell in sorted(left, key=lambda cell: board[cell] != colour):
            turned = flipped(now, size, cell, colour)
            if turned:
                legal, after = True, now[:]
                for each in [cell, *turned]:
                    after[each] = colour
                rest = found(after, 3 - colour)
                if rest is not None:
                    return [(colour, cell), *rest]
        return None if legal or can_move(now, size, colour) else found(now, 3 - colour)

    return found(start, 1)


class Watched:
    """The game of one player. `moves` lead from the start, or from `base` if no moves to that board are known."""

    def __init__(self) -> None:
        self.number = 0  # of the game
        self.size = 0
        self.base: Optional[List[int]] = None
        self.moves: List[Move] = []
        self.board: List[int] = []
        self.player = 1
        self.to_move = 1

    def see(self, observation: Any) -> bool:
        """Take in an observation; returns whether its player is to move, and has a legal move."""
        board = self.board
        if isinstance(observation, dict):  # otherwise a row of the board: the last ply was a pass
            self.player = observation["chess_player_idx"]
            self.size, board = observation["board_width"], [0] * observation["board_width"] ** 2
            for colour in (1, 2):
                for row, col in observation[colour]:
                    board[row * self.size + col] = colour
        self._change(board)
        return self.to_move == self.player and can_move(board, self.size, self.player)

    def _change(self, board: List[int]) -> None:
        before, self.board = self.board, board
        if board == before:  # a pass, or the same call again
            self.to_move = self.player if can_move(board, self.size, self.player) else 3 - self.player
            return
        new = [cell for cell, stone in enumerate(board) if stone and (len(before) != len(board) or not before[cell])]
        kept = len(before) == len(board) and all(now for now, stone in zip(board, before) if stone)
        if kept and len(new) == 1:
            self.moves.append((board[new[0]], new[0]))
        else:
            moves = moves_to(board, self.size)
            self.number += 1
            self.base, self.moves = (board, []) if moves is None else (None, moves)
        if self.moves or self.base is None:
            self.to_move = 3 - self.moves[-1][0] if self.moves else 1  # this side may have to pass
        else:
            self.to_move = self.player  # not known


# ---- the engine


class GtpManager:
    """The manager of one engine, for one player.

    program: an object with the methods of program.Program
    seconds: time for a move, as sent to the engine; None: no time is sent
    """

    def __init__(self, program: Program, seconds: Optional[str]) -> None:
        self.program, self.seconds = program, seconds
        self.game = Watched()
        self._number = 0  # id of the last command
        self._game = 0  # number of the game that the engine knows
        self._told: List[Move] = []

    def start(self) -> None:
        """Wait until the engine is ready, and choose the game if the engine has several. Raises EngineFault."""
        self._obeyed("name")
        if self._ask("known_command set_game")[1].lower() == "true":
            self._obeyed("set_game Othello")
        self._ask(f"boardsize {USUAL}")  # the engine may make its tables now, while no clock runs
        self._obeyed("clear_board")

    def answer(self, observation: Any, action_space: Any) -> List[List[int]]:
        """The answer to a call of the platform. Without an observation, the game is over, and the program ends."""
        cell, size = 0, action_space[0].n
        if observation is None:
            self.program.end("quit")
        elif self.game.see(observation):
            cell = self._choose()
        return [[int(at == place) for at in range(size)] for place in divmod(cell, size)]

    def _choose(self) -> int:
        """The engine's move. Raises EngineFault."""
        game = self.game
        if self._game != game.number or game.moves[: len(self._told)] != self._told:
            self._begin()
        for colour, cell in game.moves[len(self._told) :]:
            self._pass_before(colour)
            self._obeyed(f"play {COLOURS[colour]} {name(cell, game.size)}")
            self._told.append((colour, cell))
        self._pass_before(game.player)
        answer = self._obeyed(f"genmove {COLOURS[game.player]}")
        if answer.lower() == "pass":
            raise self.program.refused(answer, "there are legal moves")
        cell = self._read(answer)
        self._told.append((game.player, cell))
        return cell

    def _read(self, answer: str) -> int:
        """The cell with a name such as D3. Raises EngineFault for any other text."""
        match, size = CELL.fullmatch(answer), self.game.size
        if match is None:
            raise self.program.refused(answer)
        row, col = int(match.group(2)) - 1, ord(match.group(1).lower()) - ord("a")
        if not (0 <= row < size and col < size):
            raise self.program.refused(answer, "no cell of the board")
        return row * size + col

    def _begin(self) -> None:
        """Set the engine's board to the beginning of the game."""
        game = self.game
        taken, answer = self._ask(f"boardsize {game.size}")
        if not taken and game.size != USUAL:
            raise self.program.refused(answer)
        self._obeyed("clear_board")
        if self.seconds is not None:
            self._ask(f"time_settings 0 {self.seconds} 1")
        self._game, self._told = game.number, []
        if game.base is not None:
            self._set_up(game.base, game.moves[0][0] if game.moves else game.to_move)

    def _set_up(self, board: List[int], to_move: int) -> None:
        """Set the engine's board: by the command of gtp-rhino if the engine has it, else by `loadsgf`."""
        discs = "".join(".XO"[stone] for stone in board)
        if self._ask(f"grhino-setup_board {discs} {COLOURS[to_move]}")[0]:
            return
        with tempfile.NamedTemporaryFile("w", suffix=".sgf", delete=False) as file:
            file.write(sgf(board, self.game.size, to_move))
        self._obeyed(f"loadsgf {file.name}")
        os.unlink(file.name)

    def _pass_before(self, colour: int) -> None:
        """Tell the pass of the other side if the last move was of this side, too."""
        if self._told and self._told[-1][0] == colour:
            self._ask(f"play {COLOURS[3 - colour]} pass")

    def _obeyed(self, command: str) -> str:
        """The text of the answer. Raises EngineFault if the engine refuses the command."""
        taken, text = self._ask(command)
        if not taken:
            raise self.program.refused("? " + text)
        return text

    def _ask(self, command: str) -> Tuple[bool, str]:
        """Send a command; returns whether it was obeyed, and the first line of the answer. Other lines are skipped."""
        self._number += 1
        self.program.send(f"{self._number} {command}")
        while True:
            match = ANSWER.match(self.program.line() or "")
            if match and match.group(2) in ("", str(self._number)):
                return match.group(1) == "=", match.group(3).strip()


def name(cell: int, size: int) -> str:
    """The name of a cell, such as d3: the letter of the column, and the number of the row from the top."""
    return "{}{}".format(chr(ord("a") + cell % size), cell // size + 1)


def sgf(board: List[int], size: int, to_move: int) -> str:
    """A board as an SGF file."""
    points = {colour: [f"[{POINTS[cell % size]}{POINTS[cell // size]}]" for cell, stone in enumerate(board)
                       if stone == colour] for colour in (1, 2)}  # fmt: skip
    placed = "".join(
        f"A{letter}" + "".join(points[colour]) for colour, letter in ((1, "B"), (2, "W")) if points[colour]
    )
    return f"(;GM[2]FF[4]SZ[{size}]{placed}PL[{'BW'[to_move - 1]}])\n"


_manager: Optional[GtpManager] = None


def configure(time: Any = None, **options: Any) -> None:
    """Start the engine. `program`, `arguments`, `home`, `call_seconds`, `memory_mb`: see programs.py.

    time: seconds for a move, as sent to the engine. By default TIME_SHARE of the limit of a call in whole seconds, as
    the protocol counts them; no time is sent if that is less than 1 s.

    Raises ValueError for a wrong option, and EngineFault for an engine that does not start.
    """
    global _manager
    command, home = command_of(options), str(options.pop("home", ""))
    options.pop("reads", None)
    options.pop("memory_mb", None)
    seconds = TIME_SHARE * number(options, "call_seconds", 1.0, MOST_SECONDS) // 1
    if time is not None:
        seconds = number({"time": time}, "time", 0.0, MOST_SECONDS)
    if options:
        raise TypeError(f"configure() got an unexpected keyword argument '{sorted(options)[0]}'")
    _manager = GtpManager(Program(command, home), f"{seconds:g}" if seconds else None)
    _manager.start()


def my_controller(observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
    """The platform's entry point."""
    assert _manager is not None
    return _manager.answer(observation, action_space)


def last_thought() -> Optional[Dict[str, Any]]:
    """The protocol has no words for what an engine thinks."""
    return None
