"""A brain of the Gomocup as an agent: the manager's side of Piskvork's protocol (see play/gomocup.py).

The program first gets `START 15` and the INFO lines. The manager asks for a move by TURN if the opponent's stone is the
only new one, by BEGIN on an empty board, else by BOARD. Off turn it sends nothing. It skips answers that are no move.
"""

import re
from math import copysign
from time import monotonic, sleep
from typing import Any, Dict, List, Optional

from .observed import Cell, Seen
from .program import Manager, entry_points, number

PROTOCOL = {
    "about": "a brain of the Gomocup; k-in-a-row games with five in a row",
    "options": {"timeout_turn": None, "max_node": None, "rule": 0, "pause": 0},
}
GAMES = ("five_in_a_row",)

USUAL_SIZE = 15
TURN_SHARE = 0.8  # timeout_turn if the user gives none, as a share of the limit of a call
MEMORY_SHARE = 0.9  # max_memory as a share of the memory limit; the rest is for this process
MOST_PAUSE = 3600  # seconds: greatest value of the option `pause`
ENDLESS = 2**31 - 1  # milliseconds: a game without a limit
ABOUT_SECONDS = 1.0  # wait for an answer to ABOUT, which a program may not know; then START is sent again
LATE_SECONDS = 0.2  # grace after the limit of a call; then a program that has sent no move loses
MOST_KEPT = 50  # most MESSAGE lines that are stored for a move
FIGURES = {  # figure of a thought -> how programs write it in MESSAGE
    "depth": re.compile(r"\b(?:depth|dep|d)\b[\s:=]*(\d{1,9})", re.IGNORECASE),
    "value": re.compile(r"\b(?:value|val|eval|ev|score)\b[\s:=]*([+-]?M?\d{1,12}(?:\.\d{1,6})?)", re.IGNORECASE),
    "nodes": re.compile(r"\b(?:nodes?|n)\b[\s:=]*(\d{1,12}(?:\.\d{1,6})?)\s*([kmg])?", re.IGNORECASE),
}
MATE = 30000  # value of a win in 0 plies; "+M5", a win in five plies, is 29995
TIMES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
LINE = re.compile(r"\b(?:line|pv|bestline|best)\b[\s:=]*(.*)", re.IGNORECASE)
PAIR = re.compile(r"\[?(\d{1,2})\s*,\s*(\d{1,2})\]?|\b([a-z])(\d{1,2})\b", re.IGNORECASE)
CELL = re.compile(r"(\d{1,3})\s*,\s*(\d{1,3})")
ABOUT = re.compile(r"(?!MESSAGE|DEBUG).*\bname\s*=", re.IGNORECASE)
SUGGEST = re.compile(r"SUGGEST\s+(\d{1,3}\s*,\s*\d{1,3})", re.IGNORECASE)


class GomocupManager(Manager):
    """The manager of one brain. Options of the agent: `pause` (seconds after each move), and the keys of INFO lines."""

    farewell = "END"

    def __init__(self, options: Dict[str, Any], seconds: float, memory_mb: float) -> None:
        super().__init__(options, seconds, memory_mb)
        self.pause = number(options, "pause", 0.0, MOST_PAUSE)
        self._info = info_lines(options, seconds, memory_mb)
        self._said: List[str] = []  # the MESSAGE lines of this move
        self._size = 0
        self._stones: List[int] = []  # the position that the program knows
        self._moved = 0.0  # monotonic() time of the program's last move

    def begin(self, program: Any) -> None:
        super().begin(program)
        self._new_game(USUAL_SIZE)

    def _new_game(self, size: int) -> None:
        """Begin a game on a board of this size. Raises EngineFault."""
        self._start(size)
        for line in self._info:
            self.program.send("INFO " + line)
        if not self._size:  # the program is new: it may load its tables now, while its time does not count
            self.program.send("ABOUT")
            until: Optional[float] = monotonic() + ABOUT_SECONDS
            line = self.program.line(until)
            while line is not None and not ABOUT.match(line):
                line = self.program.line(until)
            if line is None:
                self._start(size)
        self._size, self._stones = size, [0] * (size * size)

    def _start(self, size: int) -> None:
        self.program.send(f"START {size}")
        line = self.program.line()
        while not line.upper().startswith("OK"):  # "OK - everything is good" in the protocol's text
            if line.upper().startswith("ERROR"):
                raise self.program.refused(line)
            line = self.program.line()

    def choose(self, seen: Seen) -> Cell:
        self._said = []
        self.wait()
        board, size, colour = [stone for row in seen.stones for stone in row], len(seen.stones), seen.player
        if size != self._size:
            self._new_game(size)
        new = [cell for cell, (now, before) in enumerate(zip(board, self._stones)) if now != before]
        # Whether the program already plays this colour, by the numbers of stones in the position that it knows.
        knows = self._stones.count(colour) - self._stones.count(3 - colour) == (1 if colour == 1 else 0)
        if knows and len(new) == 1 and self._stones[new[0]] == 0 and board[new[0]] == 3 - colour:
            self.program.send(f"TURN {self._named(new[0])}")
        else:
            if any(self._stones):
                self._new_game(size)
            if any(board):
                self._send_board(board, colour)
            else:
                self.program.send("BEGIN")
        cell = self._answer()
        self._moved = monotonic()
        self._stones = board
        if board[cell] == 0:  # the referee reports a move on an occupied cell
            board[cell] = colour
        self.thought = thought_of(self._said, size)
        return divmod(cell, size)

    def wait(self) -> None:
        """Let the pause after the program's last move pass."""
        left = self._moved + self.pause - monotonic() if self._moved else 0.0
        if left > 0:
            sleep(left)

    def _send_board(self, board: List[int], colour: int) -> None:
        own = [cell for cell, stone in enumerate(board) if stone == colour]
        other = [cell for cell, stone in enumerate(board) if stone == 3 - colour]
        sides = [(own, 1), (other, 2)] if colour == 1 else [(other, 2), (own, 1)]
        self.program.send("BOARD")
        for at in range(max(len(own), len(other))):
            for cells, who in sides:
                if at < len(cells):
                    self.program.send(f"{self._named(cells[at])},{who}")
        self.program.send("DONE")

    def _answer(self) -> int:
        """The cell of the next line that is a move."""
        skipped, until = "", monotonic() + self.seconds + LATE_SECONDS
        while True:
            line = self.program.line(until if skipped else None)
            if line is None:
                raise self.program.refused(skipped)
            match, suggested = CELL.fullmatch(line), SUGGEST.match(line)
            if match:
                x, y = int(match.group(1)), int(match.group(2))
                if x >= self._size or y >= self._size:
                    raise self.program.refused(line, "no cell of the board")
                return y * self._size + x
            if suggested:
                self.program.send("PLAY " + suggested.group(1))
            elif line.upper().startswith("MESSAGE"):
                self._said.append(line[len("MESSAGE") :].strip()[:200])
                del self._said[MOST_KEPT:]
            elif not line.upper().startswith("DEBUG"):
                skipped = line

    def _named(self, cell: int) -> str:
        return f"{cell % self._size},{cell // self._size}"


def thought_of(said: List[str], size: int) -> Optional[Dict[str, Any]]:
    """A thought in the form of last_thought() from the MESSAGE lines of a move; None if there is no such line.

    If several lines tell a figure, such as the depth, the last of them counts.

    >>> thought_of(["depth 5-9 ev 31 n 12k pv H8 I9"], 15)["nodes"]
    12000
    >>> thought_of(["Depth 9-15 | Eval -M8 | Time 20ms"], 15)["value"]
    -29992
    """
    if not said:
        return None
    thought: Dict[str, Any] = {"source": said[-1], "messages": said}
    for line in said:
        for key, pattern in FIGURES.items():
            match = pattern.search(line)
            if match:
                unit = (match.group(2) or "").lower() if key == "nodes" else ""
                told = match.group(1).upper()
                value = float(told.replace("M", "")) * TIMES[unit]
                if "M" in told:  # the plies of a forced win or loss
                    value = copysign(MATE, value) - value
                thought[key] = int(value) if value == int(value) else value
        moves = LINE.search(line)
        cells = [_pair(each, size) for each in PAIR.finditer(moves.group(1))] if moves else []
        if cells and None not in cells:
            thought["pv"] = cells
    return thought


def info_lines(options: Dict[str, Any], seconds: float, memory_mb: float) -> List[str]:
    """The text of the INFO lines: the user's options, and the limits of the runner where the user gives none."""
    given = {str(key).lower(): _text(value) for key, value in options.items()}
    usual = {
        "timeout_turn": str(int(1000 * TURN_SHARE * seconds)), "timeout_match": "0", "time_left": str(ENDLESS),
        "max_memory": str(int(MEMORY_SHARE * memory_mb * 1000000)), "game_type": "1", "rule": "0",
    }  # fmt: skip
    return [" ".join(pair) for pair in {**usual, **given}.items()]


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else "0" if value is None else str(value)


def _pair(match: Any, size: int) -> Optional[List[int]]:
    """[row, col] of a cell written as x,y, or as column letter and row number from the bottom; None off the board."""
    if match.group(1):
        row, col = int(match.group(2)), int(match.group(1))
    else:
        row, col = size - int(match.group(4)), ord(match.group(3).lower()) - ord("a")
    return [row, col] if 0 <= row < size and 0 <= col < size else None


configure, my_controller, last_thought = entry_points(GomocupManager)
