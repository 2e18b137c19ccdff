"""Plays one game of a human: asks for moves and executes commands. Raises Left if the human quits or the input ends.

The opponent, an agent or a level of our engine, is named on the command line, or by an unfinished game's file.
"""

import os
import shlex
import tempfile
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from local_runner.agents.spec import AgentSpec
from local_runner.analysis.opinion import move_name, opinion
from local_runner.errors import AgentError, RunnerError, Unplayable
from local_runner.formats import SavedGame, from_session, read_path, writing
from local_runner.formats.reading import READERS
from local_runner.game.session import GameSession, Seats
from local_runner.language.languages import Message, _
from local_runner.play import COLOURS
from local_runner.play.prompt import Left, TypedCommand, Verb, agreed, ask, read_line
from local_runner.play.showing import TerminalView
from local_runner.processes.engine.engine_process import EngineProcess, Question
from local_runner.processes.engine.levels import LEVELS, EngineContestant, EngineLevel, parse_player
from local_runner.processes.engine.levels import level as level_of
from local_runner.processes.process import AgentProcess
from local_runner.system.files import write_new
from local_runner.terminal.lettered import STONES

HINT_SECONDS = 0.8  # time of the engine for a hint
ENDING = "json"  # the format if the human names none; JSON also stores rules, seed and start board
READABLE = tuple(f".{each.ending}" for each in READERS if each.ending)  # endings of files that can be read again
HUMAN = Message("you")  # the human's name as a player, also in saved games

Opponent = AgentProcess | EngineContestant


class HumanGame:
    """A game of a human against the opponent that `invite` makes. Callers close the game at the end.

    `number`: the human's player, 0 Black or 1 White. `engine`: gives hints; the caller closes the engine. `strict`: a
    line that is neither a legal move nor a command loses the turn (only in games with passes). If not strict, the human
    is asked again.
    """

    def __init__(
        self, session: GameSession, number: int, invite: Callable[[], Opponent], console: Console,
        engine: EngineProcess, *, strict: bool = False,
    ) -> None:  # fmt: skip
        self.session = session
        self.number = number
        self.console = console
        self.strict = strict
        self.shown = TerminalView(session, number, console)
        self._invite = invite
        self._engine = engine
        self._opponent: Opponent | None = None
        self._saved = tuple(session.cells)  # the moves in the last saved file; at first the moves to resume
        session.watch(self.shown)
        self._seat()

    def close(self) -> None:
        """End the opponent's process."""
        if self._opponent is not None:
            self._opponent.close()

    def play(self) -> None:
        """Play the game to its end."""
        session = self.session
        session.start()
        while session.result is None:
            if session.to_move == self.number:
                self._move()
            else:
                session.step()
        self.shown.draw()

    @property
    def is_unsaved(self) -> bool:
        """Whether the human has made a move and the last saved file has other moves than the game."""
        return bool(self._own_plies()) and tuple(self.session.cells) != self._saved

    def undo(self) -> bool:
        """Take back the human's last move and all later plies. Returns False if the human has made no move.

        A new process replaces an agent's process, because the agent remembers the moves.
        """
        if not (own := self._own_plies()):
            self.shown.say(_("there is no move of yours to take back"))
            return False
        self.session.undo(len(self.session.cells) - own[-1])
        self._seat()
        return True

    def save(self, file: str) -> None:
        """Save the game and print the path, or print why saving failed."""
        try:
            path = save(self.session, file)
        except RunnerError as error:
            self.shown.say(str(error))
        else:
            self.saved_in(path)
            self.shown.say(_("saved: {path}").format(path=path))

    def saved_in(self, path: Path) -> None:
        """Note that the file holds the game's moves, unless the file is a picture, which cannot be read again."""
        if path.suffix.lower() in READABLE:
            self._saved = tuple(self.session.cells)

    def _own_plies(self) -> list[int]:
        """The numbers of the plies, from 0, in which the human has made a move."""
        first, cells = len(self.session.setup.opening), self.session.cells
        return [ply for ply in range(first, len(cells)) if ply % 2 == self.number and cells[ply]]

    def _seat(self) -> None:
        """Seat a new opponent, which has not seen the moves that were taken back. A seated EngineContestant stays."""
        session = self.session
        if isinstance(self._opponent, EngineContestant):
            return
        is_first = self._opponent is None
        self.close()
        self._opponent = opponent = self._invite()
        if isinstance(opponent, EngineContestant):
            opponent.session = session
        seats: Seats = (opponent, HUMAN) if self.number else (HUMAN, opponent)
        session.seats = seats
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
            if not typed.strip() and not self.strict:
                continue
            try:
                entered = read_line(typed, session)
            except Unplayable as error:
                if not self.strict:
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
        if self.session.env.illegal_free:
            self.shown.choices()

    def _execute(self, command: TypedCommand) -> bool:
        """Execute a command. Returns whether the position has changed or the game has ended. Raises Left for `quit`."""
        match command.verb:
            case Verb.UNDO:
                return self.undo()
            case Verb.RESIGN:
                if agreed(self.console, _("give up the game? (y/n) "), otherwise=False):
                    self.session.resign(self.number)
                    return True
            case Verb.QUIT:
                raise Left(asked=True)
            case Verb.SAVE:
                self.save(command.argument)
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
            look = self._engine.think(question)
        except RunnerError as error:
            self.shown.say(str(error))
            return
        sentence = _("hint: {cell}; {opinion}")
        cell = move_name(look.lines[0].moves[0], across)
        self.shown.say(sentence.format(cell=cell, opinion=opinion(look, session.to_move, across, at=1)))


def opponent(agent: str | None, level: int | None, saved: SavedGame | None) -> tuple[AgentSpec | EngineLevel, str]:
    """The opponent, and the words that name the opponent on a command line.

    `agent`, `level`: the values on the command line. `saved`: the game to resume, None for a new game; its players'
    names give the opponent if `agent` and `level` are missing. Raises RunnerError if both are given, no opponent is
    named, or the named opponent does not exist.
    """
    if agent is not None and level is not None:
        raise RunnerError(_("give an agent or --level, not both"))
    if level is not None:
        return level_of(level), f"level{level}"
    if agent is None:
        if saved is None:
            sentence = _("name whom you want to play: level1 to level{most}, or an agent that tengen opponents lists")
            raise RunnerError(sentence.format(most=len(LEVELS)))
        agent = next((name for name in saved.names if name != HUMAN), "")
        try:
            return _named(agent), shlex.quote(agent)
        except AgentError as error:
            raise RunnerError(_("{error}; or name your opponent before --resume").format(error=error)) from error
    return _named(agent), shlex.quote(agent)


def _named(agent: str) -> AgentSpec | EngineLevel:
    spec = parse_player(agent)
    return level_of(spec.level) if spec.level else spec


def colour_in(saved: SavedGame) -> str | None:
    """The human's colour in a saved game; None if neither player has the human's name."""
    return next((colour for colour, name in zip(COLOURS, saved.names, strict=True) if name == HUMAN), None)


# ---- saved games. The ending of a file's name determines its format


def save(session: GameSession, file: str) -> Path:
    """Save the game in a new file and return its path. `file`: the file's name, "" to make one up.

    Raises RunnerError if the file exists, its format is unknown or does not fit the game, or writing fails.
    """
    if not file:
        return _made_up(session, Path())
    path = Path(file).expanduser()
    if not path.suffix:
        path = path.with_name(f"{path.name}.{ENDING}")
    writing.format_of(path.suffix[1:].lower())
    if os.path.lexists(path):
        raise RunnerError(_("{path} exists already; give another name").format(path=path))
    writing.write_path(from_session(session), path, _("save FILE with another file name"))
    return path


def keep(session: GameSession) -> Path | None:
    """Save an unfinished game in the current folder, else in the folder of temporary files. None if both fail."""
    for folder in (Path(), Path(tempfile.gettempdir())):
        try:
            return _made_up(session, folder)
        except RunnerError:
            continue
    return None


def _made_up(session: GameSession, folder: Path) -> Path:
    text = writing.write(from_session(session), ENDING).decode()
    return write_new(folder, f"tengen-{session.setup.env}", f".{ENDING}", text, _("give another name"))


def unfinished(path: Path) -> SavedGame:
    """The unfinished game in a file. Raises RunnerError if the file has not exactly one game, or the game is over."""
    file = read_path(path)
    if len(file) != 1:
        sentence = _("{path} has {games} games; write one into a file: tengen replay {path} --game N --out FILE")
        raise RunnerError(sentence.format(path=path, games=len(file)))
    game = file.game(0)
    if GameSession(game.setup, cells=game.cells).result is not None:
        raise RunnerError(_("the game in {path} is over; tengen replay {path} shows it").format(path=path))
    return game
