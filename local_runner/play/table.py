"""Plays one game of a human: asks for moves, executes commands, and keeps a game that is left unfinished in a file."""

import os
import shlex
import shutil
import tempfile
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from rich.console import Console

from env_adapter import Cell
from local_runner.agents.spec import AgentSpec
from local_runner.analysis.shown import move_name, opinion
from local_runner.errors import RunnerError, Unplayable
from local_runner.formats import from_session, writing
from local_runner.formats.reading import READERS
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.language.languages import Message, _
from local_runner.matches.display import fault_report
from local_runner.play import COLOURS
from local_runner.play.prompt import VERBS, Left, TypedCommand, Verb, agreed, ask, is_terminal, read_line
from local_runner.play.showing import TerminalView, result_line
from local_runner.processes.child import AgentLimits
from local_runner.processes.engine.engine_process import EngineProcess, Question
from local_runner.processes.engine.levels import EngineContestant, EngineLevel
from local_runner.processes.process import AgentProcess
from local_runner.system.files import write_new
from local_runner.terminal.drawing import STONES
from local_runner.terminal.output import ExitCode

HINT_SECONDS = 0.8  # time of the engine for a hint
ENDING = "json"  # the format if the human names none; JSON also stores rules, seed and start board
READABLE = tuple(f".{each.ending}" for each in READERS if each.ending)  # endings of files that can be read again
HUMAN = Message("you")  # the human's name as a player, also in saved games
AT_END = (Verb.UNDO, Verb.SAVE, Verb.MOVES, Verb.BOARD)  # the commands after a game


class After(Enum):
    """The human's choice of the next game. The value is the key to type."""

    SAME = "y"
    SWAPPED = "s"
    NOTHING = "n"


@dataclass(frozen=True)
class GameSeries:
    """The series of games that the command line asks for.

    `words`: the words that name `opponent` on a command line. `colour`: the human's, "black", "white" or "ask".
    `strict`: a line that is neither a legal move nor a command loses the turn (only in games with passes); otherwise
    the human is asked again. `again`: offer another game even if the input is no terminal. `cells`: the moves of a game
    to resume, the opening included; None for a new game.
    """

    opponent: AgentSpec | EngineLevel
    words: str
    setup: GameSetup
    limits: AgentLimits
    python: str
    colour: str = COLOURS[0]
    strict: bool = False
    again: bool = False
    cells: tuple[Cell | None, ...] | None = None


class HumanGame:
    """The next game of a series. `engine`: gives hints. `copy`: the file of the agent that is played."""

    def __init__(self, series: GameSeries, console: Console, engine: EngineProcess, copy: Path | None) -> None:
        self.series, self.console = series, console
        self.session = GameSession(series.setup, cells=series.cells)
        self.number = COLOURS.index(series.colour)  # the human's player, 0 Black or 1 White
        self.shown = TerminalView(self.session, self.number, console)
        self._engine, self._copy = engine, copy
        self._folder = Path(tempfile.mkdtemp(prefix="tengen-play-"))  # for the files with the agent's output
        self._opponent: AgentProcess | EngineContestant | None = None
        self._saved = tuple(self.session.cells)  # the moves in the last saved file; at first the moves to resume
        self.session.watch(self.shown)
        self._seat()

    def play(self, *, explained: bool) -> tuple[ExitCode, After]:
        """Play until the human leaves or chooses the next game; returns the game's exit code and the choice."""
        session, code = self.session, ExitCode.CLEAN
        try:
            if not explained:
                self.shown.explain()
            while True:
                session.start()
                while session.result is None:
                    if session.to_move == self.number:
                        self._move()
                    else:
                        session.step()
                self.shown.draw()
                result = session.result
                code = ExitCode.FAULT if result is not None and result.loser is not None else ExitCode.CLEAN
                if result is not None and code is ExitCode.FAULT:
                    self.console.print(fault_report(result, session.record().agents))
                else:
                    self.shown.say(result_line(session))
                if not (self.series.again or is_terminal(self.console)):
                    return code, After.NOTHING
                if (after := self._after()) is not None:
                    return code, after
        except Left as left:
            if session.result is None:
                self._leave(wanted=left.asked)
            return code, After.NOTHING
        except KeyboardInterrupt:
            if not self._keep() and session.result is None:
                self.shown.say("\n" + _("the game was interrupted"))
            raise
        except RunnerError:
            self._keep()
            raise
        finally:
            if self._opponent is not None:
                self._opponent.close()
            if code is ExitCode.CLEAN:
                shutil.rmtree(self._folder, ignore_errors=True)

    def _own_plies(self) -> list[int]:
        first, cells = len(self.session.setup.opening), self.session.cells
        return [ply for ply in range(first, len(cells)) if ply % 2 == self.number and cells[ply]]

    def _seat(self) -> None:
        """Start a new opponent: an agent's process remembers moves that were taken back; our engine does not."""
        series, session = self.series, self.session
        if isinstance(self._opponent, EngineContestant):
            return
        is_first = self._opponent is None
        if self._opponent is not None:
            self._opponent.close()
        opponent: AgentProcess | EngineContestant
        if isinstance(series.opponent, EngineLevel):
            opponent = EngineContestant(series.opponent, series.limits.sandbox, series.setup.seed)
            opponent.session = session
        else:
            opponent = AgentProcess(series.opponent, self._folder / "agent.txt", series.limits, seed=series.setup.seed,
                                    python=series.python, copy=self._copy)  # fmt: skip
        self._opponent = opponent
        session.seats = (opponent, HUMAN) if self.number else (HUMAN, opponent)
        if not is_first:
            opponent.start()

    # ---- the human's turn

    def _move(self) -> None:
        session = self.session
        if session.must_pass:
            self.shown.say(_("you have no move: you pass"))
            session.play(None)
            return
        self._show()
        prompt = _("{stone} your move: ").format(stone=STONES[self.number + 1])
        while True:
            typed = ask(self.console, prompt)
            if not typed.strip() and not self.series.strict:
                continue
            try:
                entered = read_line(typed, session)
            except Unplayable as error:
                if not self.series.strict:
                    self.shown.say(str(error))
                    continue
                self.shown.say(_("WARNING: {why}; your turn is lost").format(why=error))
                session.lose_turn()
                return
            if not isinstance(entered, TypedCommand):
                session.play(entered)
                return
            if self._execute(entered):
                return

    def _show(self) -> None:
        self.shown.draw()
        if self.session.env.illegal_free and self.session.result is None:
            self.shown.choices()

    def _execute(self, command: TypedCommand) -> bool:
        """Execute a command. Returns whether the position has changed or the game has ended. Raises Left for `quit`."""
        match command.verb:
            case Verb.UNDO:
                if not (own := self._own_plies()):
                    self.shown.say(_("there is no move of yours to take back"))
                    return False
                self.session.undo(len(self.session.cells) - own[-1])
                self._seat()
                return True
            case Verb.RESIGN:
                if agreed(self.console, _("give up the game? (y/n) "), otherwise=False):
                    self.session.resign(self.number)
                    return True
            case Verb.QUIT:
                raise Left(asked=True)
            case Verb.SAVE:
                self._save(command.argument)
            case Verb.HINT:
                self._hint()
            case Verb.MOVES:
                self.shown.moves()
            case Verb.BOARD:
                self._show()
            case Verb.PASS:
                self.shown.say(_("you have a move, so you may not pass"))
            case Verb.HELP:
                self.shown.help()
        return False

    def _hint(self) -> None:
        session, across = self.session, self.session.env.board_width
        question = Question(session.setup, tuple(session.cells), seconds=HINT_SECONDS, use_book=True)
        try:
            look = self._engine.ask(question)
        except RunnerError as error:
            self.shown.say(str(error))
            return
        sentence = _("hint: {cell}; {opinion}")
        cell = move_name(look.lines[0].moves[0], across)
        self.shown.say(sentence.format(cell=cell, opinion=opinion(look, session.to_move, across, at=1)))

    def _after(self) -> After | None:
        """Ask for the human's choice after a game. None: the human took a move back, so the game continues."""
        while True:
            typed = ask(self.console, _("again? (y: same colours, s: swapped, n; or undo, save FILE, moves) "))
            word, _space, rest = typed.strip().partition(" ")
            verb = VERBS.get(word.lower())
            if word.lower() in {"yes", *(each.value for each in After)}:
                return After(word.lower()[:1])
            if verb is Verb.QUIT or not word:
                return After.NOTHING
            if verb not in AT_END:
                self.shown.say(_("type y, s or n"))
            elif self._execute(TypedCommand(verb, rest.strip())):
                return None

    # ---- saved games; the ending of a file's name determines its format

    def _save(self, file: str) -> None:
        """Save the game in a new file and print the path, or print why saving failed. `file`: "" to make a name up."""
        try:
            path = self._new_file(Path()) if not file else Path(file).expanduser()
            if file:
                path = path if path.suffix else path.with_name(f"{path.name}.{ENDING}")
                kind = writing.format_of(path.suffix[1:].lower())
                if os.path.lexists(path):
                    raise RunnerError(_("{path} exists already; give another name").format(path=path))
                writing.write_games([from_session(self.session)], path, kind, _("save FILE with another file name"))
        except RunnerError as error:
            self.shown.say(str(error))
            return
        if path.suffix.lower() in READABLE:  # not a picture
            self._saved = tuple(self.session.cells)
        self.shown.say(_("saved: {path}").format(path=path))

    def _new_file(self, folder: Path) -> Path:
        text = writing.write(from_session(self.session), ENDING).decode()
        return write_new(folder, f"tengen-{self.session.setup.env}", f".{ENDING}", text, _("give another name"))

    @property
    def _is_unsaved(self) -> bool:
        """Whether the human has made a move, and the last saved file has other moves than the game."""
        return bool(self._own_plies()) and tuple(self.session.cells) != self._saved

    def _leave(self, *, wanted: bool) -> None:
        """Save the game in a file, unless the human at a terminal declines. `wanted`: the human has typed `quit`."""
        if not wanted:
            self.console.print()
        keeps = True
        if wanted and self._is_unsaved and is_terminal(self.console):
            try:
                keeps = agreed(self.console, _("keep the game, to go on later? (Y/n) "), otherwise=True)
            except Left:
                self.console.print()
        if keeps:
            self._keep()
        self.shown.say(_("you have left the game"))

    def _keep(self) -> bool:
        """Save an unfinished game in a file, and print how to resume it. Returns False if there is nothing to save.

        The file lies in the current folder, else in that of temporary files.
        """
        if self.session.result is not None or not self._is_unsaved:
            return False
        for folder in (Path(), Path(tempfile.gettempdir())):
            try:
                path = self._new_file(folder)
            except RunnerError:
                continue
            self._saved = tuple(self.session.cells)
            series = self.series
            command = f"tengen play {series.words} --resume {shlex.quote(str(path))} --colour {series.colour}"
            self.shown.say(_("the game is kept in {path}; go on with: {command}").format(path=path, command=command))
            return True
        self.shown.say("\n" + _("no file can be written here; these are the moves:"))
        self.shown.moves()
        return True
