"""An engine of NBoard as an agent: the manager's side of the protocol (see protocols/nboard.py).

Before each move the engine gets the position as a game in GGF. `ping` waits until it is ready, `go` asks for the move.
"""

import re
from contextlib import suppress
from datetime import datetime, timezone
from typing import Any, Dict, List, Optional

from .program import Program, command_of, number
from .reversi import CELL, Manager

PROTOCOL = {
    "about": "an engine of NBoard; Reversi, the sizes that the engine takes",
    "options": {"depth": 8},
}
GAMES = ("reversi",)

USUAL_DEPTH, MOST_DEPTH = 8, 99  # plies
MOST_SECONDS = 10**6
MOST_KEPT = 50  # lines of a search that are kept
DISCS = "-*O"  # signs of GGF
MOVE = re.compile(r"===\s*([A-Za-z]{1,4}[0-9]{0,2})")
SEARCH = re.compile(r"(?:search|book)\s+(\S+)\s+(\S+)\s+\S+\s+(\d{1,3})")
NODES = re.compile(r"nodestats\s+(\d{1,15})")


class NboardManager(Manager):
    """The manager of one engine.

    depth: plies that the engine is told to search; seconds: limit of a call
    """

    def __init__(self, program: Program, depth: int, seconds: float) -> None:
        super().__init__(program)
        self._depth, self._seconds = depth, seconds
        self._pings = 0

    def start(self) -> None:
        """Wait until the engine answers. Raises EngineFault."""
        self.program.send("nboard 2")
        self.program.send(f"set depth {self._depth}")
        self._wait()

    def choose(self) -> int:
        game = self.game
        self.program.send("set game " + ggf(game.board, game.size, game.player, self._seconds))
        self._wait()
        self.program.send("go")
        said: List[str] = []
        while True:
            line = self.program.line() or ""
            if line.startswith("==="):
                break
            if line.startswith(("search", "book", "nodestats")) and len(said) < MOST_KEPT:
                said.append(line[:200])
        self.thought = thought_of([*said, line[:200]], game.size)
        match = MOVE.match(line)
        if match is None:
            raise self.program.refused(line)
        if match.group(1).lower() in ("pa", "pass"):
            raise self.program.refused(line, "there are legal moves")
        return self.read(match.group(1), line)

    def _wait(self) -> None:
        """Wait until the engine has read everything. Lines of an earlier search are skipped."""
        self._pings += 1
        self.program.send(f"ping {self._pings}")
        while (self.program.line() or "").split()[:2] != ["pong", str(self._pings)]:
            pass


def ggf(board: List[int], size: int, to_move: int, seconds: float) -> str:
    """A board as a game in GGF whose time is `seconds` for each move of a side."""
    total = int(seconds * size * size / 2)
    discs = "".join(DISCS[stone] for stone in board)
    when = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S GMT")
    return (f"(;GM[Othello]PC[tengen]DT[{when}]PB[black]PW[white]RE[?]TI[{total // 60}:{total % 60:02}]TY[{size}]"
            f"BO[{size} {discs} {DISCS[to_move]}];)")  # fmt: skip


def thought_of(said: List[str], size: int) -> Dict[str, Any]:
    """A thought in the form of last_thought() from the lines of a search; the last line with a figure counts.

    >>> thought_of(["search F5d6C3 +1.50 0 12", "nodestats 900 0.1", "=== F5/1.50/0.1"], 8)["value"]
    1.5
    """
    thought: Dict[str, Any] = {"source": said[-1], "messages": said}
    for line in said:
        search, nodes = SEARCH.match(line), NODES.match(line)
        if nodes:
            thought["nodes"] = int(nodes.group(1))
        if search:
            thought["depth"] = int(search.group(3))
            cells = [
                (int(digits) - 1, ord(letter.lower()) - ord("a")) for letter, digits in CELL.findall(search.group(1))
            ]
            thought["pv"] = [[row, col] for row, col in cells if 0 <= row < size and col < size]
            with suppress(ValueError):
                thought["value"] = float(search.group(2)[:20])
    return thought


_manager: Optional[NboardManager] = None


def configure(depth: Any = USUAL_DEPTH, **options: Any) -> None:
    """Start the engine. `program`, `arguments`, `home`, `call_seconds`, `memory_mb`: see programs.py.

    depth: plies that the engine is told to search.

    Raises ValueError for a wrong option, and EngineFault for an engine that does not start.
    """
    global _manager
    command, home = command_of(options), str(options.pop("home", ""))
    options.pop("reads", None)
    options.pop("memory_mb", None)
    seconds = number(options, "call_seconds", 1.0, MOST_SECONDS)
    plies = int(number({"depth": depth}, "depth", USUAL_DEPTH, MOST_DEPTH))
    if options:
        raise TypeError(f"configure() got an unexpected keyword argument '{sorted(options)[0]}'")
    _manager = NboardManager(Program(command, home), max(1, plies), seconds)
    _manager.start()


def my_controller(observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
    """The platform's entry point."""
    assert _manager is not None
    return _manager.answer(observation, action_space)


def last_thought() -> Optional[Dict[str, Any]]:
    """What the engine has said before its last move: figures, line, source (its last line) and messages."""
    return _manager.thought if _manager is not None else None
