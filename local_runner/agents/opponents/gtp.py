"""A GTP engine for Reversi as an agent: the manager's side of the protocol (see play/gtp.py).

Every move is sent as `play`; `genmove` asks for the engine's move. Cells are named as in Othello, rows from the top. A
forced pass is sent, too; if the engine refuses the pass, it has passed by itself. A board without known moves is set up
by one command.
"""

import os
import re
import tempfile
from typing import Any, Dict, List, Optional, Set, Tuple

from .observed import (
    PASS,
    Cell,
    MaskPosition,
    ReversiRules,
    Seen,
    Stones,
    bits,
    legal_cells,
    one_hots,
    read,
    taken_cells,
)
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
LETTERS = "abcdefghijklmnopqrstuvwxyz"  # letters of columns, and of the points of SGF
MOST_TRIED = 1500  # positions that are tried to find the moves that lead to a board; up to 0.3 s
CELL = re.compile("([A-Za-z])([0-9]{1,2})")

Move = Tuple[int, Cell]  # colour, cell


# ---- the game, as the observations of one player show it


def moves_to(stones: Stones) -> Optional[List[Move]]:
    """Moves that lead from the start to a board; None if none are found among MOST_TRIED positions."""
    rules, low = ReversiRules(len(stones)), len(stones) // 2 - 1
    white, black = (rules.bit((low, col)) | rules.bit((low + 1, 2 * low + 1 - col)) for col in (low, low + 1))
    end = rules.position(stones, 1)
    tried: Set[MaskPosition] = set()

    def found(now: MaskPosition) -> Optional[List[Move]]:
        own, other, player = now
        left = (end.own | end.other) & ~(own | other)
        if not left:
            return [] if (own, other) == (end[player - 1], end[2 - player]) else None
        if now in tried or len(tried) > MOST_TRIED:
            return None
        tried.add(now)
        legal = rules.legal(own, other)
        for move in sorted(bits(legal & left), key=lambda move: not move & end[player - 1]):
            rest = found(rules.play(now, move))
            if rest is not None:
                return [(player, rules.cell(move)), *rest]
        return None if legal else found(rules.play(now, PASS))

    return None if (black | white) & ~(end.own | end.other) else found(MaskPosition(black, white, 1))


class Watched:
    """The game of one player. `moves` lead from the start, or from `base` if no moves to that board are known."""

    def __init__(self) -> None:
        self.number = 0  # of the game
        self.base: Optional[Stones] = None
        self.moves: List[Move] = []
        self.seen = Seen([], 1, True, 1)

    def see(self, observation: Any) -> bool:
        """Take in an observation; returns whether its player is to move, and has a legal move."""
        before, now = self.seen, self.seen
        if isinstance(observation, dict):  # otherwise a row of the board: the last ply was a pass
            now = read(observation)
        can_move = bool(legal_cells(now))
        if now.stones == before.stones:  # a pass, or the same call again
            to_move = now.player if can_move else 3 - now.player
        else:
            to_move = self._change(now, before)
        self.seen = now._replace(to_move=to_move)
        return can_move and not self.seen.idle

    def _change(self, now: Seen, before: Seen) -> int:
        """Keep the moves of a new board; returns the side to move, which may have to pass."""
        taken, taken_before = taken_cells(now.stones), taken_cells(before.stones)
        new = taken - taken_before
        if len(new) == 1 and taken_before < taken and len(now.stones) == len(before.stones):
            ((row, col),) = new
            self.moves.append((now.stones[row][col], (row, col)))
        else:
            moves = moves_to(now.stones)
            self.number += 1
            self.base, self.moves = (now.stones, []) if moves is None else (None, moves)
        if self.moves:
            return 3 - self.moves[-1][0]
        return 1 if self.base is None else now.player  # of a given board, the side to move is not known


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
        self._cleared = 0  # cells on a side of the engine's board, if the board is at the start
        self._told: List[Move] = []

    def start(self) -> None:
        """Wait until the engine is ready, and choose the game if the engine has several. Raises EngineFault."""
        self._obeyed("name")
        if self._ask("known_command set_game")[1].lower() == "true":
            self._obeyed("set_game Othello")
        self._clear(USUAL)  # the engine may make its tables now, while no clock runs

    def answer(self, observation: Any, action_space: Any) -> List[List[int]]:
        """The answer to a call of the platform. Without an observation, the game is over, and the program ends."""
        cell = 0, 0
        if observation is None:
            self.program.end("quit")
        elif self.game.see(observation):
            cell = self._choose()
        return one_hots(cell, action_space)

    def _choose(self) -> Cell:
        """The engine's move. Raises EngineFault."""
        game, player = self.game, self.game.seen.player
        if self._game != game.number or game.moves[: len(self._told)] != self._told:
            self._begin()
        for colour, cell in game.moves[len(self._told) :]:
            self._pass_before(colour)
            self._obeyed(f"play {COLOURS[colour]} {name(cell)}")
            self._told.append((colour, cell))
        self._pass_before(player)
        answer = self._obeyed(f"genmove {COLOURS[player]}")
        if answer.lower() == "pass":
            raise self.program.refused(answer, "there are legal moves")
        cell = self._read(answer)
        self._told.append((player, cell))
        return cell

    def _read(self, answer: str) -> Cell:
        """The cell with a name such as D3. Raises EngineFault for any other text."""
        match, size = CELL.fullmatch(answer), len(self.game.seen.stones)
        if match is None:
            raise self.program.refused(answer)
        row, col = int(match.group(2)) - 1, ord(match.group(1).lower()) - ord("a")
        if not (0 <= row < size and col < size):
            raise self.program.refused(answer, "no cell of the board")
        return row, col

    def _begin(self) -> None:
        """Set the engine's board to the beginning of the game."""
        game, size = self.game, len(self.game.seen.stones)
        if self._cleared != size:
            self._clear(size)
        self._game, self._told, self._cleared = game.number, [], 0
        if game.base is not None:
            self._set_up(game.base, game.moves[0][0] if game.moves else game.seen.to_move)

    def _clear(self, size: int) -> None:
        """Give the engine a board of this size at the start. Raises EngineFault."""
        taken, answer = self._ask(f"boardsize {size}")
        if not taken and size != USUAL:
            raise self.program.refused(answer)
        self._obeyed("clear_board")
        if self.seconds is not None:
            self._ask(f"time_settings 0 {self.seconds} 1")
        self._cleared = size

    def _set_up(self, stones: Stones, to_move: int) -> None:
        """Set the engine's board: by the command of gtp-rhino if the engine has it, else by `loadsgf`."""
        discs = "".join(".XO"[stone] for row in stones for stone in row)
        if self._ask(f"grhino-setup_board {discs} {COLOURS[to_move]}")[0]:
            return
        with tempfile.NamedTemporaryFile("w", suffix=".sgf", delete=False) as file:
            file.write(sgf(stones, to_move))
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


def name(cell: Cell) -> str:
    """The name of a cell, such as d3: the letter of the column, and the number of the row from the top."""
    return f"{LETTERS[cell[1]]}{cell[0] + 1}"


def sgf(stones: Stones, to_move: int) -> str:
    """A board as an SGF file."""
    placed = ""
    for colour, letter in ((1, "B"), (2, "W")):
        points = [f"[{LETTERS[col]}{LETTERS[row]}]" for row, col in sorted(taken_cells(stones))
                  if stones[row][col] == colour]  # fmt: skip
        placed += f"A{letter}{''.join(points)}" if points else ""
    return f"(;GM[2]FF[4]SZ[{len(stones)}]{placed}PL[{'BW'[to_move - 1]}])\n"


_manager: Optional[GtpManager] = None


def configure(time: Any = None, **options: Any) -> None:
    """Start the engine. `program`, `arguments`, `home`, `call_seconds`, `memory_mb`: see programs.py.

    time: seconds for a move, as sent to the engine. By default TIME_SHARE of the limit of a call in whole seconds, as
    the protocol counts them; no time is sent if that is less than 1 s.

    Raises ValueError for a wrong option, and EngineFault for an engine that does not start.
    """
    global _manager
    command, home = command_of(options)
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
