"""Finds the human's opponent, an agent or a level of our engine, by the command line or an unfinished game's file."""

import shlex

from local_runner.agents.spec import AgentSpec
from local_runner.errors import AgentError, RunnerError
from local_runner.formats import SavedGame
from local_runner.language.languages import _
from local_runner.play import COLOURS
from local_runner.play.table import HUMAN
from local_runner.processes.engine.levels import LEVELS, EngineLevel, parse_player
from local_runner.processes.engine.levels import level as level_of


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
