"""Plays a human's games one after another, assigns the colours, and saves a game that is left unfinished."""

import shlex
import shutil
import tempfile
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from rich.console import Console

from env_adapter import kinds
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.game.records import Cell
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.language.languages import _, listed
from local_runner.matches.copies import copies
from local_runner.matches.display import fault_report
from local_runner.play import COLOURS
from local_runner.play.prompt import VERBS, Left, Verb, agreed, ask, is_terminal
from local_runner.play.showing import result_line
from local_runner.play.table import HumanGame, Opponent, keep
from local_runner.processes import interpreters
from local_runner.processes.child import AgentLimits
from local_runner.processes.engine.engine_process import EngineProcess
from local_runner.processes.engine.levels import EngineContestant, EngineLevel
from local_runner.processes.process import AgentProcess
from local_runner.system.exit_codes import ExitCode

ASK = "ask"  # the value of --colour with which the human is asked for a colour


class After(Enum):
    """The human's choice of the next game. The value is the key to type."""

    SAME = "y"
    SWAPPED = "s"
    NOTHING = "n"


@dataclass(frozen=True)
class GameSeries:
    """The series of games that the command line asks for.

    `words`: the words that name `opponent` on a command line. `colour`: the human's, "black", "white" or "ask".
    `strict`: as in `HumanGame`. `again`: offer another game even if the input is no terminal. `cells`: the moves of a
    game to resume, the opening included; None for a new game.
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


def play_series(series: GameSeries) -> ExitCode:
    """Play until the human wants no more games. Returns the exit code of the last game.

    FAULT: the game ended by an agent's fault. INTERRUPTED: Ctrl-C. CLEAN: otherwise, also if the human left the game.
    Raises RunnerError if `python` is no Python interpreter, or `strict` is set in a game without passes. Also raises
    what `GameSession` raises.
    """
    interpreters.check(series.python)
    if series.strict and not series.setup.kind.rules.has_pass:
        sentence = _("--strict takes turns away, which only {games} allow; leave it out for {game}")
        games = listed(kind.name for kind in kinds() if kind.rules.has_pass)
        raise RunnerError(sentence.format(games=games, game=series.setup.env))
    console = Console(highlight=False, soft_wrap=True)
    try:
        if series.colour == ASK:
            begins = agreed(console, _("do you want Black, who begins? (Y/n) "), otherwise=True)
            series = replace(series, colour=COLOURS[0 if begins else 1])
        with EngineProcess(series.limits.sandbox) as engine:
            is_first = True
            while True:
                # A game is played with a copy of the agent's file, so that a move that is taken back changes nothing.
                with copies([each for each in [series.opponent] if isinstance(each, AgentSpec)], series.python) as made:
                    copy = made[0].path if made else None
                    code, after = _one_game(series, console, engine, copy, explained=not is_first)
                if after is After.NOTHING:
                    return code
                is_first, other = False, COLOURS[1 - COLOURS.index(series.colour)]
                setup = replace(series.setup, seed=series.setup.seed + 1)  # the opponent's moves may differ
                colour = other if after is After.SWAPPED else series.colour
                series = replace(series, colour=colour, cells=None, setup=setup)
    except Left:
        return ExitCode.CLEAN
    except KeyboardInterrupt:
        console.print()
        return ExitCode.INTERRUPTED


def _one_game(
    series: GameSeries, console: Console, engine: EngineProcess, copy: Path | None, *, explained: bool
) -> tuple[ExitCode, After]:
    folder, code = Path(tempfile.mkdtemp(prefix="tengen-play-")), ExitCode.CLEAN
    number = COLOURS.index(series.colour)

    def invite() -> Opponent:
        if isinstance(series.opponent, EngineLevel):
            return EngineContestant(series.opponent, series.limits.sandbox, series.setup.seed)
        output = folder / "agent.txt"
        return AgentProcess(
            series.opponent, output, series.limits, seed=series.setup.seed, python=series.python, copy=copy
        )  # fmt: skip

    session = GameSession(series.setup, cells=series.cells)
    game = HumanGame(session, number, invite, console, engine, strict=series.strict)
    try:
        if not explained:
            game.shown.explain()
        while True:
            game.play()
            result = session.result
            code = ExitCode.FAULT if result is not None and result.loser is not None else ExitCode.CLEAN
            if result is not None and code is ExitCode.FAULT:
                console.print(fault_report(result, session.record().agents))
            else:
                game.shown.say(result_line(session))
            if not (series.again or is_terminal(console)):
                return code, After.NOTHING
            after = _after(game)
            if after is not None:
                return code, after
    except Left as left:
        if session.result is None:
            _leave(game, series, wanted=left.asked)
        return code, After.NOTHING
    except KeyboardInterrupt:
        if not _keep(game, series) and session.result is None:
            game.shown.say("\n" + _("the game was interrupted"))
        raise
    except RunnerError:
        _keep(game, series)
        raise
    finally:
        game.close()
        if code is ExitCode.CLEAN:
            shutil.rmtree(folder, ignore_errors=True)


def _after(game: HumanGame) -> After | None:
    """Ask for the human's choice after a game. None: the human took a move back, so the game continues."""
    while True:
        typed = ask(game.console, _("again? (y: same colours, s: swapped, n; or undo, save FILE, moves) "))
        word, _space, rest = typed.strip().partition(" ")
        verb = VERBS.get(word.lower())
        if word.lower() in {"yes", *(each.value for each in After)}:
            return After(word.lower()[:1])
        if verb is Verb.QUIT or not word:
            return After.NOTHING
        if verb is Verb.UNDO:
            if game.undo():
                return None
        elif verb is Verb.SAVE:
            game.save(rest.strip())
        elif verb is Verb.MOVES:
            game.shown.moves()
        elif verb is Verb.BOARD:
            game.shown.draw()
        else:
            game.shown.say(_("type y, s or n"))


# ---- a game that is left


def _leave(game: HumanGame, series: GameSeries, *, wanted: bool) -> None:
    """Keep the game in a file, unless the human at a terminal declines. `wanted`: the human has typed `quit`."""
    if not wanted:
        game.console.print()
    if wanted and game.is_unsaved and is_terminal(game.console):
        try:
            if not agreed(game.console, _("keep the game, to go on later? (Y/n) "), otherwise=True):
                game.shown.say(_("you have left the game"))
                return
        except Left:
            game.console.print()
    _keep(game, series)
    game.shown.say(_("you have left the game"))


def _keep(game: HumanGame, series: GameSeries) -> bool:
    """Keep an unfinished game in a file, and print how to resume it. Returns False if there is nothing to keep."""
    session = game.session
    if session.result is not None or not game.is_unsaved:
        return False
    path = keep(session)
    if path is None:
        game.shown.say("\n" + _("no file can be written here; these are the moves:"))
        game.shown.moves()
        return True
    game.saved_in(path)
    command = f"tengen play {series.words} --resume {shlex.quote(str(path))} --colour {series.colour}"
    game.shown.say(_("the game is kept in {path}; go on with: {command}").format(path=path, command=command))
    return True
