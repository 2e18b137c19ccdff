"""Moves as objects or lists in JSON, as other programs and printed Python lists have them.

    [{"x": 7, "y": 7}, {"x": 8, "y": 8}]              x is the column and y the row, counted from 0
    {"moves": [{"row": 7, "col": 7, "player": 1}]}    row and column, r and c, i and j; the side in turn
    {"moves": ["h8", "i9"]}, {"moves": "h8i9"}        names, or pairs of row and column
    x,y / 7,7 / 8,8, or step,player,move / 1,B,h8     a table (CSV) of one game with a move in each row
    {"requests": [...], "responses": [...]}           what a bot of Botzone gets; in its log only "response" is a move

x is the column because it is the column in SGF, in Gomocup and on every screen. The note of the file says so, with the
first move. The moves become the text of files/moves.py, which reads them.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from local_runner.formats.file_format import FileFormat, GameFile
from local_runner.formats.files import moves
from local_runner.formats.source import Source
from local_runner.game.coordinates import written
from local_runner.language.languages import Message

HEAD = 10_000  # characters that decide whether a file has such moves
AXES = (("row", "col"), ("row", "column"), ("r", "c"), ("y", "x"), ("i", "j"), ("行", "列"))  # keys of row and column
SIDES = ("player", "color", "colour", "side", "piece", "stone", "role")  # keys of a move's side
MOST_COLUMNS = 30  # columns of a table with a move in each row
NAMES = {"black": "black", "b": "black", "white": "white", "w": "white", "黑": "black", "白": "white"}
_OBJECT = re.compile(r"\{[^{}]*\}")
_FIELD = re.compile(r"""["']?(\w+)["']?\s*:\s*["']?(-?\w+)""")
_LIST = re.compile(r"""["']?(?:moves?|history|actions?|record|steps|plies|棋谱|着法)["']?\s*:\s*(?=[\["'])""")
_PLACE = re.compile(
    r"""["']?(?:move|pos(?:ition)?|cell|action|point|coords?|loc(?:ation)?)["']?\s*:\s*"""
    r"""(?:["'](\w+)["']|\[\s*([0-9]{1,2}\s*,\s*[0-9]{1,2})\s*\])"""
)
_RESPONSE = re.compile(r"""["']response["']\s*:\s*(\{[^{}]*\})""")
_BOTH = [re.compile(rf"""["']{name}["']\s*:\s*\[([^\[\]]*)""") for name in ("requests", "responses")]
_NOTHING = ("null", "None", "-1")  # the coordinates of a pass


def fits(content: bytes) -> bool:
    """Whether the first objects of a text are moves, or a list of moves has a name."""
    text = _arranged(Source("", content[: 4 * HEAD]).text[:HEAD].lstrip())
    return text[:1] in ("[", "{") and (any(_moves(text)) or _listed(text) is not None)


def read(source: Source) -> GameFile:
    """The game of a text. Raises RunnerError as `moves.read` does."""
    text = _arranged(source.text.lstrip())
    found = list(_moves(text))
    if not found:
        return moves.read(replace(source, content=(_listed(text) or "").encode()))
    sides = list(dict.fromkeys(side for _axes, _move, side in found))
    if len(sides) > 2 or None in sides or not all(NAMES.get(str(side), side) for side in sides):
        sides = []
    called = {side: NAMES.get(str(side), ("black", "white")[at]) for at, side in enumerate(sides)}
    parts = [f"{called.get(side, '')} {move}" for _axes, move, side in found]
    rest = text[text.rindex("}") + 1 :] if "}" in text else ""
    broken = text[text.rfind("{") :] if "{" in rest or text.rfind("{") > text.rfind("}") else ""
    games = moves.read(replace(source, content=" ".join([*parts, broken]).encode()))
    if games.note and found[0][0] == ("y", "x"):
        first = next(filter(None, games.game(0).cells), None)
        words = Message("x is read as the column and y as the row, counted from 0: the first move is {cell}",
                        cell=written(first)) if first else ""  # fmt: skip
        games.note = words
    return games


def _arranged(text: str) -> str:
    """The text, with moves of Botzone or of a table made into a list of objects in the order of play.

    The first request of Black's bot (x = -1, y = -1) is no move. A log repeats each response as the next request.
    """
    if answers := _RESPONSE.findall(text):
        return f"[{','.join(answers)}]"
    if all(found := [names.search(text) for names in _BOTH]):
        asked, answered = (_OBJECT.findall(each[1]) for each in found if each)
        both = [move for pair in zip_longest(asked, answered) for move in pair if move]
        return f"[{','.join(both[1:] if both and '-1' in both[0] else both)}]"
    return _objects(text)


def _objects(text: str) -> str:
    """The rows of a table as objects, if its head has the keys of moves and it holds one game; else the text."""
    head, _break, rest = text.partition("\n")
    separator = max(",;\t", key=head.count)
    keys = [name.strip().strip('"').lower() for name in head.split(separator)]
    if len(keys) > MOST_COLUMNS or not ("move" in keys[1:] or any(set(axes) <= set(keys) for axes in AXES)):
        return text
    rows = [[value.strip().strip('"') for value in line.split(separator)] for line in rest.splitlines() if line.strip()]
    if any(len({row[at] for row in rows if at < len(row)}) > 1 for at, key in enumerate(keys) if key in moves.GAMES):
        return text
    pairs = (zip(keys, row, strict=False) for row in rows)
    return "".join("{" + ",".join(f'"{key}":"{value}"' for key, value in row) + "}\n" for row in pairs)


def _moves(text: str) -> Iterator[tuple[tuple[str, str], str, str | None]]:
    """The axes of each object that is a move, the move as text, and the value of its side."""
    for found in _OBJECT.finditer(text):
        fields = {name.lower(): value for name, value in _FIELD.findall(found[0])}
        axes = next((axes for axes in AXES if fields.keys() >= set(axes)), None)
        side = next((fields[name].lower() for name in SIDES if name in fields), None)
        if axes is None:
            if place := _PLACE.search(found[0]):
                yield AXES[0], place[1] or f"({place[2]})", side
            elif fields.get("pass", "").lower() == "true":
                yield AXES[0], moves.PASS, side
            continue
        row, col = (fields[name] for name in axes)
        if row in _NOTHING and col in _NOTHING:
            yield axes, moves.PASS, side
        else:
            yield axes, f"{col}{row}" if len(col) == 1 and col.isalpha() else f"({row},{col})", side


def _listed(text: str) -> str | None:
    """The text of a named list or string of moves; None if there is none."""
    for found in _LIST.finditer(text):
        rest = text[found.end() :]
        value = rest[: rest.rindex("]") + 1] if rest[0] == "[" and "]" in rest else rest[1:].partition(rest[0])[0]
        if moves.is_whole(" ".join(value.split())):
            return " ".join(value.split())
    return None


FORMAT = FileFormat(
    Message("moves in JSON"),
    Message("one game: objects with x and y or row and col, counted from 0, or names in a list"),
    order=3,
    takes_setup=True,
)
