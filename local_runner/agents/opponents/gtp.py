"""A GTP engine for Reversi as an agent: the manager's side of the protocol (see play/gtp.py).

The manager sends the opponent's moves by `play`, also a forced pass, which an engine may refuse, and asks by `genmove`.
Cells are named as in Othello, rows from the top. A start position that no moves lead to is set up by one command.
"""

import os
import re
import tempfile
from typing import Any, Dict, List, Optional, Set, Tuple

from .observed import PASS, Cell, MaskPosition, ReversiRules, Seen, Stones, bits, taken_cells
from .program import Manager, entry_points, number

PROTOCOL = {
    "about": "a GTP engine; Reversi, the sizes that the engine takes",
    "options": {"time": None},
}
GAMES = ("reversi",)

TIME_SHARE = 0.8  # default time for a move, as sent to the engine: a share of the limit of a call
USUAL = 8  # cells on a side: a board that an engine has without `boardsize`
COLOURS = ("", "black", "white")
ANSWER = r"([=?])(?:[ \t]*{number}\b|(?!\d))[ \t]*(.*)"  # Edax has a blank before the number
LETTERS = "abcdefghijklmnopqrstuvwxyz"  # letters of columns, and of the points of SGF
MOST_TRIED = 1500  # positions that are tried to find the moves that lead to a board; up to 0.3 s
CELL = re.compile("([A-Za-z])([0-9]{1,2})")

Move = Tuple[int, Cell]  # colour, cell


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


class GtpManager(Manager):
    """The manager of one engine.

    time: option; seconds for a move, as sent to the engine. By default TIME_SHARE of the limit of a call in whole
    seconds, as the protocol counts them; no time is sent if that is less than 1 s.
    """

    def __init__(self, options: Dict[str, Any], seconds: float, memory_mb: float) -> None:
        super().__init__(options, seconds, memory_mb)
        told = TIME_SHARE * seconds // 1
        if options.get("time") is not None:
            told = number(options, "time", 0.0)
        options.pop("time", None)
        if options:
            raise TypeError(f"configure() got an unexpected keyword argument '{sorted(options)[0]}'")
        self._seconds = f"{told:g}" if told else ""
        self._stones: Stones = []  # the last board
        self._base: Optional[Stones] = None  # the board before `_moves`; None: the start of the game
        self._moves: List[Move] = []
        self._begun = False  # whether the engine plays the game of `_moves`
        self._told: List[Move] = []  # the moves that the engine knows
        self._cleared = 0  # cells on a side of the engine's board, if the board is at the start
        self._number = 0  # id of the last command

    def begin(self, program: Any) -> None:
        """Wait until the engine is ready, and choose the game if the engine has several. Raises EngineFault."""
        super().begin(program)
        self._obeyed("name")
        if self._ask("known_command set_game")[1].lower() == "true":
            self._obeyed("set_game Othello")
        self._clear(USUAL)  # the engine may make its tables now, while its time does not count

    def follow(self, seen: Seen) -> bool:
        if seen.stones == self._stones:  # the opponent has passed, or the same call comes again
            return True
        taken, before = taken_cells(seen.stones), taken_cells(self._stones)
        new = taken - before
        if len(new) == 1 and before < taken and len(seen.stones) == len(self._stones):
            self._moves += [(seen.stones[row][col], (row, col)) for row, col in new]
        else:
            moves = moves_to(seen.stones)
            self._base, self._moves = (seen.stones, []) if moves is None else (None, moves)
            self._begun = False
        self._stones = seen.stones
        if self._moves:
            return self._moves[-1][0] != seen.player
        return self._base is not None or seen.player == 1  # on a given start board, the side to move is unknown

    def choose(self, seen: Seen) -> Cell:
        if not self._begun or self._moves[: len(self._told)] != self._told:
            self._set_up(seen)
        for colour, cell in self._moves[len(self._told) :]:
            self._pass_before(colour)
            self._obeyed(f"play {COLOURS[colour]} {name(cell)}")
            self._told.append((colour, cell))
        self._pass_before(seen.player)
        answer = self._obeyed(f"genmove {COLOURS[seen.player]}")
        if answer.lower() == "pass":
            raise self.program.refused(answer, "there are legal moves")
        match, size = CELL.fullmatch(answer), len(self._stones)
        if match is None:
            raise self.program.refused(answer)
        row, col = int(match.group(2)) - 1, ord(match.group(1).lower()) - ord("a")
        if not (0 <= row < size and col < size):
            raise self.program.refused(answer, "no cell of the board")
        self._told.append((seen.player, (row, col)))
        return row, col

    def _set_up(self, seen: Seen) -> None:
        """Set the engine's board to the beginning of the game.

        A board without known moves is set by the command of gtp-rhino if the engine has it, else by `loadsgf`.
        """
        size = len(seen.stones)
        if self._cleared != size:
            self._clear(size)
        self._begun, self._told, self._cleared = True, [], 0
        if self._base is None:
            return
        discs = "".join(".XO"[stone] for row in self._base for stone in row)
        to_move = self._moves[0][0] if self._moves else seen.player
        if self._ask(f"grhino-setup_board {discs} {COLOURS[to_move]}")[0]:
            return
        with tempfile.NamedTemporaryFile("w", suffix=".sgf", delete=False) as file:
            file.write(sgf(self._base, to_move))
        self._obeyed(f"loadsgf {file.name}")
        os.unlink(file.name)

    def _clear(self, size: int) -> None:
        taken, answer = self._ask(f"boardsize {size}")
        if not taken and size != USUAL:
            raise self.program.refused(answer)
        self._obeyed("clear_board")
        if self._seconds:
            self._ask(f"time_settings 0 {self._seconds} 1")
        self._cleared = size

    def _pass_before(self, colour: int) -> None:
        """Send the opponent's pass before a move of `colour`, if the move before was of this colour, too."""
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
            match = re.match(ANSWER.format(number=self._number), self.program.line() or "")
            if match:
                return match.group(1) == "=", match.group(2).strip()


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


configure, my_controller, last_thought = entry_points(GtpManager)
