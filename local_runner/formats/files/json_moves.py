"""Moves as objects or lists in JSON, as other programs and printed Python lists have them; also JSON Lines.

    [{"x": 7, "y": 7}, {"x": 8, "y": 8}]              x is the column and y the row, counted from 0
    {"moves": [{"row": 7, "col": 7, "player": 1}]}    row and column, r and c, i and j; the side in turn
    {"moves": ["h8", "i9"]}, {"moves": "h8i9"}        names, or pairs of row and column
    [[7, 7, "black"], [8, 8, "white"]]                the side, or a remark, behind the move
    {"actions": [112, 113]}                           numbers of cells, row by row from 0
    x,y / 7,7 / 8,8, or step,player,move / 1,B,h8     a table (CSV) of one game with a move in each row
    {"requests": [...], "responses": [...]}           what a bot of Botzone gets; in its log only "response" is a move
    {"steps": [[{"action": 112, "status": ...}, ...   a log of Kaggle: the action of the player who was ACTIVE before

Games may stand one after another or at any depth of a value. A value beside games that is no game is reported. Names
of players, the result and other heads are read as in a table (files/table.py).
"""

import functools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import Any, NamedTuple

from env_adapter import kinds
from local_runner.errors import RunnerError
from local_runner.formats.file_format import FileFormat, GameFile
from local_runner.formats.files import moves, table
from local_runner.formats.saved_game import Turn, UncheckedGame
from local_runner.formats.source import LARGEST, MOST_GAMES, Source, Tell
from local_runner.game.coordinates import name, written
from local_runner.game.move_text import read_moves
from local_runner.game.setup import GameSetup
from local_runner.language.languages import Message, _

HEAD = 10_000  # number of characters at the start by which `fits` decides
AXES = (("row", "col"), ("row", "column"), ("r", "c"), ("y", "x"), ("i", "j"), ("行", "列"))  # keys of row and column
SIDES = ("player", "color", "colour", "side", "piece", "stone", "role")  # keys of a move's side
LISTS = ("moves", "move", "history", "actions", "action", "record", "steps", "plies", "棋谱", "着法")  # keys of a game
PLACES = ("move", "pos", "position", "cell", "action", "point", "coord", "coords", "loc", "location")  # of a move
SIZES = ("board_size", "boardsize", "size", "board_width")  # keys of the board's side
OF_MOVES = {*LISTS, *SIZES, "requests", "responses"}  # keys of a game that are no heads
NAMES = {"black": 0, "b": 0, "黑": 0, "white": 1, "w": 1, "白": 1}  # word for a side -> player
MOST_COLUMNS = 30  # most columns of a table with a move in each row
MOST_DEPTH = 50  # most levels of lists and objects nested in one another
_TOKEN = re.compile(
    r"""(?:[\s,:;\ufeff]|//[^\n]*|\#[^\n]*)*(?:([\[{(])|([\]})])|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([\w.+-]+)|\Z)"""
)
_BEGINS = re.compile(r"(?:[\s\ufeff]|//[^\n]*|\#[^\n]*)*[\[{]")
_NOTHING = (None, -1)  # the coordinates of a pass

Heads = Mapping[str, Any]  # what the object of a game has beside the moves


class _Move(NamedTuple):
    """A move as text or, for a cell's number, as an int; the keys of its row and column, "" for none; and its side."""

    said: str | int
    axes: tuple[str, str] = ("", "")
    side: str = ""


def fits(content: bytes) -> bool:
    """Whether the beginning of a text has a game in JSON."""
    text = Source("", content[: 4 * HEAD]).text[:HEAD]
    begins = _BEGINS.match(text) is not None or _rows_of(text) is not None
    return begins and next(_games(_values(text)[0]), None) is not None


def read(source: Source) -> GameFile:
    """The games of a text. Raises RunnerError as `moves.from_0`, and for cells' numbers on a board of unknown size."""
    source.check_json()
    values, broken = _values(source.text, source.tell)
    games, left, note = list[tuple[list[Turn], str, Heads]](), list[int](), ""
    named = [value[key] for _at, value in values if isinstance(value, dict) for key in SIZES if key in value]
    size = next((size for size in named if type(size) is int and 3 <= size <= LARGEST), None)
    size = size if source.setup is None else source.setup.make().board_height
    for at, game, heads in _games(values):
        if game is None:
            left.append(at)
        elif len(games) <= MOST_GAMES:
            source.tell(1)
            games.append((*_turns(game, size, Message("line {number}", number=source.line(at))), heads))
            note = note or _how_read(game, games[0][0], source.setup)
    cells = (tuple(turn.cell for turn in turns) for turns, *_rest in games)
    shared = functools.cache(lambda: source.setup or moves.game_of_all(cells))
    problem: str = Message("line {line}: this is no game", line=source.line(left[0])) if left else ""
    if broken is not None:
        problem = Message("line {line}: the JSON breaks off or is wrong here", line=source.line(broken))
    return GameFile("json_moves", games, lambda game: _unchecked(shared(), *game), problem=problem, note=note)


def _unchecked(setup: GameSetup, turns: list[Turn], damage: str, heads: Heads) -> UncheckedGame:
    row = [str(value) if isinstance(value, (str, int)) else "" for value in heads.values()]
    columns, said = table.named([*heads]), sum(value is not None for value in heads.values())
    game = UncheckedGame(setup, turns, damage=damage, leaves_out_passes=True, winner_must_fit=False)
    return table.described(game, row, columns, others=said > len(columns))


# ---- the values of a text


def _values(text: str, tell: Tell = lambda _part: None) -> tuple[list[tuple[int, Any]], int | None]:
    """The values of a text, each with its offset; and the offset from which it cannot be read, None if there is none.

    Numbers are int, other scalars str or None, and keys in small letters. Of a text that breaks off, the lists and
    objects are closed after their last whole value.
    """
    if (rows := _rows_of(text)) is not None:
        return rows, None
    at, start, found = 0, 0, list[tuple[int, Any]]()
    opened: list[tuple[str, list[Any]]] = []
    while at < len(text) and (match := _TOKEN.match(text, at)) is not None and len(opened) <= MOST_DEPTH:
        first = match.end() - len(match[0].lstrip(" \t\n,:;\ufeff"))
        bracket, closing, *quoted, word = match.groups()
        at, start = match.end(), start if opened else first
        if bracket:
            opened.append((bracket, []))
            continue
        tell(at / len(text))
        if closing and (not opened or opened[-1][0] != {"]": "[", "}": "{", ")": "("}[closing]):
            return _closed(found, start, opened), first
        if not closing and match[0] and match.lastindex is None:
            break
        value = _made(*opened.pop()) if closing else _scalar(next(filter(None, [*quoted, word]), ""))
        if opened:
            opened[-1][1].append(value)
        else:
            found.append((start, value))
    if not opened and (at >= len(text) or match is not None):
        return found, None
    return _closed(found, start, opened), at


def _closed(found: list[tuple[int, Any]], start: int, opened: list[tuple[str, list[Any]]]) -> list[tuple[int, Any]]:
    """The values, and the last one, which breaks off in the text; its last scalar may be cut."""
    if opened and opened[-1][1] and not isinstance(opened[-1][1][-1], (dict, list)):
        opened[-1][1].pop()
    while opened:
        value = _made(*opened.pop())
        if opened and value:
            opened[-1][1].append(value)
        elif value:
            found.append((start, value))
    return found


def _made(bracket: str, items: list[Any]) -> Any:
    if bracket != "{":
        return items
    return {str(key).lower(): value for key, value in zip(items[::2], items[1::2], strict=False)}


def _scalar(text: str) -> str | int | None:
    if re.fullmatch("-?[0-9]{1,9}", text):
        return int(text)
    return None if text in ("null", "None") else text


def _rows_of(text: str) -> list[tuple[int, Any]] | None:
    """The rows of a table with a move in each: under a head with the keys of moves, or row, column and side.

    A head that comes again begins the next game. None for another text, and for a table with several games' names.
    """
    head, _break, _rest = text.lstrip().partition("\n")
    separator = max(",;\t", key=head.count)
    keys = [key.strip().strip('"').lower() for key in head.split(separator)]
    if len(keys) > MOST_COLUMNS or head[:1] in ("[", "{"):
        return None
    lines = [[_scalar(field.strip().strip('"')) for field in line.split(separator)]
             for line in text.split("\n") if line.strip()]  # fmt: skip
    if "move" not in keys[1:] and not any(set(axes) <= set(keys) for axes in AXES):
        has_sides = all(len(row) == 3 and str(row[2]).lower() in NAMES and _move(row) for row in lines)
        return [(0, lines)] if has_sides and lines else None
    games: list[tuple[int, Any]] = []
    for row in lines:
        if [str(field).lower() for field in row] == keys:
            games.append((0, []))
        elif games:
            games[-1][1].append({key: value for key, value in zip(keys, row, strict=False) if value != ""})
    names = [key for key in keys if key in moves.GAMES]
    if any(len({row.get(key) for row in game}) > 1 for _at, game in games for key in names):
        return None
    return games


# ---- the games among the values


def _games(values: Sequence[tuple[int, Any]]) -> Iterator[tuple[int, list[_Move] | None, Heads]]:
    """Each game with its value's offset; None in place of a value that is no game. Empty if no value is a game."""
    if all((type(each) is dict or (type(each) is list and len(each) == 3)) and _move(each) for _at, each in values):
        values = [(at, [value for _at, value in values]) for at, _value in values[:1]]  # JSON Lines with a move in each
    found = [(at, [*_within(value)]) for at, value in values if not (isinstance(value, list) and _is_pair(value))]
    if any(game for _at, games in found for game, _heads in games):
        for at, games in found:
            yield from ((at, *game) for game in games or [(None, {})])


def _within(value: Any) -> Iterator[tuple[list[_Move] | None, Heads]]:
    """The games in a value; None for each item beside them that is no game. Empty if there is no game.

    The cells of one side, and those of an observation of Reversi, are no game.
    """
    if game := _game(value):
        is_object = isinstance(value, dict)
        yield game, {key: said for key, said in value.items() if key not in OF_MOVES} if is_object else {}
    elif isinstance(value, list):
        found = [[*_within(item)] for item in value]
        if any(game for games in found for game, _heads in games):
            yield from (game for games in found for game in games or [(None, {})])
    elif isinstance(value, dict) and "chess_player_idx" not in value:
        for key, item in value.items():
            yield from _within(item) if isinstance(item, (dict, list)) and key not in NAMES else ()


def _game(value: Any) -> list[_Move]:
    """The moves of a value that is one game; an unreadable entry is a move with its text. [] for another value."""
    if isinstance(value, str):
        text = " ".join(value.split())
        return [_Move(text)] if moves.is_whole(text) and len(read_moves(text, 2, pairs=True).cells) > 1 else []
    if isinstance(value, list) and value and not _is_pair(value):
        found = [_move(item) for item in value]
        if (answers := [item for item in map(_response, value) if item]) and not any(found):
            return list(filter(None, map(_move, answers)))
        cells = [move.said for move in found if move and isinstance(move.said, int)]
        if found[0] is None or (cells and (len({*cells}) < len(cells) or not LARGEST <= max(cells) < LARGEST**2)):
            return []
        if any(isinstance(item, str) and len(read_moves(item, 2).cells) > 1 for item in value[1:2]):
            return []  # several openings, not one game
        return [move or _unread(item) for move, item in zip(found, value, strict=True)]
    if not isinstance(value, dict):
        return []
    asked, answered = value.get("requests"), value.get("responses")
    if isinstance(asked, list) and isinstance(answered, list):
        # The first request of Black's bot (x = -1, y = -1) is no move.
        both = [move for pair in zip_longest(map(_move, asked), map(_move, answered)) for move in pair if move]
        return both[1:] if both and both[0].said == moves.PASS else both
    if isinstance(steps := value.get("steps"), list) and steps and isinstance(steps[0], list):
        return _of_kaggle(steps)
    for key in LISTS:
        if isinstance(given := value.get(key), (list, str)) and given:
            if isinstance(given, str) and moves.is_whole(" ".join(given.split())):
                return [_Move(" ".join(given.split()))]
            return _game(given) if isinstance(given, list) else []
    return []


def _of_kaggle(steps: list[Any]) -> list[_Move]:
    """The moves of a log of Kaggle. Each step has the state of both players after it."""
    found = list[_Move]()
    for before, after in pairwise(steps):
        active = [at for at, state in enumerate(before) if isinstance(state, dict) and state.get("status") == "ACTIVE"]
        if len(active) != 1 or active[0] >= len(after) or not isinstance(after[active[0]], dict):
            break
        action = after[active[0]].get("action")
        found.append(_move(action) or _unread(action))
    return found


def _response(value: Any) -> Any:
    """The answer of a bot in an item of Botzone's log; None if the item has none."""
    if not isinstance(value, dict):
        return None
    return next((item["response"] for item in value.values() if isinstance(item, dict) and "response" in item), None)


def _is_pair(value: list[Any]) -> bool:
    return len(value) == 2 and all(type(part) is int and 0 <= part < LARGEST for part in value)


def _unread(value: Any) -> _Move:
    """A value that is no move, as text that is not read as a move; in braces it would be read as a comment."""
    return _Move(json.dumps(value).strip("{}"))


def _move(value: Any) -> _Move | None:
    """The move that a value stands for; None if the value is no move."""
    if isinstance(value, int):
        return _Move(value)
    if isinstance(value, str):
        found = read_moves(value, 2)
        return _Move(value) if len(found.cells) == 1 and not found.rest else None
    if isinstance(value, list) and len(value) > 1:
        if _is_pair(value[:2]) and not any(isinstance(part, (dict, list)) for part in value):
            return _Move(f"({value[0]},{value[1]})", ("row", "col"), str(value[2]).lower() if len(value) > 2 else "")
        named = [part for part in value if isinstance(part, str) and _move(part)]
        others = [str(part).lower() for part in value if part not in named and not isinstance(part, (dict, list))]
        return _Move(named[0], side=others[0]) if len(named) == 1 and len(others) == len(value) - 1 else None
    if not isinstance(value, dict):
        return None
    side = str(next((value[key] for key in SIDES if key in value), "")).lower()
    axes = next((axes for axes in AXES if value.keys() >= set(axes)), None)
    if axes is None:
        place = next((value[key] for key in PLACES if key in value), None)
        if place is not None and (move := _move(place)) is not None:
            return move._replace(side=side or move.side)
        return _Move(moves.PASS, side=side) if str(value.get("pass")).lower() == "true" else None
    row, col = (value[key] for key in axes)
    if row in _NOTHING and col in _NOTHING:
        return _Move(moves.PASS, axes, side)
    if isinstance(col, str) and len(col) == 1 and col.isalpha():
        return _Move(f"{col}{row}", side=side)
    return _Move(f"({row},{col})", axes, side) if type(row) is type(col) is int else None


# ---- the turns of a game


def _turns(game: Sequence[_Move], size: int | None, place: str) -> tuple[list[Turn], str]:
    """The turns of a game, and the damage behind them. `size`: the side of the board, for the numbers of cells.

    Raises RunnerError if `size` is None and cannot be inferred.
    """
    sides = list(dict.fromkeys(move.side for move in game))
    players = {side: NAMES.get(side, at) for at, side in enumerate(sides)} if len(sides) < 3 and "" not in sides else {}
    numbers = [move.said for move in game if isinstance(move.said, int)]
    side, turns = (size or _side(numbers)) if numbers else 1, list[Turn]()
    for move in game:
        said = move.said
        if isinstance(said, int):
            said = name(divmod(said, side)) if 0 <= said < side * side else moves.PASS
        read = read_moves(said, pairs=True)
        if read.rest or not read.cells:
            return turns, moves.unread(place, said)
        turns += [Turn(cell, players.get(move.side), place) for cell in read.cells]
    return turns, ""


def _how_read(game: Sequence[_Move], turns: Sequence[Turn], setup: GameSetup | None) -> str:
    """A sentence (Message) about how the moves of a game were read; "" for names of cells. Raises as `moves.from_0`."""
    first = next((turn.cell for turn in turns[:1] if turn.cell), None)
    if first and any(isinstance(move.said, int) for move in game):
        return Message("numbers are read as cells, row by row from 0: the first move is {cell}", cell=written(first))
    if not any(isinstance(move.said, str) and read_moves(move.said, 1, pairs=True).pairs for move in game):
        return ""
    from_0 = moves.from_0([turn.cell for turn in turns], setup)
    if first is None or game[0].axes != ("y", "x"):
        return from_0
    return Message("x is read as the column and y as the row, counted from 0: the first move is {cell}",
                   cell=written(first))  # fmt: skip


def _side(numbers: Sequence[int]) -> int:
    """The smallest board on which cells with these numbers are moves of a game, as `moves.game_of` infers it."""
    for size in sorted({kind.board[0] for kind in kinds()}):
        cells = tuple(divmod(number, size) for number in numbers if number >= 0)
        if max(numbers) < size * size and moves.game_of(cells).make().board_height == size:
            return size
    raise RunnerError(_("numbers of cells need the side of the board; give --env and --board-size"))


FORMAT = FileFormat(
    Message("moves in JSON"),
    Message("objects with x and y or row and col, counted from 0, names or numbers of cells in lists; JSON Lines"),
    order=3, takes_setup=True,
)  # fmt: skip
