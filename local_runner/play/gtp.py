"""Our engine for Reversi as a GTP engine, version 2 of the protocol.

A command is `[id] name arguments`; the answer is `=[id] text` or `?[id] reason`, then an empty line. Cells are named as
in Othello: a letter for the column, i included, and the number of the row from the top. `analyze` and `lz-analyze` send
lines in the form of Leela Zero until the next line arrives.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from math import inf
from pathlib import Path
from time import perf_counter

from local_runner.errors import RunnerError
from local_runner.formats import reading
from local_runner.game.coordinates import LETTERS
from local_runner.game.coordinates import cell as cell_named
from local_runner.game.records import Cell
from local_runner.play.console import Line
from local_runner.play.our_engine import Analysed, Found, OurEngine, share_of_time
from local_runner.play.reversi_game import ReversiGame, name

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
GAMES = {"othello", "reversi"}  # names of our game for set_game
PASS = "pass"
LINES = 5  # moves of an analysis
EVERY = 1.0  # seconds between two lines of an analysis, if the manager does not say
MOST_SECONDS = 10**7  # larger times of the manager count as this one
COMMAND = re.compile(r"(?:(\d{1,18})\s+)?(\S+)\s*(.*)", re.DOTALL)
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")  # the tab is a space

Words = list[str]


class Refused(Exception):
    """A command cannot be obeyed; the text follows `?`."""


@dataclass
class Clock:
    """The time of one side: `left` seconds, for the game if `stones` is 0, else for the next `stones` moves.

    `period`, `moves`: the period of each group of moves after the game's time, in seconds; 0 for none.
    """

    left: float
    period: float
    moves: int
    stones: int = 0

    def share(self, to_go: int) -> float:
        """The seconds for the next move; `to_go`: own moves that are left.

        >>> round(Clock(600, 0, 0).share(30), 1), Clock(0, 20, 5).share(30)
        (20.0, 3.8)
        """
        if self.stones:
            return share_of_time(self.left / self.stones, None, to_go)
        periods = share_of_time(self.period / self.moves, None, to_go) if self.moves else 0.0
        return max(periods, share_of_time(inf, self.left, to_go))

    def spend(self, seconds: float) -> None:
        """Take the seconds of a move from the time."""
        self.left -= seconds
        if self.stones > 1:
            self.stones -= 1
        elif self.moves and (self.stones or self.left <= 0):
            self.left, self.stones = self.period, self.moves


class Engine:
    """The state of a game and the answers to the manager's commands. The engine raises nothing.

    turn_seconds: time for a move if the manager gives none
    """

    def __init__(self, make_engine: Callable[..., OurEngine] = OurEngine, turn_seconds: float = 5.0) -> None:
        self.ended = False
        self._game = ReversiGame(make_engine)
        self._turn = turn_seconds
        self._clocks: tuple[Clock, Clock] | None = None
        self._settings: tuple[float, float, int] | None = None
        self._commands: dict[str, Callable[[Words, Line], str]] = {
            "protocol_version": lambda words, line: "2",
            "name": lambda words, line: "tengen",
            "version": lambda words, line: metadata.version("tengen"),
            "known_command": lambda words, line: str(bool(words) and words[0] in self._names()).lower(),
            "list_commands": lambda words, line: "\n".join(self._names()),
            "quit": self._quit, "boardsize": self._boardsize, "clear_board": self._clear_board, "komi": self._komi,
            "play": self._play, "genmove": self._genmove, "reg_genmove": self._reg_genmove, "undo": self._undo,
            "time_settings": self._time_settings, "time_left": self._time_left, "loadsgf": self._loadsgf,
            "final_score": self._final_score, "showboard": self._showboard, "list_games": lambda words, line: "Othello",
            "set_game": self._set_game,
        }  # fmt: skip
        self._analyses = ("analyze", "lz-analyze")

    def interrupts(self, text: str | None) -> bool:
        """Every line, and the end of the input, ends an analysis."""
        return True

    def stop(self) -> None:
        """An analysis looks at `Line.stopped`; nothing ends the search for a move."""

    def answer(self, line: Line) -> Iterator[str]:
        """The lines that answer a line."""
        match = COMMAND.fullmatch(CONTROL.sub("", line.text.replace("\t", " ").partition("#")[0]).strip())
        if match is None:
            return
        number, word, words = match[1] or "", match[2], match[3].split()
        try:
            if word in self._analyses:
                yield f"={number}"
                yield from self._analyse(words, line)
            elif word in self._commands:
                yield f"={number} {self._commands[word](words, line)}"
            else:
                raise Refused("unknown command")
        except Refused as refused:
            yield f"?{number} {refused}"
        except Exception as error:  # a manager can read one line, and no traceback
            yield f"?{number} internal error: {type(error).__name__}"
        yield ""

    def _names(self) -> list[str]:
        return sorted([*self._commands, *self._analyses])

    # ---- the game

    def _quit(self, words: Words, line: Line) -> str:
        self.ended = True
        return ""

    def _set_game(self, words: Words, line: Line) -> str:
        if " ".join(words).lower() not in GAMES:
            raise Refused("unsupported game")
        return ""

    def _boardsize(self, words: Words, line: Line) -> str:
        try:
            self._game.new(int(_number(words)))
        except RunnerError:
            raise Refused("unacceptable size") from None
        return self._begun()

    def _clear_board(self, words: Words, line: Line) -> str:
        self._game.new()
        return self._begun()

    def _begun(self) -> str:
        if self._settings is not None:
            self._clocks = (Clock(*self._settings), Clock(*self._settings))
        return ""

    def _komi(self, words: Words, line: Line) -> str:
        """Accepted, since managers send it in every game; Reversi has no komi."""
        _number(words, least=-MOST_SECONDS)
        return ""

    def _play(self, words: Words, line: Line) -> str:
        if len(words) != 2:
            raise Refused("syntax error")
        self._make(_colour(words), _cell(words[1]))
        return ""

    def _make(self, player: int, cell: Cell | None) -> None:
        try:
            self._game.play(player, cell)
        except RunnerError:
            raise Refused("illegal move") from None

    def _undo(self, words: Words, line: Line) -> str:
        try:
            self._game.undo()
        except RunnerError:
            raise Refused("cannot undo") from None
        return ""

    def _loadsgf(self, words: Words, line: Line) -> str:
        if not words:
            raise Refused("syntax error")
        *path, last = words
        plies = max(0, int(last[:9]) - 1) if path and last.isascii() and last.isdigit() else None
        try:
            file = reading.read_path(Path(" ".join(words if plies is None else path)))
            self._game.load(file.game(0), plies)
        except RunnerError:
            raise Refused("cannot load file") from None
        return self._begun()

    def _final_score(self, words: Words, line: Line) -> str:
        if not self._game.is_over:
            raise Refused("cannot score")
        lead = self._game.lead
        return f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "0"

    def _showboard(self, words: Words, line: Line) -> str:
        head = "   " + " ".join(LETTERS[: self._game.size])
        rows = [f"{number:>2} {' '.join('.XO'[stone] for stone in row)} {number}"
                for number, row in enumerate(self._game.session.env.stones(), 1)]  # fmt: skip
        side = "over" if self._game.is_over else f"{('Black (X)', 'White (O)')[self._game.session.to_move]} to move"
        return "\n".join(["", head, *rows, head, side])

    # ---- moves

    def _genmove(self, words: Words, line: Line) -> str:
        player = _colour(words)
        found = self._found(player, line)
        if found is None:
            self._make(player, None)
            return PASS
        self._make(player, divmod(found.move, self._game.size))
        if self._clocks is not None:
            self._clocks[player].spend(perf_counter() - line.arrived)
        return name(found.move, self._game.size)

    def _reg_genmove(self, words: Words, line: Line) -> str:
        found = self._found(_colour(words), line)
        return PASS if found is None else name(found.move, self._game.size)

    def _found(self, player: int, line: Line) -> Found | None:
        if not self._game.can_move(player):
            return None
        seconds = share_of_time(self._turn, None, 1)
        if self._clocks is not None:
            seconds = self._clocks[player].share((self._game.free + 1) // 2)
        own = Line(line.text, line.arrived)  # no later line ends the search for a move
        return self._game.move(player, seconds, own)

    def _time_settings(self, words: Words, line: Line) -> str:
        if len(words) != 3:
            raise Refused("syntax error")
        main, period = _number(words), _number(words[1:])
        moves = int(_number(words[2:]))
        self._clocks = self._settings = None
        if not (period and not moves):  # a period without moves means no limit
            self._settings = main, period if moves else 0.0, moves
        return self._begun()

    def _time_left(self, words: Words, line: Line) -> str:
        if len(words) != 3:
            raise Refused("syntax error")
        player, left, stones = _colour(words), _number(words[1:]), int(_number(words[2:]))
        if self._clocks is None:
            self._settings = self._settings or (left, 0.0, 0)
            self._begun()
        assert self._clocks is not None
        self._clocks[player].left, self._clocks[player].stones = left, stones
        return ""

    def _analyse(self, words: Words, line: Line) -> Iterator[str]:
        """Lines of an analysis until the next line arrives; the arguments are [colour] [centiseconds]."""
        player = COLOURS.get(words[0].lower() if words else "", self._game.session.to_move)
        numbers = [int(word[:9]) for word in words if word.isascii() and word.isdigit()]
        every = max(numbers[0], 1) / 100 if numbers else EVERY
        if self._game.can_move(player):
            results = self._game.analyse(player, LINES, line, every=every)
            yield from (self._told(found, player) for found in results if found.lines)
        line.stopped.wait()

    def _told(self, found: Analysed, player: int) -> str:
        chances = self._game.chances(player)
        moves = []
        for order, each in enumerate(found.lines):
            black = chances.after(each)
            rate = round(10_000 * (1 - black if player else black))
            cells = [PASS if cell < 0 else name(cell, self._game.size) for cell in each["moves"]]
            moves.append(f"info move {cells[0]} visits {max(found.nodes, 1)} winrate {rate} prior 0 lcb {rate} "
                         f"order {order} pv {' '.join(cells)}")  # fmt: skip
        return " ".join(moves)


def _colour(words: Words) -> int:
    if not words or words[0].lower() not in COLOURS:
        raise Refused("syntax error")
    return COLOURS[words[0].lower()]


def _cell(word: str) -> Cell | None:
    if word.lower() == PASS:
        return None
    if (cell := cell_named(word)) is None:
        raise Refused("syntax error")
    return cell


def _number(words: Words, least: float = 0.0) -> float:
    try:
        number = float(words[0])
    except (ValueError, IndexError):
        raise Refused("syntax error") from None
    if not number >= least:
        raise Refused("syntax error")
    return min(number, float(MOST_SECONDS))
