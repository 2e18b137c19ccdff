"""Our engine for Reversi as an engine of NBoard, version 2 of the protocol.

NBoard sends a command a line. Only some commands have an answer, and none has an error; a command that cannot be obeyed
is answered with a `status` line, and unknown commands are ignored. Values are discs, for the side to move. `ping` ends
every search; the engine never plays its own move, but waits for `move`.
"""

from collections.abc import Callable, Iterator
from math import isfinite, nan
from time import perf_counter

from local_runner.errors import RunnerError
from local_runner.formats.known import ggf
from local_runner.formats.source import Source
from local_runner.game.coordinates import cell as cell_named
from local_runner.game.move_text import is_pass
from local_runner.game.session import GameSession
from local_runner.protocols.console import Line
from local_runner.protocols.our_engine import Analysed, OurEngine, discs_of, share_of_time
from local_runner.protocols.reversi_game import ReversiGame, name

PASS = "PA"
MOST_DEPTH = 99  # plies
MOST_HINTS = 26  # moves of a hint
EVERY = 0.5  # seconds between two interim results of a hint
ANALYSED_SHARE = 0.1  # time for each position of `analyze`, as a share of the time for a move
STOPS = ("ping", "quit")  # commands that end a search

Answers = Iterator[str]


class Engine:
    """The state of a game and the answers to NBoard's commands. The engine raises nothing.

    turn_seconds: most time for a move or a hint
    """

    def __init__(self, make_engine: Callable[..., OurEngine] = OurEngine, turn_seconds: float = 5.0) -> None:
        self.ended = False
        self._game = ReversiGame(make_engine)
        self._seconds = share_of_time(turn_seconds, None, 1)
        self._depth: int | None = None
        self._commands: dict[str, Callable[[str, Line], Answers]] = {
            "nboard": self._nboard, "set": self._set, "move": self._move, "hint": self._hint, "go": self._go,
            "ping": self._ping, "learn": self._learn, "analyze": self._analyze, "quit": self._quit,
        }  # fmt: skip

    def interrupts(self, text: str | None) -> bool:
        """Whether a line ends the search that is running; the end of the input (None) does not."""
        return text is not None and text.lower().startswith(STOPS)

    def stop(self) -> None:
        """A search looks at `Line.stopped`."""

    def answer(self, line: Line) -> Answers:
        """The lines that answer a line."""
        word, _space, rest = line.text.partition(" ")
        try:
            if word.lower() in self._commands:
                yield from self._commands[word.lower()](rest.strip(), line)
            elif cell_named(word) or word.lower() in ("pa", "pass"):  # version 1 sends a move alone
                yield from self._move(word, line)
        except RunnerError:
            yield f"status cannot obey {_short(line.text)}"
        except Exception as error:  # a user can read a line, and no traceback
            yield f"status internal error: {type(error).__name__}"

    # ---- the game

    def _nboard(self, rest: str, line: Line) -> Answers:
        self._game.new()
        yield "set myname tengen"

    def _quit(self, rest: str, line: Line) -> Answers:
        self.ended = True
        yield from ()

    def _set(self, rest: str, line: Line) -> Answers:
        what, _space, value = rest.partition(" ")
        if what.lower() == "game":
            self._game.load(ggf.read(Source("game", value.encode())).game(0))
        elif what.lower() == "depth":
            self._depth = max(1, min(int(_number(value)), MOST_DEPTH))
        elif what.lower() == "contempt":
            _number(value)  # no effect: our engine values a draw as 0 for both sides
        yield from ()

    def _move(self, rest: str, line: Line) -> Answers:
        said = rest.partition("/")[0].strip()
        cell = cell_named(said)
        if cell is None and not is_pass(said):
            raise RunnerError("no move")
        self._game.play(self._game.session.to_move, cell)
        yield from ()

    def _ping(self, rest: str, line: Line) -> Answers:
        yield f"pong {_short(rest)}".strip()

    def _learn(self, rest: str, line: Line) -> Answers:
        """Our engine does not learn; NBoard waits for this answer."""
        yield "learned"

    # ---- searches

    def _hint(self, rest: str, line: Line) -> Answers:
        lines = max(1, min(int(_number(rest)) if rest else 1, MOST_HINTS))
        yield "status Analysing"
        for found in self._found(lines, line):
            yield from self._told(found)
        yield "status"

    def _go(self, rest: str, line: Line) -> Answers:
        yield "status Thinking"
        best, last = PASS, None
        for last in self._found(1, line):
            yield from self._told(last)
        if last is not None and last.lines:
            best = self._name(last.lines[0]["moves"][0])
        yield f"=== {best}/{_value(last):.2f}/{last.seconds if last else 0.0:.2f}"
        yield "status"

    def _found(self, lines: int, line: Line) -> Iterator[Analysed]:
        """Results for the side to move; none if it has no move."""
        player = self._game.session.to_move
        if self._game.can_move(player):
            yield from self._game.analyse(
                player, lines, line, depth=self._depth, seconds=self._seconds, every=EVERY
            )  # fmt: skip
        elif not self._game.is_over:
            yield Analysed([{"moves": [-1], "value": 0, "depth": 0}], 0, 0.0)

    def _told(self, found: Analysed) -> Answers:
        for each in found.lines:
            line = "".join(map(self._name, each["moves"]))
            yield f"search {line} {discs_of(each['value']):.2f} 0 {each['depth']}"
        yield f"nodestats {found.nodes} {found.seconds:.2f}"

    def _analyze(self, rest: str, line: Line) -> Answers:
        """The value of every position of the game, the last one first."""
        game, session = self._game, self._game.session
        yield "status Analysing the game"
        try:
            for ply in range(len(session.cells), -1, -1):
                if line.stopped.is_set():
                    break
                game.session = GameSession(session.setup, cells=session.cells[:ply])
                yield f"analysis {ply} {self._value(line):.2f}"
        finally:
            game.session = session
        yield "status"

    def _value(self, line: Line) -> float:
        """The value of the position for the side to move, from a short search."""
        game, player = self._game, self._game.session.to_move
        if not game.can_move(player):
            return float(-game.lead if player else game.lead)
        own, seconds = Line(line.text, perf_counter(), line.stopped), ANALYSED_SHARE * self._seconds
        return _value(list(game.analyse(player, 1, own, depth=self._depth, seconds=seconds))[-1])

    def _name(self, cell: int) -> str:
        return PASS if cell < 0 else name(cell, self._game.size)


def _value(found: Analysed | None) -> float:
    return discs_of(found.lines[0]["value"]) if found is not None and found.lines else 0.0


def _number(text: str) -> float:
    """A finite number. Raises RunnerError for any other text."""
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise RunnerError("no number")
    return number


def _short(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text[:40])
