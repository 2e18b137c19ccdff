"""Reads the result of `tengen match --json`: one JSON object with the plan and the record of every game."""

import json
import re
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from local_runner.errors import RunnerError
from local_runner.formats.file_format import FileFormat, GameFile
from local_runner.formats.files.log import BROKEN, setup_from, torn
from local_runner.formats.saved_game import UncheckedGame, recorded
from local_runner.formats.source import Source, name_of
from local_runner.game.records import AgentReport, Call, Cell, GameDetails, Result
from local_runner.game.wording import result_text
from local_runner.language.languages import Message, _
from local_runner.language.text import shortened


@dataclass(frozen=True)
class MatchGame:
    """The fields of one game in "games" that are read; its other fields are ignored."""

    seed: int
    opening: tuple[Cell, ...]
    cells: tuple[Cell | None, ...]
    calls: tuple[Call, ...]
    agents: tuple[AgentReport, AgentReport]
    result: Result


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
        records = [_record(game, number) for number, game in enumerate(value["games"], start=1)]
    except (TypeError, LookupError) as error:
        sentence = _("{file} looks like the result of a match, but has no {part}")
        raise RunnerError(sentence.format(file=shortened(source.name), part=shortened(str(error)))) from error

    def unchecked(record: MatchGame) -> UncheckedGame:
        details = GameDetails(record.calls, record.agents, len(record.opening))
        names = name_of(record.agents[0].name, 0), name_of(record.agents[1].name, 1)
        return recorded(replace(setup, seed=record.seed), record.cells, details, record.result, names)

    return GameFile("match", records, unchecked, problem=problem)


def _record(value: Any, number: int) -> MatchGame:
    try:
        record = msgspec.convert(value, MatchGame)
        result_text(record.result)
    except (ValueError, TypeError, LookupError) as error:
        sentence = _("the record of game {number} cannot be read")
        raise RunnerError(sentence.format(number=number)) from error
    return record


FORMAT = FileFormat(
    Message("the result of tengen match --json"), Message("all games, with the times and thoughts of the agents"),
    order=1,
)  # fmt: skip
