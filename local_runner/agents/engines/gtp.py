"""A GTP engine for Reversi as an agent: the manager's side of the protocol (see protocols/gtp.py).

The engine is told every move by `play`, and asked by `genmove`. Cells are named as in Othello, rows from the top. A
forced pass is told, too; an engine that refuses it knows it by itself. A board that no known moves lead to is set
up whole.
"""

import os
import re
import tempfile
from typing import Any, Dict, List, Optional, Tuple

from .program import Program, command_of, number
from .reversi import Manager, Move, name

PROTOCOL = {
    "about": "a GTP engine; Reversi, the sizes that the engine takes",
    "options": {"time": None},
}
GAMES = ("reversi",)

TIME_SHARE = 0.8  # time for a move that the engine is told if the user gives none, as a share of the limit of a call
USUAL = 8  # cells on a side: a board that an engine has without `boardsize`
MOST_SECONDS = 10**6
COLOURS = ("", "black", "white")
ANSWER = re.compile(r"([=?])(\d*)[ \t]*(.*)")
POINTS = "abcdefghijklmnopqrstuvwxyz"  # of SGF


class GtpManager(Manager):
    """The manager of one engine.

    seconds: time for a move that the engine is told; None: it is not told
    """

    def __init__(self, program: Program, seconds: Optional[str]) -> None:
        super().__init__(program)
        self.seconds = seconds
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

    def choose(self) -> int:
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
        cell = self.read(answer, answer)
        self._told.append((game.player, cell))
        return cell

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

    time: seconds for a move that the engine is told. By default TIME_SHARE of the limit of a call in whole seconds, as
    the protocol counts them, and nothing if that is less than 1 s.

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
