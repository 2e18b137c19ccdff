"""What `tengen match --json` writes: one JSON object with the plan and the record of every game."""

import json
import re
from typing import Any

from local_runner.errors import RunnerError
from local_runner.formats import recorded
from local_runner.formats.file_format import FileFormat
from local_runner.formats.known.log import BROKEN, setup_from, values
from local_runner.formats.saved_game import GameFile, Heading, SavedGame
from local_runner.formats.source import Source, name_of, winner_of, words_of
from local_runner.formats.told import checked
from local_runner.language.languages import Message, _, shown
from local_runner.language.text import shortened

_LOOKS = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"header"\s*:(?=.*?"plan"\s*:)', re.DOTALL)
_GAMES = re.compile(r'"games"\s*:\s*\[')


def fits(content: bytes) -> bool:
    """Whether a file looks like the result of a match."""
    return _LOOKS.match(content) is not None


def read(source: Source) -> GameFile:
    """The games of a match. Raises RunnerError for a file without a plan or without games."""
    source.check_json()
    value, problem = _parsed(source)
    try:
        setup = setup_from(value["plan"]["terms"]["setup"])
        records = [game for game in value["games"] if isinstance(game, dict)]
    except (TypeError, LookupError) as error:
        sentence = _("{file} looks like the result of a match, but has no {part}")
        raise RunnerError(sentence.format(file=shortened(source.name), part=shortened(str(error)))) from error
    if not records:
        sentence = _("{file} holds no game; {damage}")
        raise RunnerError(sentence.format(file=shortened(source.name), damage=shown(problem)))

    def load(number: int) -> SavedGame:
        return checked(recorded.told(records[number], setup, _names(records[number])))

    return GameFile("match", [_heading(record, setup.env) for record in records], load, problem)


def _parsed(source: Source) -> tuple[Any, str]:
    """The object; of one that is cut off, the games before that place."""
    try:
        return json.loads(source.text), ""
    except BROKEN as error:
        place = error.pos if isinstance(error, json.JSONDecodeError) else 0
        damage = Message("line {line}: the JSON breaks off or is wrong here", line=source.line(place))
    for found in _GAMES.finditer(source.text):
        try:
            head = json.loads(source.text[: found.start()] + '"games": []}')
        except BROKEN:
            continue
        return {**head, "games": values(source.text, found.end(), len(source.text))}, damage
    return {}, damage


def _names(record: dict[str, Any]) -> tuple[str, str]:
    agents = record.get("agents")
    agents = agents if isinstance(agents, list) else []
    black, white = (each.get("name") if isinstance(each, dict) else None for each in [*agents, {}, {}][:2])
    return name_of(black, 0), name_of(white, 1)


def _heading(record: dict[str, Any], env: str) -> Heading:
    result, cells = record.get("result"), record.get("cells")
    result = result if isinstance(result, dict) else {}
    plies = len(cells) if isinstance(cells, list) else 0
    return Heading(_names(record), winner_of(result.get("winner")), words_of(result.get("detail")), plies, env)


FORMAT = FileFormat(
    "match",
    Message("the result of tengen match --json"),
    "all games, with the times and thoughts of the agents",
    fits=fits,
    read=read,
    order=1,
)
