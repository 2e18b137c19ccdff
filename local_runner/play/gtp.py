"""Our engine for Reversi as a GTP engine, version 2 of the protocol.

A command is `[id] name arguments`; the answer is `=[id] text` or `?[id] reason`, then an empty line. Cells are named as
in Othello: a letter for the column, i included, and the number of the row from the top. The commands of analysis send
lines in the form of Leela Zero, or of KataGo, until the next line arrives.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib import metadata
from pathlib import Path
from string import digits
from threading import Event
from time import perf_counter
from typing import Any

from env_adapter import Cell, SgfGame
from local_runner.errors import RunnerError
from local_runner.formats import from_session, kinds, reading, writing
from local_runner.game import coordinates
from local_runner.game.coordinates import LETTERS
from local_runner.game.coordinates import cell as cell_named
from local_runner.game.session import GameSession
from local_runner.play.engine_side import Clock, EngineSide, Line, Refused, share_of_time
from local_runner.processes.agent_side.engine_worker import EngineWorker
from local_runner.processes.engine.engine_info import Chances

USUAL, SMALLEST, LARGEST = 8, 4, 26  # cells on a side, which is even
COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
GAMES = {"othello", "reversi"}  # names of our game for set_game
PASS = "pass"
REFUSALS = {"play": "illegal move", "genmove": "illegal move", "loadsgf": "cannot load file"}  # if refused
LINES, MOST_LINES = 5, 60  # number of moves in an analysis: if the manager gives none, and at most
EVERY = 1.0  # seconds between two lines of an analysis, if the manager does not say
NUMBERS = {"interval", "minmoves", "maxmoves"}  # keys of an analysis that have a number
FLAGS = {"ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev", "pvVisits", "pvEdgeVisits",
         "rootInfo"}  # keys of KataGo's that have true or false; they have no effect  # fmt: skip
MOST_SECONDS = 10**7  # longest time of the manager; longer times are clamped
COMMAND = re.compile(r"(?:(\d{1,18})\s+)?(\S+)\s*(.*)", re.DOTALL)
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")  # the tab is a space

Words = list[str]


class Engine(EngineSide):
    """The state of a game, and the answers to the manager's commands.

    The referee keeps the position and judges the moves.
    """

    family = "reversi"

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._session = GameSession(kinds.setup_of(SgfGame.OTHELLO, USUAL))
        self._plies: list[int] = []  # for each move that `undo` can take back, the number of plies before the move
        self._clocks: tuple[Clock, Clock] | None = None
        self._settings: tuple[float, float, int] | None = None
        self._number = ""  # the id of the command
        self._commands: dict[str, Callable[[Words, Line], str | Iterator[str]]] = {
            "protocol_version": lambda words, line: "2",
            "name": lambda words, line: "tengen",
            "version": lambda words, line: metadata.version("tengen"),
            "known_command": lambda words, line: str(bool(words) and words[0] in self._commands).lower(),
            "list_commands": lambda words, line: "\n".join(sorted(self._commands)),
            "list_games": lambda words, line: "Othello",
            "clear_board": lambda words, line: self._boardsize([str(self._size)], line),
            "genmove": lambda words, line: self._moved(_colour(words), self._found(_colour(words), line), line),
            "reg_genmove": lambda words, line: self._named(self._found(_colour(words), line)),
            "quit": self._quit, "boardsize": self._boardsize, "komi": self._komi, "play": self._play,
            "undo": self._undo, "set_game": self._set_game, "time_settings": self._time_settings,
            "time_left": self._time_left, "loadsgf": self._loadsgf, "printsgf": self._printsgf,
            "final_score": self._final_score, "showboard": self._showboard,
            **{head + name: partial(self._analyze, kata=head == "kata-", plays=name != "analyze")
               for head in ("", "lz-", "kata-") for name in ("analyze", "genmove_analyze")},
        }  # fmt: skip

    def interrupts(self, text: str | None) -> bool:
        """Every line, and the end of the input, ends an analysis; nothing ends the search for a move."""
        return True

    def obey(self, line: Line) -> Iterator[str]:
        match = COMMAND.fullmatch(CONTROL.sub("", line.text.replace("\t", " ").partition("#")[0]).strip())
        if match is None:
            return
        self._number, word, words = match[1] or "", match[2], match[3].split()
        if word not in self._commands:
            raise Refused("unknown command")
        try:
            answer = self._commands[word](words, line)
            if isinstance(answer, str):
                yield f"={self._number} {answer}"
            else:
                yield f"={self._number}"
                yield from answer
        except RunnerError:
            raise Refused(REFUSALS.get(word, "internal error")) from None
        yield ""

    def refusal(self, why: str) -> Iterator[str]:
        yield f"?{self._number} {why}"
        yield ""

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
        if words[1:] not in ([], words[:1]) or size % 2 or not SMALLEST <= size <= LARGEST:
            raise Refused("unacceptable size")
        self._set(GameSession(kinds.setup_of(SgfGame.OTHELLO, size)))
        self.engine_for(self._size).new_game()
        return self._begun()

    def _set(self, session: GameSession) -> None:
        self._session, self._plies = session, []
        self.engine_for(self._size)  # made now, while no time counts

    def _begun(self) -> str:
        if self._settings is not None:
            self._clocks = (Clock(*self._settings), Clock(*self._settings))
        return ""

    def _komi(self, words: Words, line: Line) -> str:
        """Accept the command komi, since managers send it in every game; Reversi has no komi."""
        _number(words, least=-MOST_SECONDS)
        return ""

    def _play(self, words: Words, line: Line) -> str:
        if len(words) != 2:
            raise Refused("syntax error")
        self._make(_colour(words), _cell(words[1]))
        return ""

    def _make(self, player: int, cell: Cell | None) -> None:
        """Make a move (None: a pass) of 0 Black or 1 White. If it is the other side's turn, that side first passes.

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

    def _printsgf(self, words: Words, line: Line) -> str:
        lines = writing.write(from_session(self._session), "sgf").decode().split("\n")
        text = "\n".join(filter(None, lines))  # an empty line would end the answer
        if not words or words == ["-"]:
            return text
        try:
            Path(" ".join(words)).write_text(text + "\n", encoding="utf-8")
        except OSError:
            raise Refused("cannot save file") from None
        return ""

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
        return self._session.env.board_height

    def _stones(self) -> bytes:
        return bytes(stone for row in self._session.env.stones() for stone in row)

    def _is_over(self) -> bool:
        return self._session.result is not None or not (self._can_move(0) or self._can_move(1))

    def _can_move(self, player: int) -> bool:
        session = self._session
        if session.result is not None or player == session.to_move:
            return session.env.can_move()
        ahead = GameSession(session.setup, cells=[*session.cells, None])
        return ahead.result is None and ahead.env.can_move()

    # ---- moves

    def _named(self, cell: int | None) -> str:
        """The name of a cell by its number, such as D3; PASS for None and -1."""
        return PASS if cell is None or cell < 0 else coordinates.name(divmod(cell, self._size)).upper()

    def _moved(self, player: int, move: int | None, line: Line) -> str:
        self._make(player, None if move is None else divmod(move, self._size))
        if move is not None and self._clocks is not None:
            self._clocks[player].spend(perf_counter() - line.arrived)
        return self._named(move)

    def _found(self, player: int, line: Line) -> int | None:
        if not self._can_move(player):
            return None
        thought = self.engine_for(self._size).find(self._stones(), player, self._seconds(player), started=line.arrived)
        return None if thought is None else int(thought.move)

    def _seconds(self, player: int) -> float:
        if self._clocks is None:
            return share_of_time(self.turn_seconds, None, 1)
        return self._clocks[player].share((self._stones().count(0) + 1) // 2)

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

    # ---- analyses

    def _analyze(self, words: Words, line: Line, *, kata: bool, plays: bool) -> Iterator[str]:
        player, every, lines = self._arguments(words, kata)
        return self._analysed(player, every, 1 if plays else lines, line, kata, plays)

    def _analysed(
        self, player: int, every: float, lines: int, line: Line, kata: bool, plays: bool
    ) -> Iterator[str]:  # fmt: skip
        """Lines with the best moves so far, until the next command arrives; or for a move's time, and then the move."""
        best: int | None = None
        if self._can_move(player):
            left = max(0.0, self._seconds(player) - (perf_counter() - line.arrived)) if plays else None
            stopped = Event() if plays else line.stopped
            for found in self.engine_for(self._size).analyse(self._stones(), player, lines, every, stopped, left):
                yield from self._told(found, player, kata)
            best = found.lines[0]["moves"][0] if plays else None
        if plays:
            yield f"play {self._moved(player, best, line)}"
        else:
            line.stopped.wait()

    def _arguments(self, words: Words, kata: bool) -> tuple[int, float, int]:
        """The side, the seconds between two lines, and the moves of `[COLOUR] [CENTISECONDS] [KEY VALUE]...`."""
        player, words = self._session.to_move, list(words)
        if words and words[0].lower() in COLOURS:
            player = _colour([words.pop(0)])
        if words and words[0][0] in digits:
            words.insert(0, "interval")
        given = dict(zip(words[::2], words[1::2], strict=False))
        flags = FLAGS if kata else set()
        if len(words) % 2 or any(key not in NUMBERS | flags for key in words[::2]):
            raise Refused("syntax error")
        if any(given[key] not in ("true", "false") for key in given.keys() & flags):
            raise Refused("syntax error")
        numbers = {key: _number([given[key]]) for key in given.keys() & NUMBERS}
        least, most = (int(numbers.get(key, or_else)) for key, or_else in (("minmoves", 0), ("maxmoves", MOST_LINES)))
        lines = max(1, min(max(LINES, least), most, MOST_LINES))
        return player, max(numbers.get("interval", 100 * EVERY), 1) / 100, lines

    def _told(self, found: EngineWorker, player: int, kata: bool) -> Iterator[str]:
        chances = replace(Chances.of(self._session), mover=player)  # of the engine's values for a side
        moves = []
        for order, each in enumerate(found.lines):
            chance = abs(player - chances.after(each))
            rate = f"{chance:.6f}" if kata else str(round(10_000 * chance))
            lead = "" if not kata or each["discs"] is None else f"scoreLead {each['discs'] * (1 - 2 * player)} "
            cells = " ".join(map(self._named, each["moves"]))
            moves.append(f"info move {cells.split()[0]} visits {max(found.nodes(), 1)} winrate {rate} {lead}prior 0 "
                         f"lcb {rate} order {order} pv {cells}")  # fmt: skip
        if moves:
            yield " ".join(moves)


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
