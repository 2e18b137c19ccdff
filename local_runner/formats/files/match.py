"""Reads the result of `tengen match --json`: one JSON object with the plan and the record of every game."""

import json
import re
from dataclasses import replace
from typing import Any

import msgspec

from env_adapter import Cell
from local_runner.errors import RunnerError
from local_runner.formats.file_format import FileFormat, GameFile
from local_runner.formats.files.log import BROKEN, setup_from, torn
from local_runner.formats.saved_game import UncheckedGame, recorded
from local_runner.formats.source import Source, name_of
from local_runner.game.records import GameDetails, Result
from local_runner.game.setup import GameSetup
from local_runner.language.languages import Message, _
from local_runner.language.text import shortened

_LOOKS = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"header"\s*:(?=.*?"plan"\s*:)', re.DOTALL)


def fits(content: bytes) -> bool:
    """Whether a file looks like the result of a match."""
    return _LOOKS.match(content) is not None


def read(source: Source) -> GameFile:
    """The games of a match.

    Raises RunnerError for a file without a plan or without games, for an unreadable record, and as `Source.check_json`.
    """
    source.check_json()
    problem: str = ""
    try:
        value = json.loads(source.text)
    except BROKEN as error:
        value, problem = torn(source, 0, len(source.text), error, "games")
    try:
        setup = setup_from(value["plan"]["terms"]["setup"])
        games = [_game(game, number, setup) for number, game in enumerate(value["games"], start=1)]
    except (TypeError, LookupError) as error:
        sentence = _("{file} looks like the result of a match, but has no {part}")
        raise RunnerError(sentence.format(file=shortened(source.name), part=shortened(str(error)))) from error

    return GameFile("match", games, lambda game: game, problem=problem)


def _game(value: Any, number: int, setup: GameSetup) -> UncheckedGame:
    """The game of an entry of "games"; its other fields are ignored. Raises RunnerError if it cannot be read."""
    try:
        details = msgspec.convert({**value, "opening": len(value["opening"])}, GameDetails)
        cells, result = msgspec.convert((value["cells"], value["result"]), tuple[tuple[Cell | None, ...], Result])
        black, white = (name_of(agent.name, player) for player, agent in enumerate(details.agents))
        setup = replace(setup, seed=msgspec.convert(value["seed"], int))
        return recorded(setup, cells, details, result, (black, white))
    except (ValueError, TypeError, LookupError) as error:
        sentence = _("the record of game {number} cannot be read")
        raise RunnerError(sentence.format(number=number)) from error


FORMAT = FileFormat(
    Message("the result of tengen match --json"), Message("all games, with the times and thoughts of the agents"),
    order=1,
)  # fmt: skip
