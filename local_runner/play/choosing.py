"""Finds the human's opponent, an agent or a level of our engine, by the command line or an unfinished game's file."""

import os
import re
import shlex

from local_runner.agents.spec import AgentSpec, parse_agent
from local_runner.analysis.levels import LEVELS, EngineLevel
from local_runner.analysis.levels import level as level_of
from local_runner.errors import AgentError, RunnerError
from local_runner.formats import SavedGame
from local_runner.language.languages import _
from local_runner.play import COLOURS
from local_runner.play.table import HUMAN

LEVEL = re.compile(r"level([0-9]+)")


def opponent(agent: str | None, level: int | None, saved: SavedGame | None) -> tuple[AgentSpec | EngineLevel, str]:
    """The opponent, and the words that name the opponent on a command line.

    `agent`, `level`: the values on the command line. `saved`: the game to resume, None for a new game; its players'
    names give the opponent if `agent` and `level` are missing. Raises RunnerError if both are given, no opponent is
    named, or the named opponent does not exist.
    """
    if agent is not None and level is not None:
        raise RunnerError(_("give an agent or --level, not both"))
    if level is not None:
        return _level(level), f"level{level}"
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
    match = LEVEL.fullmatch(agent)
    if match and not os.path.exists(agent):
        return _level(int(match[1]))
    return parse_agent(agent, [f"level{level.number}" for level in LEVELS])


def _level(number: int) -> EngineLevel:
    try:
        return level_of(number)
    except ValueError:
        sentence = _("there is no level {number}; the levels are 1 to {most}")
        raise RunnerError(sentence.format(number=number, most=len(LEVELS))) from None


def colour_in(saved: SavedGame) -> str | None:
    """The human's colour in a saved game; None if neither player has the human's name."""
    return next((colour for colour, name in zip(COLOURS, saved.names, strict=True) if name == HUMAN), None)
