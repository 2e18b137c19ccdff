"""Tables with a game a row and a column of moves (CSV), such as data sets of Othello games: id,winner,game_moves.

The columns are separated by commas, semicolons, tabs or |. The column of moves is the first one in which every row has
several moves and nothing else. A head may name columns for winner and players. In files that tengen wrote, "game" names
the game, the board and the rules, "ending" says how the game ended, and passes are --.
"""

import csv
import functools
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from env_adapter.game import BLACK, DRAW, WHITE
from local_runner.formats import heads, kinds
from local_runner.formats.file_format import FileFormat, GameFile
from local_runner.formats.files.moves import MOST_MOVES, PASS, game_of_all, unread
from local_runner.formats.heads import ending_of, result_of
from local_runner.formats.saved_game import Part, SavedGame, Turn, UncheckedGame
from local_runner.formats.source import MOST_BYTES, Source, name_of, words_of
from local_runner.game import coordinates
from local_runner.game.move_text import MoveText, plain, read_moves
from local_runner.game.setup import GameSetup
from local_runner.language.languages import Message
from local_runner.language.text import in_line

SEPARATORS = ",;\t|"
TRIED = 20  # number of first rows by which the column of moves is found
HEAD = 100_000  # number of bytes at the start by which `fits` decides
LARGEST = 100  # most columns that are looked at
LONGEST = 100_000  # most characters of a field
_SEPARATOR = re.compile(r"sep=([,;\t|])\r?\n")  # the first line of a table for Excel
TITLE = re.compile(r"[\w\s.#/()-]{0,60}")  # a field of the head
COLUMNS = {  # names of the columns in the head
    "black": re.compile(r"black(?:_?(?:player|name))?|player_?1|黑方?"),
    "white": re.compile(r"white(?:_?(?:player|name))?|player_?2|白方?"),
    "winner": re.compile(r"winner|result|outcome|胜者|结果"),
    "game": re.compile("game"),
    "ending": re.compile("ending"),
}
OURS = [*COLUMNS, "moves"]  # the head of a file that tengen wrote
WINNERS = {"1": BLACK, "-1": WHITE, "2": WHITE, "0": DRAW, "0.5": DRAW}  # numbers of data sets; 1 is Black in all

csv.field_size_limit(MOST_BYTES)

Row = Sequence[str]
Columns = dict[str, int]  # the numbers of the columns "moves" and of those in COLUMNS; "head": the rows above


def fits(content: bytes) -> bool:
    """Whether the first rows of a file have a column of moves."""
    return _columns(_rows(Source("", content[:HEAD]).text, whole=len(content) < HEAD)) is not None


def read(source: Source) -> GameFile:
    """The games of a table."""
    if (columns := _columns(_rows(source.text))) is None:
        return GameFile("table", list[UncheckedGame](), lambda game: game)
    body = source.entries(islice(_rows(source.text), columns["head"], None), lambda _row: 0)
    rows = [row for row in body if "game" in columns or _field(row, columns, "moves").strip()]
    shared = functools.cache(lambda: source.setup or game_of_all(_moves(row, columns).cells for row in rows))
    problem = Message("a quotation mark is not closed") if source.text.count('"') % 2 else ""
    note = Message("rows without moves: {rows}", rows=len(body) - len(rows)) if len(rows) < len(body) else ""
    return GameFile("table", list(enumerate(rows, start=1)), lambda game: _unchecked(
        *game, columns, source.setup, shared
    ), problem=problem, note=note)  # fmt: skip


def _rows(text: str, *, whole: bool = True) -> Iterator[Row]:
    """The rows that are not blank. `whole`: the last row is not cut off."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(SEPARATORS, key=first.count)
    if named := _SEPARATOR.match(text):
        separator, text = named[1], text[named.end() :]
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
    before: Row | None = None
    for row in reader:
        if any(field.strip() for field in row):
            if before is not None:
                yield before
            before = row
    if before is not None and whole:
        yield before


def _columns(rows: Iterator[Row]) -> Columns | None:
    """The columns of a table; None if there is no column of moves beside others."""
    tried = list(islice(rows, TRIED + 1))
    if not tried:
        return None
    if [title for title in tried[0] if title not in heads.OURS.values()] == OURS:
        return {"head": 1, **{what: at for at, what in enumerate(tried[0])}}
    head = 0 if any(read_moves(field[:LONGEST]).cells for field in tried[0]) else 1
    body = tried[head:]
    fields = [[row[at] for row in body if at < len(row) and row[at].strip()] for at in range(max(map(len, tried)))]
    moves = next((at for at, column in enumerate(fields) if column and all(map(_is_game, column))), None)
    is_named = head and len(tried[0]) > 1 and all(map(TITLE.fullmatch, tried[0]))
    # A table has a column without any move. If every column has moves, the rows are moves with separators between them.
    has_others = any(not any(read_moves(row[at]).cells for row in body) for at in range(min(map(len, body), default=0)))
    if moves is None or not (is_named or has_others):
        return None
    titles = [title if at != moves else "" for at, title in enumerate(tried[0][: LARGEST if head else 0])]
    return {"head": head, "moves": moves, **named(titles)}


def named(titles: Sequence[str]) -> Columns:
    """The numbers of the columns of COLUMNS and of the heads that have a title."""
    patterns = {**COLUMNS, **{name: re.compile(name) for name in heads.OURS.values()}}
    found = ((what, at) for at, title in reversed([*enumerate(map(plain, titles))])
             for what, pattern in patterns.items() if pattern.fullmatch(title.strip()))  # fmt: skip
    return dict(found)


def _is_game(field: str) -> bool:
    """Whether a field has two moves or more, and nothing else."""
    moves = read_moves(field[:LONGEST], MOST_MOVES)
    return len(moves.cells) > 1 and any(moves.cells) and not moves.rest and field.count("(") == field.count(")")


def _field(row: Row, columns: Columns, what: str) -> str:
    at = columns.get(what, len(row))
    return row[at] if at < len(row) else ""


def _moves(row: Row, columns: Columns) -> MoveText:
    return read_moves(_field(row, columns, "moves")[:LONGEST], MOST_MOVES)


def _unchecked(
    number: int, row: Row, columns: Columns, setup: GameSetup | None, shared: Callable[[], GameSetup]
) -> UncheckedGame:
    """The game of a row. `shared`: returns the setup for all rows that name no game."""
    place = Message("game {number}", number=number)
    moves = _moves(row, columns)
    own = kinds.of_words(_field(row, columns, "game"))
    game = described(UncheckedGame(
        setup or own or shared(), [Turn(cell, place=place) for cell in moves.cells], damage=unread(place, moves.rest),
        leaves_out_passes=not own, winner_must_fit=False,
    ), row, columns, others=len(row) > len(columns) - 1)  # fmt: skip
    return replace(game, ending=words_of(_field(row, columns, "ending"))) if own else game


def described(game: UncheckedGame, row: Row, columns: Columns, *, others: bool) -> UncheckedGame:
    """The game with the names, result and heads of a row. `others`: whether the row has other headers."""
    said = functools.partial(_field, row, columns)
    names, result = (name_of(said("black"), 0), name_of(said("white"), 1)), said("winner").strip()
    known = {**dict(zip(names, (BLACK, WHITE), strict=True)), **WINNERS}
    winner, how = (known[result], "") if result in known else result_of(result)
    left_out = frozenset({Part.OTHER} if others or (result and not winner) else ())
    return replace(game, names=names, winner=winner, ending=ending_of(winner, how), left_out=left_out,
                   heads=heads.heads_of(heads.OURS, said))  # fmt: skip


def join(games: Sequence[SavedGame]) -> str:
    """The games, one a row, under a head."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    more = [part for part in heads.HEADS if any(part in game.heads for game in games)]
    table.writerow([*OURS[:-1], *(heads.OURS[part] for part in more), OURS[-1]])
    codes = {BLACK: "1", WHITE: "2", DRAW: "0"}
    for game in games:
        moves = " ".join(coordinates.name(cell) if cell else PASS for cell in game.cells)
        words = kinds.in_words(game.setup)
        table.writerow([
            *map(in_line, game.names), codes.get(game.winner, ""), words, in_line(game.ending),
            *(game.heads.get(part, "") for part in more), moves,
        ])  # fmt: skip
    return text.getvalue()


FORMAT = FileFormat(
    Message("a table (CSV) with a column of moves"),
    Message("a game a row, with players and winner if the head names them; at Reversi passes may be left out"),
    ending="csv", media="text/csv; charset=utf-8", loses=frozenset({Part.OPENING, Part.TIMES, Part.THOUGHTS}),
    heads=heads.OURS, takes_setup=True,
)  # fmt: skip
