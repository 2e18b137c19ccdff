"""Our engine for Reversi as a GTP engine, version 2 of the protocol.

A command is `[id] name arguments`; the answer is `=[id] text` or `?[id] reason`, then an empty line. Cells are named as
in Othello: a letter for the column, i included, and the number of the row from the top. `analyze` and `lz-analyze` send
lines in the form of Leela Zero until the next line arrives.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import metadata
from math import inf
from pathlib import Path
from time import perf_counter

from env_adapter import Cell, SgfGame
from local_runner.errors import RunnerError
from local_runner.formats import kinds, reading
from local_runner.game import coordinates
from local_runner.game.coordinates import LETTERS
from local_runner.game.coordinates import cell as cell_named
from local_runner.game.session import GameSession
from local_runner.play.console import Line, Refused
from local_runner.play.our_engine import Analysed, Found, OurEngine, share_of_time
from local_runner.processes.engine.engine_info import Chances

USUAL, SMALLEST, LARGEST = 8, 4, 26  # cells on a side, which is even
COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
GAMES = {"othello", "reversi"}  # names of our game for set_game
PASS = "pass"
REFUSALS = {"play": "illegal move", "genmove": "illegal move", "loadsgf": "cannot load file"}  # by the referee
LINES = 5  # moves of an analysis
EVERY = 1.0  # seconds between two lines of an analysis, if the manager does not say
MOST_SECONDS = 10**7  # longest time of the manager; longer times are clamped
COMMAND = re.compile(r"(?:(\d{1,18})\s+)?(\S+)\s*(.*)", re.DOTALL)
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")  # the tab is a space

Words = list[str]


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

    The referee keeps the position and judges the moves.

    turn_seconds: time for a move if the manager gives none
    """

    def __init__(self, make_engine: Callable[..., OurEngine] = OurEngine, turn_seconds: float = 5.0) -> None:
        self.ended = False
        self._make_engine = make_engine
        self._engine: OurEngine | None = None
        self._engine_size = 0
        self._session = GameSession(kinds.setup_of(SgfGame.OTHELLO, USUAL))
        self._plies: list[int] = []  # for each move that `undo` can take back, the number of plies before the move
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
        except RunnerError:
            yield f"?{number} {REFUSALS.get(word, 'internal error')}"
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
        size = int(_number(words))
        if size % 2 or not SMALLEST <= size <= LARGEST:
            raise Refused("unacceptable size")
        self._set(GameSession(kinds.setup_of(SgfGame.OTHELLO, size)))
        self._ready().new_game()
        return self._begun()

    def _clear_board(self, words: Words, line: Line) -> str:
        return self._boardsize([str(self._size)], line)

    def _set(self, session: GameSession) -> None:
        self._session, self._plies = session, []
        self._ready()  # before a clock runs

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
        """Make a move, None for a pass, of 0 Black or 1 White. The other side passes before, if it is its turn.

        Raises RunnerError, and changes nothing, if the referee refuses the move.
        """
        session, before = self._session, len(self._session.cells)
        try:
            if player != session.to_move and session.result is None:
                session.ply(None)
            if session.result is None or cell is not None:  # a pass after the end changes nothing
                session.play(cell)
        except RunnerError:
            if len(session.cells) > before:
                session.undo(len(session.cells) - before)
            raise
        self._plies.append(before)

    def _undo(self, words: Words, line: Line) -> str:
        """Take back the last move, and the pass before it that was left out."""
        if not self._plies:
            raise Refused("cannot undo")
        if plies := len(self._session.cells) - self._plies.pop():
            self._session.undo(plies)
        return ""

    def _loadsgf(self, words: Words, line: Line) -> str:
        if not words:
            raise Refused("syntax error")
        *path, last = words
        plies = max(0, int(last[:9]) - 1) if path and last.isascii() and last.isdigit() else None
        game = reading.read_path(Path(" ".join(words if plies is None else path))).game(0)
        if game.damage or not game.setup.kind.rules.turns_discs:
            raise Refused("cannot load file")
        self._set(GameSession(replace(game.setup, opening=()), cells=game.cells[:plies]))
        self._plies = list(range(len(self._session.cells)))
        return self._begun()

    def _final_score(self, words: Words, line: Line) -> str:
        if not self._is_over():
            raise Refused("cannot score")
        lead = self._stones().count(1) - self._stones().count(2)  # of Black
        return f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "0"

    def _showboard(self, words: Words, line: Line) -> str:
        head = "   " + " ".join(LETTERS[: self._size])
        rows = [f"{number:>2} {' '.join('.XO'[stone] for stone in row)} {number}"
                for number, row in enumerate(self._session.env.stones(), 1)]  # fmt: skip
        side = "over" if self._is_over() else f"{('Black (X)', 'White (O)')[self._session.to_move]} to move"
        return "\n".join(["", head, *rows, head, side])

    @property
    def _size(self) -> int:
        """Cells on a side of the board."""
        return self._session.env.board_height

    def _stones(self) -> bytes:
        """The board, row by row: 0 free, 1 Black, 2 White."""
        return bytes(stone for row in self._session.env.stones() for stone in row)

    def _is_over(self) -> bool:
        """Whether neither side can move."""
        return self._session.result is not None or not (self._can_move(0) or self._can_move(1))

    def _can_move(self, player: int) -> bool:
        """Whether a side, if it is to move, has a legal move."""
        session = self._session
        if session.result is not None or player == session.to_move:
            return session.env.can_move()
        ahead = GameSession(session.setup, cells=[*session.cells, None])
        return ahead.result is None and ahead.env.can_move()

    def _ready(self) -> OurEngine:
        """Our engine for this size of board."""
        if self._engine is None or self._engine_size != self._size:
            self._engine = None  # frees the memory of the engine before
            self._engine = self._make_engine("reversi", self._size, self._size, None)
            self._engine_size = self._size
        return self._engine

    # ---- moves

    def _genmove(self, words: Words, line: Line) -> str:
        player = _colour(words)
        found = self._found(player, line)
        if found is None:
            self._make(player, None)
            return PASS
        self._make(player, divmod(found.move, self._size))
        if self._clocks is not None:
            self._clocks[player].spend(perf_counter() - line.arrived)
        return _name(found.move, self._size)

    def _reg_genmove(self, words: Words, line: Line) -> str:
        found = self._found(_colour(words), line)
        return PASS if found is None else _name(found.move, self._size)

    def _found(self, player: int, line: Line) -> Found | None:
        if not self._can_move(player):
            return None
        seconds = share_of_time(self._turn, None, 1)
        if self._clocks is not None:
            seconds = self._clocks[player].share((self._stones().count(0) + 1) // 2)
        own = Line(line.text, line.arrived)  # no later line ends the search for a move
        return self._ready().find(self._stones(), player, seconds, line=own)

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
        player = COLOURS.get(words[0].lower() if words else "", self._session.to_move)
        numbers = [int(word[:9]) for word in words if word.isascii() and word.isdigit()]
        every = max(numbers[0], 1) / 100 if numbers else EVERY
        if self._can_move(player):
            results = self._ready().analyse(self._stones(), player, LINES, line, every)
            yield from (self._told(found, player) for found in results if found.lines)
        line.stopped.wait()

    def _told(self, found: Analysed, player: int) -> str:
        chances = replace(Chances.of(self._session), mover=player)  # of the engine's values for a side
        moves = []
        for order, each in enumerate(found.lines):
            black = chances.after(each)
            rate = round(10_000 * (1 - black if player else black))
            cells = [PASS if cell < 0 else _name(cell, self._size) for cell in each["moves"]]
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


def _name(cell: int, size: int) -> str:
    """The name of a cell by its number, such as D3."""
    return coordinates.name(divmod(cell, size)).upper()
