"""Moves as text: h8h9i9, or 1. f5 d6 2. c3 with numbers and separators (game/move_text.py). Text after # is ignored.

A line is a game. Except in a file ending with .pos, a book of openings, a line continues the game above if

- it begins with the number of the next move or round
- the lines are the columns of Black's and White's moves: one or two moves each, and no cell comes twice
- it is a line of Reversi, legal after the line before, but not from the start of the game

Lines before the first move, such as a title or the head of a table, are skipped. The caller or the file's name may name
the game, as in gobang_1v1_test.pos. Otherwise it is the smallest Reversi board on which the first `DECISIVE_PLIES`
plies are legal, else the smallest board of the other games that has all the cells, else a larger board of gobang. All
games of a file are on one board: one of Reversi if more than half of them are legal there, else one with all the cells.
"""

import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from env_adapter import Cell, GameKind, kind_of, kinds, names
from local_runner.errors import RunnerError
from local_runner.formats.file_format import FileFormat, GameFile
from local_runner.formats.heads import ending_of, result_of
from local_runner.formats.saved_game import Part, SavedGame, Turn, UncheckedGame, checked, lost_turns
from local_runner.formats.source import LARGEST, Source
from local_runner.game import coordinates
from local_runner.game.coordinates import written
from local_runner.game.move_text import REMARK, MoveText, read_moves
from local_runner.game.setup import GameSetup
from local_runner.game.wording import COLOURS
from local_runner.language.languages import Message, _
from local_runner.language.text import shortened

PASS = "--"
BOOK = ".pos"  # the ending of a file in which every line is a game
MOST_MOVES = 2 * LARGEST**2  # most moves that are read of a game
USUAL = 20  # cells: least side of the "larger board of gobang", the size at the Gomocup
DECISIVE_PLIES = 6  # first plies of a line that decide whether the line is a game of Reversi
COLUMNS = 2  # most moves in a line of a table with a column for Black and one for White
TRIED = 1000  # number of first games by which a file is found to be of Reversi
HEAD = 5000  # number of the first line's characters by which `fits` decides
TITLES = 20  # most lines before the first move
GAMES = ("game", "game_id", "gameid", "match", "id")  # columns that tell several games apart

_RULER = re.compile(r"[`=~*_+|\[\](),\s]+|-{5,}|[:\s-]*[|+][|+:\s-]*")  # lines that only frame the moves
_COLUMNS = re.compile("[,;|\t]")
_ALONE = re.compile(r"([0-9]{1,3})\s*[.)、]?")  # a line with only a move's number: a table copied from a web page
_ROWS_AND_COLUMNS = re.compile(r"\s*(?:r[0-9]{1,2}[ ,]*c[0-9]{1,2}[\s,;]*)+", re.IGNORECASE)
_RESULT = re.compile(
    r"(?:(?<=\s)|(?<!.)|(?=[黑白认投和平]))[(\[]?([0-9]{1,3}\s*[-:–]\s*[0-9]{1,3}|[+-][0-9]{1,2}|1/2-1/2|½-½|\*|[BW]\+\S*"
    r"|(?:black|white|[黑白][方棋]?)\s*(?:win|won|lose|lost|resign|中盘|[胜勝赢负]|认输|超时)[^0-9]{0,20}"
    r"|resign(?:s|ed)?|认输|投了|draw|和棋|平局)[)\].。]?\s*\Z", re.IGNORECASE,
)  # fmt: skip
_GIVES_UP = re.compile("resign|认输|投了", re.IGNORECASE)


class Line(NamedTuple):
    """A line of a file with moves."""

    number: int  # the number of the line in the file, from 1
    text: str


Lines = tuple[Line, ...]  # the lines of one game
_read = functools.partial(read_moves, pairs=True)


def fits(content: bytes) -> bool:
    """Whether the first line with a move has only moves, or more than one move. For pairs of numbers, two lines decide.

    Under a title, pairs of numbers are not taken for moves, and a table of several games does not fit.
    """
    lines = list(islice(_lines(Source("", content[:100_000]).text), TITLES + 2))
    titles = _titles(lines)
    first, *second = [line.text[:HEAD] for line in lines[titles : titles + 2]] or [""]
    moves = _read(first)
    heads = [{name.strip().lower() for name in _COLUMNS.split(line.text)} for line in lines[:titles]]
    if titles and (moves.pairs or any(len(names) > 1 and not names.isdisjoint(GAMES) for names in heads)):
        return False
    return (_read(" ".join([first, *second])) if moves.pairs else moves).is_moves


def is_whole(text: str) -> bool:
    """Whether the first line of a text has moves and nothing else."""
    first = next(_lines(text), None)
    return first is not None and (moves := _read(first.text)).is_moves and not moves.rest


def read(source: Source) -> GameFile:
    """The games of a text. Raises RunnerError for moves such as r7c8, and for pairs that may be counted from 1."""
    named = next((GameSetup(env) for env in names() if env in source.name), None)
    setup = source.setup or named
    if _ROWS_AND_COLUMNS.fullmatch(source.text):
        raise RunnerError(_("r7c8 may be a row and a column, or two cells; write moves like h8i9j10"))
    lines = list(_lines(source.text))
    titles = {*lines[: _titles(lines)], *_titles_between(lines)}
    every = _games([line for line in lines if line not in titles], setup, is_book=source.name.lower().endswith(BOOK))
    games = source.entries(every, lambda game: game[-1].number / lines[-1].number)
    cells = ((cell for line in game for cell in _read(line.text, MOST_MOVES).cells) for game in games)
    shared = functools.cache(lambda: setup or game_of_all(tuple(game) for game in cells))
    said = "left out is text outside the games, such as: {words}"
    note = Message(said, words=shortened(min(titles).text)) if titles else ""
    rests = (_read(game[-1].text, MOST_MOVES).rest for game in games[:TRIED])
    if words := next((rest for rest in rests if REMARK.match(rest) and not _RESULT.match(rest)), ""):
        note = Message("words behind the moves are left out, such as: {words}", words=shortened(words))
    pairs = _read(games[0][0].text if games else "", MOST_MOVES)
    note = from_0(pairs.cells, setup) if pairs.pairs else note
    return GameFile("moves", games, lambda game: _unchecked(game, shared()), note=note)


def from_0(cells: Sequence[Cell | None], setup: GameSetup | None) -> Message:
    """A sentence that these rows and columns are counted from 0, with the first move.

    Raises RunnerError if the caller names no game, and the moves fit the usual board of gobang only if they are counted
    from 1. Moves of Reversi 8x8 counted from 1 are read as moves of Reversi 10x10 counted from 0.
    """
    here, less = game_of(tuple(cells)), tuple(cell and (cell[0] - 1, cell[1] - 1) for cell in cells)
    fits_less = all(min(cell) >= 0 for cell in less if cell) and not game_of(less).board_size
    if setup is None and here.board_size and fits_less:
        sentence = _("are rows and columns counted from 0 or from 1? Counted from 0, they need a board of "
                     "{size}x{size}; write names such as h8, or give --env and --board-size")  # fmt: skip
        raise RunnerError(sentence.format(size=here.board_size))
    first = next(cell for cell in cells if cell)
    return Message("rows and columns are counted from 0: the first move is {cell}", cell=written(first))


def _lines(text: str) -> Iterator[Line]:
    """The lines that are not blank, comments or frames.

    If a line has only the number of a move, up to two lines after it are added to it, if the numbers count from 1.
    """
    group: list[str] = []  # the number and the lines behind it
    first = count = 0  # the line of the number, and the last number
    for number, line in enumerate(text.splitlines(), start=1):
        moves = line.partition("#")[0].strip()
        if not moves or _RULER.fullmatch(moves):
            continue
        alone = _ALONE.fullmatch(moves)
        is_next = alone is not None and int(alone[1]) == count + 1
        if group and (is_next or len(group) > COLUMNS):
            yield Line(first, " ".join(group))
            group = []
        if is_next:
            first, count, group = number, count + 1, [moves]
        elif group:
            group.append(moves)
        else:
            yield Line(number, moves)
    if group:
        yield Line(first, " ".join(group))


def _titles(lines: Sequence[Line]) -> int:
    """The number of lines before the first one with a move; 0 if there are more than `TITLES`."""
    for number, line in enumerate(lines[: TITLES + 1]):
        moves = _read(line.text[:HEAD], COLUMNS)
        if any(moves.cells) or (moves.cells and not moves.rest):
            return number
    return 0


def _titles_between(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines without moves and results above the first round of a game that is not the first."""
    for line, below in pairwise(lines):
        if not (_read(line.text, 1).cells or _RESULT.match(line.text)) and _read(below.text, COLUMNS).number == 1:
            yield line


def _games(lines: Sequence[Line], setup: GameSetup | None, *, is_book: bool) -> Iterator[Lines]:
    if not is_book and _is_table(lines):
        yield tuple(lines)
        return
    game: list[Line] = []
    cells: list[Cell | None] = []
    for line in lines:
        moves = _read(line.text, MOST_MOVES)
        if not moves.cells and len(cells) % 2 and (white := _read(line.text, MOST_MOVES, before=1)).cells:
            game.append(line)
            cells += white.cells
            continue
        if game and not is_book and _goes_on(cells, moves, setup):
            game.append(line)
            cells += moves.cells
            continue
        if game:
            yield tuple(game)
        game, cells = [line], list(moves.cells)
    if game:
        yield tuple(game)


def _is_table(lines: Sequence[Line]) -> bool:
    """Whether the lines are the columns of Black's and White's moves of one game."""
    if not 1 < len(lines) <= LARGEST**2:
        return False
    rows = [_read(line.text, COLUMNS + 1) for line in lines]
    cells = [cell for row in rows for cell in row.cells if cell]
    whole = all(row.number is None and not row.rest and len(row.cells) <= COLUMNS for row in rows)
    return whole and len(cells) == len(set(cells)) and len({len(row.cells) for row in rows[:-1]}) == 1


def _goes_on(cells: Sequence[Cell | None], line: MoveText, setup: GameSetup | None) -> bool:
    """Whether a line continues the game with these cells. A line without any move is damage of this game."""
    if not line.cells:
        return True
    first = next(filter(None, line.cells), None)
    if first is None or not set(filter(None, cells)).isdisjoint(line.cells):
        return False
    if line.sided:
        return len(cells) % 2 == 0
    if line.number is not None:
        return line.number > 1 and line.number - 1 in (len(cells), len(cells) // 2)
    setup = setup or game_of(tuple(cells))
    if not setup.kind.rules.illegal_free or _begins(setup, line.cells[:DECISIVE_PLIES]):
        return False
    turns = [Turn(cell) for cell in (*cells, *line.cells[: line.cells.index(first) + 1])]
    return not checked(UncheckedGame(setup, turns, leaves_out_passes=True)).damage


def unread(place: str, rest: str) -> str:
    """The damage of a game whose moves cannot be read from `rest` on; "" if nothing is left."""
    words = "{place} cannot be read from {rest!r} on; write moves like h8i9j10"
    return Message(words, place=place, rest=shortened(rest[:20])) if rest else ""


def _unchecked(game: Lines, setup: GameSetup) -> UncheckedGame:
    turns: list[Turn] = []
    damage: str = ""
    result = _RESULT.search(game[-1].text)  # behind the moves, such as 38-26
    if result:
        game = (*game[:-1], game[-1]._replace(text=game[-1].text[: result.start()]))
    for line in game:
        place = Message("line {number}", number=line.number)
        moves = _read(line.text, MOST_MOVES - len(turns), before=len(turns))
        turns += (Turn(cell, place=place) for cell in moves.cells)
        if moves.rest and not (moves.cells and REMARK.match(moves.rest)):
            damage = unread(place, moves.rest)
            break
    said = result[1] if result else ""
    gives_up = not damage and _GIVES_UP.match(said)
    winner, how = result_of(f"{COLOURS[len(turns) % 2]} {said}" if gives_up else said)
    return UncheckedGame(
        setup, turns, COLOURS, winner, ending_of(winner, how), damage,
        leaves_out_passes=True, winner_must_fit=False,
    )  # fmt: skip


@functools.lru_cache(maxsize=4096)
def game_of(cells: tuple[Cell | None, ...]) -> GameSetup:
    """The game to which moves seem to belong, inferred as the module's docstring says."""
    for kind in _by_size():
        if kind.rules.illegal_free and cells and _begins(GameSetup(kind.name), cells[:DECISIVE_PLIES]):
            return GameSetup(kind.name)
    return _game_on(max((max(cell) + 1 for cell in cells if cell), default=0))


def game_of_all(games: Iterable[tuple[Cell | None, ...]]) -> GameSetup:
    """The game of a file: one of Reversi if more than half of the games are; else the one with the board that all fit.

    The first `TRIED` games decide whether it is Reversi.
    """
    every = list(games)
    inferred = Counter(map(game_of, every[:TRIED]))
    usual, number = inferred.most_common(1)[0] if inferred else (_game_on(0), 0)
    if usual.kind.rules.illegal_free and 2 * number > inferred.total():
        return usual
    return _game_on(max((max(cell) + 1 for game in every for cell in game if cell), default=0))


def _by_size() -> list[GameKind]:
    return sorted((kind for kind in kinds() if not kind.setup.start), key=lambda kind: kind.board)


def _game_on(side: int) -> GameSetup:
    """The game of stones in a row with the smallest board on which cells up to this side lie."""
    plain = [kind.name for kind in _by_size() if not kind.rules.illegal_free]
    for env in plain:
        if side <= min(kind_of(env).board):
            return GameSetup(env)
    return GameSetup(plain[-1], board_size=min(max(side, USUAL), LARGEST))


def _begins(setup: GameSetup, cells: tuple[Cell | None, ...]) -> bool:
    """Whether the moves before the first pass are legal from the start of the game."""
    before = cells[: cells.index(None)] if None in cells else cells
    if not before or before[0] not in _first_moves(setup):
        return False
    try:
        setup.make().replay(before)
    except ValueError:
        return False
    return True


@functools.lru_cache(maxsize=64)
def _first_moves(setup: GameSetup) -> frozenset[Cell]:
    return frozenset(setup.make().legal_moves())


def write(game: SavedGame) -> str:
    """The game as a line of moves.

    A forced pass between two moves is left out. Three kinds of passes are written: lost turns (the player had a legal
    move), passes beside a lost turn, and passes after the last move. Raises RunnerError for a game that begins from a
    given board, and for a game without moves.
    """
    if not any(game.cells):
        raise RunnerError(_("a game without moves makes no line; leave it out"))
    if game.setup.board:
        raise RunnerError(_("moves cannot say from which board the game begins; give a file ending with .sgf"))
    if all(game.cells):
        return coordinates.spelt(filter(None, game.cells)) + "\n"
    lost, last = lost_turns(game), max(ply for ply, cell in enumerate(game.cells) if cell)
    kept = {near for ply in lost for near in (ply - 1, ply, ply + 1)}
    words = [coordinates.name(cell) if cell else PASS if ply in kept or ply > last else ""
             for ply, cell in enumerate(game.cells)]  # fmt: skip
    return "".join(words) + "\n"


def join(games: Sequence[SavedGame]) -> str:
    """One line for each game. With several games, each line begins with "1.", so that no reader joins the lines to one
    game.
    """
    return "".join(("1. " if len(games) > 1 else "") + write(game) for game in games)


BUT_MOVES = frozenset(Part) - {Part.MOVES}
FORMAT = FileFormat(
    Message("moves like h8h9i9 or 1. f5 d6"), Message("a game a line; at Reversi passes may be left out"),
    ending="txt", loses=BUT_MOVES, order=3, takes_setup=True,
)  # fmt: skip
