"""Logs in the platform's format, written by tengen or by the site: one JSON object for each game.

The site appends the logs of games from the same minute to one file. On a pass, the site writes an empty `info_after`;
our logs say "pass". Of a log that is cut off, the steps before the cut are read.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice, zip_longest
from json import JSONDecoder
from typing import Any

from env_adapter import Game, Step, answer
from local_runner.errors import RunnerError
from local_runner.formats.file_format import FileFormat, GameFile, Heading
from local_runner.formats.heads import OURS, heads_of, written
from local_runner.formats.saved_game import SavedGame, Turn, UncheckedGame
from local_runner.formats.source import MOST_GAMES, Source, checked_setup, name_of, number_of, setup_for, words_of
from local_runner.game.codec import ToldResult, as_json, result_from
from local_runner.game.platform_log import GameLog, plain
from local_runner.game.records import DRAW, Result
from local_runner.game.setup import GameSetup, called
from local_runner.language.languages import STEPS, Message, Series, _, amount
from local_runner.language.text import shortened

_LOOKS = re.compile(rb'(?:\xef\xbb\xbf)?\s*\[?\s*\{(?=.*?"(?:steps|game_name)"\s*:(?!\s*\[\s*\[))', re.DOTALL)
_NEXT = re.compile(r'\{\s*"game_name"\s*:')
_ANSWERS = re.compile(  # two answers of plain numbers: most of the bytes of a gobang log; not read
    r',\s*"joint_action": ?\[\[\[[01, ]*\], ?\[[01, ]*\]\], ?\[\[[01, ]*\], ?\[[01, ]*\]\]\]'
)
_BETWEEN = re.compile(r"[\s,\[\]]*")  # between the logs, which may be the values of one list
_COMMA = re.compile(r"[\s,]*")  # between the values of a list
_DECODER = JSONDecoder()
BROKEN = (ValueError, RecursionError)
MOST_TRIED = 10  # in a broken object, so many lists with the key of the games or steps are tried
MOST_BROKEN = 100  # after this number of broken logs, the rest of a file is not read


def fits(content: bytes) -> bool:
    """Whether a file looks like a log."""
    return _LOOKS.match(content) is not None


def read(source: Source) -> GameFile:
    """The games of a file of logs. Raises RunnerError as `Source.check_json` does."""
    source.check_json()
    source = replace(source, content=_ANSWERS.sub("", source.text).encode())
    games: list[tuple[int, Heading]] = []  # the offset of each log, and its heading
    broken = 0
    problem: str = ""
    at = _BETWEEN.match(source.text).end()  # type: ignore[union-attr]
    while at < len(source.text) and broken < MOST_BROKEN and len(games) <= MOST_GAMES:
        log, end, damage = _parsed(source, at)
        if log:
            names, winner, ending, _result = _said(log)
            games.append((at, Heading(names, winner, ending, len(log["steps"]), words_of(_game(log)))))
            problem = problem or (damage and Message("game {number}: {damage}", number=len(games), damage=damage))
        else:
            problem = problem or damage
        broken += bool(damage)
        source.tell(end / len(source.text))
        at = _BETWEEN.match(source.text, end).end()  # type: ignore[union-attr]

    def unchecked(game: tuple[int, Heading]) -> UncheckedGame:
        log, _end, damage = _parsed(source, game[0])
        return _unchecked(log, damage)

    return GameFile("log", games, unchecked, lambda game: game[1], problem=problem)


def _parsed(source: Source, at: int) -> tuple[Mapping[str, Any], int, str]:
    """The log at the offset `at` ({} if it cannot be read), the offset of its end, and its damage ("" for none).

    If the JSON is broken, the log has the steps before the damage, and ends at the next `{"game_name":` or with the
    file.
    """
    text = source.text
    try:
        value, end = _DECODER.raw_decode(text, at)
    except BROKEN as error:
        following = _NEXT.search(text, at + 1)
        end = following.start() if following else len(text)
        log, damage = torn(source, at, end, error, "steps")
        if log:
            steps = amount(len(log["steps"]), STEPS)
            damage = Message("{damage}; {steps} before it can be read", damage=damage, steps=steps)
        return log, end, damage
    if isinstance(value, dict) and isinstance(value.get("steps"), list):
        return value, end, ""
    return {}, end, Message("line {line}: this is no log of a game", line=source.line(at))


def torn(source: Source, at: int, end: int, error: Exception, key: str) -> tuple[dict[str, Any], str]:
    """What can be read of a JSON object between two offsets, broken in the list under `key`, and its damage.

    The list has the values before the damage. If what stands before the list is damaged, {} is returned.
    """
    text = source.text
    place = error.pos if isinstance(error, json.JSONDecodeError) else at
    damage = Message("line {line}: the JSON breaks off or is wrong here", line=source.line(min(place, end)))
    for found in islice(re.compile(rf'"{key}"\s*:\s*\[').finditer(text, at, end), MOST_TRIED):
        try:
            head = json.loads(f'{text[at : found.start()]}"{key}": []}}')
        except BROKEN:
            continue
        values, next_at = list[Any](), _COMMA.match(text, found.end()).end()  # type: ignore[union-attr]
        with suppress(*BROKEN):
            while next_at <= end:
                value, next_at = _DECODER.raw_decode(text, next_at)
                values += [value] if next_at <= end else []
                next_at = _COMMA.match(text, next_at).end()  # type: ignore[union-attr]
        return {**head, key: values}, damage
    return {}, damage


def _game(log: Mapping[str, Any]) -> Any:
    """The name of the game. A log that breaks off before its name is of Reversi if a move has turned discs over."""
    if "game_name" in log:
        return log["game_name"]
    steps = [step.get("info_after") for step in log["steps"] if isinstance(step, dict)]
    return "reversi_1v1" if any("reverse_positions" in (after or ()) for after in steps) else "gobang_1v1"


def _said(log: Mapping[str, Any]) -> tuple[tuple[str, str], int, str, Result | None]:
    """The names, the winner's code, how the game ended in words ("" if unknown), and the Result.

    Only logs that tengen wrote have names and a Result, in the key "result". The winner is the one that the log names,
    or else the player whose reward in `n_return` is 1: when the board is full, the platform names no winner, but gives
    the last mover the reward 1.
    """
    end = log["result"] if isinstance(log.get("result"), dict) else {}
    names = name_of(end.get("black"), 0), name_of(end.get("white"), 1)
    said = (value for value in (end.get("winner"), log.get("winner")) if type(value) is int and 0 < value <= DRAW)
    winner = next(said, 0) or {"[1, 0]": 1, "[0, 1]": 2}.get(repr(log.get("n_return")), 0)
    try:
        result = result_from(end)
    except ValueError:
        return names, winner, words_of(end.get("text")), None
    return names, winner, result.text, result


def _unchecked(log: Mapping[str, Any], damage: str) -> UncheckedGame:
    turns = []
    if "game_name" not in log:
        said = Message("the log does not name its game; it was taken for {game}", game=called(_game(log)))
        damage = Series([damage, said]) if damage else said
    for number, step in enumerate(log["steps"], start=1):
        try:
            turns.append(_turn(step))
        except ValueError as error:
            damage = Message("step {number} cannot be read: {value}", number=number, value=str(error))
            break
    given = log.get("setup")
    rows, cols = log.get("board_height"), log.get("board_width")
    own = setup_from(given) if isinstance(given, dict) else None
    setup = own or setup_for(_game(log), rows, cols, seed=log.get("seed"))
    names, winner, ending, result = _said(log)
    heads = heads_of(OURS, named.get) if isinstance(named := log.get("heads"), dict) else {}
    return UncheckedGame(setup, turns, names, winner, ending, damage, result=result, heads=heads)


def _turn(step: Any) -> Turn:
    """The turn of one step; a step without a move is a pass. Raises ValueError if the step or its move is malformed."""
    after = step.get("info_after") or {} if isinstance(step, dict) else step
    if not isinstance(after, dict):
        raise ValueError(shortened(repr(after)))
    cell = None if after.get("pass") else after.get("action")
    if cell is not None and not (isinstance(cell, list) and [type(part) for part in cell] == [int, int]):
        raise ValueError(shortened(repr(cell)))
    mover = step.get("info_before")
    player = {"1": 0, "2": 1}.get(mover[-1:]) if isinstance(mover, str) else None
    thought = step.get("thought")
    thought = thought if isinstance(thought, dict) and thought else None
    return Turn((cell[0], cell[1]) if cell else None, player, seconds=number_of(step.get("seconds")), thought=thought)


def setup_from(given: Mapping[str, Any]) -> GameSetup:
    """The setup from its JSON form. Raises RunnerError if the JSON is no setup, or as `checked_setup` does."""
    try:
        setup = GameSetup.from_json(given)
    except (ValueError, TypeError, LookupError) as error:
        raise RunnerError(_("the game cannot be set up: {error}").format(error=shortened(str(error)))) from error
    return checked_setup(setup)


def write(game: SavedGame) -> str:
    """The game as a log of the platform, with tengen's additional keys `setup`, `result`, `seconds` and `thought`."""
    black, white = game.names
    end = as_json(ToldResult.of(game.result)) if game.result else {"winner": game.winner, "text": game.ending}
    end = {**end, "black": black, "white": white}
    more = {"heads": written(OURS, game.heads)} if game.heads else {}
    log = _played(game, setup=as_json(game.setup), result=end, **more)
    for step, seconds, thought in zip_longest(log["steps"], game.seconds, game.thoughts):
        if seconds is not None:
            step["seconds"] = seconds
        if thought:
            step["thought"] = thought
    return json.dumps(log, allow_nan=False, default=plain) + "\n"


def _played(game: SavedGame, **more: Any) -> dict[str, Any]:
    """The log, by replaying the moves, which takes a quarter of the time of the platform's steps."""
    env = game.setup.make()
    log, size = GameLog(game.setup.env, env), (env.board_height, env.board_width)
    blank, joint = [[0] * n for n in size], not env.turns_discs
    for ply, cell in enumerate(game.cells, start=1):
        mover, before = env.chess_player - 1, Game.step_before_info(env)
        turned = env.follow(cell)
        answers = [answer(cell, *size) if at == mover else blank for at in (0, 1)] if joint and cell else []
        done = ply == len(game.cells) and env.is_terminal()  # records the result, which the last reward needs
        after = {"action": cell, **({} if joint else {"reverse_positions": turned})} if cell else {}
        log.add(env, mover, answers, Step([], env.get_reward(answers), done, before, after))
    return log.finished(env, **more)


FORMAT = FileFormat(
    Message("a log of the platform"),
    Message("all games in it, passes included; ours has the times and thoughts, too"), ending="json",
    media="application/json", heads=OURS,
)  # fmt: skip
