"""Plays a human's games one after another, and finds the opponent that the command line or a saved game names."""

import shlex
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from env_adapter import kinds
from local_runner.agents.spec import AgentSpec
from local_runner.errors import AgentError, RunnerError
from local_runner.formats import SavedGame, read_path
from local_runner.game.session import GameSession
from local_runner.language.languages import _, listed
from local_runner.matches.copies import copies
from local_runner.play import COLOURS
from local_runner.play.prompt import Left, agreed
from local_runner.play.table import HUMAN, After, GameSeries, HumanGame
from local_runner.processes import interpreters
from local_runner.processes.engine.engine_process import EngineProcess
from local_runner.processes.engine.levels import LEVELS, EngineLevel, parse_player
from local_runner.processes.engine.levels import level as level_of
from local_runner.terminal.output import ExitCode

ASK = "ask"  # the value of --colour with which the human is asked for a colour


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
    agents = [series.opponent] if isinstance(series.opponent, AgentSpec) else []
    try:
        if series.colour == ASK:
            begins = agreed(console, _("do you want Black, who begins? (Y/n) "), otherwise=True)
            series = replace(series, colour=COLOURS[0 if begins else 1])
        with EngineProcess(series.limits.sandbox) as engine:
            explained = False
            while True:
                # A copy of the agent's file is played: an edit must not change the opponent when a move is taken back.
                with copies(agents, series.python) as made:
                    game = HumanGame(series, console, engine, made[0].path if made else None)
                    code, after = game.play(explained=explained)
                if after is After.NOTHING:
                    return code
                explained, other = True, COLOURS[1 - COLOURS.index(series.colour)]
                setup = replace(series.setup, seed=series.setup.seed + 1)  # the opponent's moves may differ
                colour = other if after is After.SWAPPED else series.colour
                series = replace(series, colour=colour, cells=None, setup=setup)
    except Left:
        return ExitCode.CLEAN
    except KeyboardInterrupt:
        console.print()
        return ExitCode.INTERRUPTED


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
    if agent is None and saved is None:
        sentence = _("name whom you want to play: level1 to level{most}, or an agent that tengen opponents lists")
        raise RunnerError(sentence.format(most=len(LEVELS)))
    name = agent if agent is not None or saved is None else next((each for each in saved.names if each != HUMAN), "")
    assert name is not None
    try:
        spec = parse_player(name)
    except AgentError as error:
        if agent is not None:
            raise
        raise RunnerError(_("{error}; or name your opponent before --resume").format(error=error)) from error
    return level_of(spec.level) if spec.level else spec, shlex.quote(name)


def colour_in(saved: SavedGame) -> str | None:
    """The human's colour in a saved game; None if neither player has the human's name."""
    return next((colour for colour, name in zip(COLOURS, saved.names, strict=True) if name == HUMAN), None)


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
