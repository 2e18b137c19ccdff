"""Our engine as a brain of the Gomocup: the protocol of Piskvork, with YXSTOP, max_node and max_depth as in Yixin.

Cells are `x,y` from 0, x the column and y the row, from the top left. After lines that start with MESSAGE, the answer
is OK, a cell or `name=...` if the command is done, ERROR if it cannot be obeyed, and UNKNOWN if there is no such
command. INFO has no answer, so a rule or a memory limit that cannot be kept is answered with ERROR by the next command
that begins a game or asks for a move.
"""

import re
from collections.abc import Iterator
from importlib import metadata
from time import perf_counter
from typing import Any

from local_runner.play.engine_side import EngineSide, Line, OurEngine, Refused, share_of_time

OWN, OPPONENT = 1, 2  # a stone in the lines of BOARD
SMALLEST, LARGEST = 5, 26  # cells in a row of the board
NO_LIMIT = 2**31 - 1  # time_left of a game without a limit, in milliseconds
MOST_NUMBER = 10**15  # largest number of INFO; larger numbers are clamped
IN_A_ROW = 5
MOVES_TO_GO, LEAST_TO_GO = 40, 12  # moves among which the time of a game is shared
STOPS = {"YXSTOP", "STOP", "END"}  # commands that end a search
NOT_IN_BOARD = re.compile(r"[A-Za-z]")  # the beginning of a command; lines of BOARD begin with a number
CELL = re.compile(r"(\d{1,3})\s*,\s*(\d{1,3})")
STONE = re.compile(r"(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*([0-9])")
NUMBER = re.compile(r"-?\d+")

Answers = Iterator[str]


class Brain(EngineSide):
    """The state of a game, and the answers to the manager's commands."""

    family, in_a_row = "k_in_a_row", IN_A_ROW

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._stones: dict[int, int] = {}  # cell -> OWN or OPPONENT, in the order of the moves
        self._moves = 0  # own moves of this game
        self._block: tuple[str, list[str]] | None = None  # BOARD, YXBOARD or SWAP2BOARD, and its lines so far
        self._left: float | None = None  # seconds left for the game, None for no limit
        self._settings = {"timeout_turn": round(1000 * self.turn_seconds), "timeout_match": 0, "time_left": NO_LIMIT,
                          "max_memory": 0, "max_node": 0, "max_depth": 0, "rule": 0}  # fmt: skip

    def interrupts(self, text: str | None) -> bool:
        return text is None or text.upper() in STOPS

    def refusal(self, why: str) -> Answers:
        yield f"ERROR {why}"

    def obey(self, line: Line) -> Answers:
        if not line.text:
            return
        if self._block is not None and not NOT_IN_BOARD.match(line.text):
            if len(self._block[1]) <= LARGEST * LARGEST:
                self._block[1].append(line.text)
            return
        block, self._block = self._block or ("", []), None
        word, _space, rest = line.text.partition(" ")
        word, rest = word.upper(), rest.strip()
        match word:
            case "START":
                yield from self._start(rest)
            case "RESTART":
                yield from self._restart()
            case "RECTSTART":
                raise Refused("rectangular board is not supported")
            case "ABOUT":
                yield f'name="tengen", version="{metadata.version("tengen")}", author="tengen", country="China"'
            case "INFO":
                yield from self._info(rest)
            case "BEGIN":
                self._ready()
                if self._stones:
                    raise Refused("BEGIN needs an empty board; send RESTART first")
                yield from self._move(line, {})
            case "TURN" | "TAKEBACK":
                self._ready()
                cell = self._cell(CELL.fullmatch(rest), word)
                if (cell in self._stones) is (word == "TURN"):
                    raise Refused(f"there is {'a' if word == 'TURN' else 'no'} stone on {self._named(cell)}")
                if word == "TURN":
                    yield from self._move(line, {**self._stones, cell: OPPONENT})
                else:
                    del self._stones[cell]
                    yield "OK"
            case "BOARD" | "YXBOARD" | "SWAP2BOARD":  # commands with lines behind them, up to DONE
                self._block = (word, [])
            case "DONE" if block[0] == "BOARD":
                yield from self._move(line, self._board(block[1]))
            case "DONE" if block[0] == "YXBOARD":  # unlike BOARD, YXBOARD asks for no move
                self._stones = self._board(block[1])
            case "YXSTOP" | "STOP" | "END":
                self.ended = word == "END"
            case _:
                yield f"UNKNOWN {_short(block[0] if word == 'DONE' and block[0] else word)}"

    def _start(self, rest: str) -> Answers:
        sizes = {_number(word) or 0 for word in rest.split()} or {0}
        if not SMALLEST <= (size := sizes.pop()) <= LARGEST or sizes:
            raise Refused(f"START takes the size of the board, {SMALLEST} to {LARGEST}")
        self._check_rule()
        self.engine_for(size, self._settings["max_memory"])
        yield from self._restart()

    def _restart(self) -> Answers:
        self._ready().new_game()
        match = self._settings["timeout_match"]
        self._stones, self._moves, self._left = {}, 0, match / 1000 if 0 < match < NO_LIMIT else None
        yield "OK"

    def _board(self, lines: list[str]) -> dict[int, int]:
        self._ready()
        stones: dict[int, int] = {}
        for line in lines:
            match = STONE.fullmatch(line)
            cell = self._cell(match, "BOARD")
            if match is None or match[3] not in "12" or cell in stones:
                raise Refused(f"cannot read the line {_short(line)!r} of BOARD")
            stones[cell] = int(match[3])
        return stones

    def _move(self, line: Line, stones: dict[int, int]) -> Answers:
        engine, given = self._ready(), self._settings
        if engine.too_small:
            raise Refused(f"max_memory {given['max_memory']} is too small for this brain")
        board, side = self._position(stones)
        turn, to_go = given["timeout_turn"] / 1000, max(LEAST_TO_GO, MOVES_TO_GO - self._moves)
        nodes, depth = (given[key] if given[key] > 0 else None for key in ("max_node", "max_depth"))
        said: list[Any] = []
        seconds = share_of_time(turn, self._left, to_go)
        thought = engine.find(
            board, side, seconds, nodes, depth, found=said.append, started=line.arrived, stopped=line.stopped
        )
        if thought is None:
            raise Refused("the game is over")
        last = thought if thought.depth or not said else said[-1]
        yield (f"MESSAGE depth {last.depth} value {last.value} nodes {last.nodes} time {1000 * last.seconds:.0f} "
               f"line {' '.join(map(self._named, last.pv))}")  # fmt: skip
        self._stones = {**stones, thought.move: OWN}
        self._moves += 1
        if self._left is not None:
            self._left = max(0.0, self._left - (perf_counter() - line.arrived))
        yield self._named(thought.move)

    # ---- settings

    def _info(self, rest: str) -> Answers:
        key, _space, value = rest.lower().partition(" ")
        number = _number(value.strip())
        if key == "evaluate":
            if self.engine is not None and (cell := self._cell(CELL.fullmatch(value.strip()), key)) not in self._stones:
                board, side = self._position(self._stones)
                yield f"MESSAGE evaluate {self._named(cell)} value {self.engine.value_after(board, side, cell)}"
        elif key in self._settings and number is not None:
            self._settings[key] = number if key == "rule" else max(0, number)
            if key == "time_left" or (key == "timeout_match" and number > 0):
                self._left = max(0, number) / 1000 if number < NO_LIMIT else None
            elif key == "timeout_match":
                self._left = None
            elif key == "max_memory" and self.engine is not None:
                self.engine.limit_memory(self._settings[key])

    # ---- helpers

    def _ready(self) -> OurEngine:
        """The engine. Raises Refused before START, and for a rule other than freestyle."""
        if self.engine is None:
            raise Refused("there is no game yet; send START first")
        self._check_rule()
        return self.engine

    def _check_rule(self) -> None:
        if rule := self._settings["rule"]:  # 0 five or more; 1 exactly five, 2 goes on after a five, 4 Renju, 8 Caro
            raise Refused(f"rule {rule} is not supported; this brain plays freestyle, rule 0")

    def _position(self, stones: dict[int, int]) -> tuple[bytes, int]:
        """The board and the side to move, as submission/engine.py takes them. Black is the side that began."""
        own, other = (list(stones.values()).count(who) for who in (OWN, OPPONENT))
        side = 0 if own >= other else 1
        board = bytearray(self.size**2)
        for cell, who in stones.items():
            board[cell] = 1 + (side if who == OWN else 1 - side)
        return bytes(board), side

    def _cell(self, match: "re.Match[str] | None", command: str) -> int:
        x, y = (int(match[1]), int(match[2])) if match else (self.size, self.size)
        if x >= self.size or y >= self.size:
            raise Refused(f"{command} takes X,Y on the board, from 0,0 to {self.size - 1},{self.size - 1}")
        return y * self.size + x

    def _named(self, cell: int) -> str:
        return f"{cell % self.size},{cell // self.size}"


def _number(text: str) -> int | None:
    """A whole number, at most MOST_NUMBER; None for any other text."""
    if not NUMBER.fullmatch(text):
        return None
    return max(-MOST_NUMBER, min(int(text[:20]), MOST_NUMBER))


def _short(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text[:40])
