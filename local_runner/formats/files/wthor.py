"""WTHOR, the database of the French Othello Federation (.wtb), with the names from the .jou and .trn beside it.

All numbers are little-endian. The header of each file has 16 bytes:

    0   4 bytes   date: century, year, month, day
    4   int32     games of a .wtb
    8   int16     names of a .jou or .trn
    10  int16     year of the games
    12  4 bytes   side of the board (0: 8); 1 for solitaires, which begin in mid-game; depth of the perfect score; 0

A game has 68 bytes on 8x8 and 104 on 10x10: numbers of the tournament and of both players (int16), Black's discs at the
end and with best play, then the moves without passes, 10 * row + column from 1, filled with zeros. The winner gets the
empty cells. A .jou has names of 20 bytes, a .trn of 26, filled with zeros.
"""

import struct
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from env_adapter import SgfGame
from env_adapter.endings import WITH_DISCS
from env_adapter.game import BLACK, DRAW, EMPTY, WHITE
from local_runner.errors import RunnerError
from local_runner.formats import kinds
from local_runner.formats.file_format import FileFormat, GameFile, Heading
from local_runner.formats.heads import FILLER, heads_of
from local_runner.formats.saved_game import Part, SavedGame, Turn, UncheckedGame, at_end, lost_turns
from local_runner.formats.source import Source, name_of
from local_runner.game.wording import COLOURS
from local_runner.language.languages import Message, _
from local_runner.language.text import shortened

HEADER = struct.Struct("<4BiHHBBBx")
GAME = struct.Struct("<HHHBB")  # the fields of a game before its moves
SIZES = {0: 8, 8: 8, 10: 10}  # the byte for the board -> its side
CENTURIES, YEARS = range(19, 22), range(1900, 2100)
PLAYERS, TOURNAMENTS = (".jou", 20), (".trn", 26)  # ending of a list of names, and the bytes of a name
ENCODING = "latin-1"
HEADS = {Part.EVENT: "tournament"}


def fits(content: bytes) -> bool:
    """Whether a file begins with the header of a .wtb."""
    if len(content) < HEADER.size:
        return False
    century, year, month, day, games, _names, played, board, kind, depth = HEADER.unpack_from(content)
    is_date = century in CENTURIES and year < 100 and 1 <= month <= 12 and 1 <= day <= 31
    return is_date and games > 0 and (played in YEARS or not played) and board in SIZES and kind < 2 and depth <= 96


def read(source: Source) -> GameFile:
    """The games of a database. Raises RunnerError for solitaires, and if the file breaks off before its first game."""
    content = source.content
    *_date, games, _names, year, board, kind, _depth = HEADER.unpack_from(content)
    if kind:
        sentence = _("{file} holds solitaires of WTHOR, which begin in mid-game; only whole games can be read")
        raise RunnerError(sentence.format(file=shortened(source.name)))
    side = SIZES[board]
    length = GAME.size + side * side - 4
    whole = min(games, (len(content) - HEADER.size) // length)
    if not whole:
        raise RunnerError(_("{file} breaks off before its first game").format(file=shortened(source.name)))
    problem = Message("the file breaks off: it says that it has {games} games, but holds {whole}",
                      games=games, whole=whole) if whole < games else ""  # fmt: skip
    if left := (len(content) - HEADER.size) // length - games:
        problem = problem or Message("{games} games more than the file says are behind its last one", games=left)
    elif left := len(content) - HEADER.size - games * length:
        problem = problem or Message("{bytes} bytes are left behind the last game", bytes=left)
    players, tournaments = _list(source, *PLAYERS), _list(source, *TOURNAMENTS)
    setup = kinds.setup_of(SgfGame.OTHELLO, side)

    def named(number: int, player: int) -> str:
        """The name of a player; the number, as in the file, if the list of names is not there."""
        return name_of(players[number], player) if number < len(players) else f"{COLOURS[player]} #{number}"

    def record(number: int) -> tuple[str, tuple[str, str], int, bytes]:
        """The tournament, the players, Black's discs and the moves of a game."""
        at = HEADER.size + number * length
        tournament, black, white, discs, _best = GAME.unpack_from(content, at)
        event = tournaments[tournament] if tournament < len(tournaments) else ""
        return event, (named(black, 0), named(white, 1)), discs, content[at + GAME.size : at + length].split(b"\0")[0]

    def heading(number: int) -> Heading:
        event, names, discs, moves = record(number)
        winner = 0 if not moves else DRAW if 2 * discs == side * side else BLACK if 2 * discs > side * side else WHITE
        said = Message(WITH_DISCS, ending=event or str(year), black=discs, white=side * side - discs) if moves else ""
        return Heading(names, winner, said, len(moves), setup.env)

    def unchecked(number: int) -> UncheckedGame:
        event, _names, _discs, moves = record(number)
        head, place = heading(number), Message("game {number}", number=number + 1)
        turns = [Turn(((move - 1) // 10 - 1, (move - 1) % 10), place=place) for move in moves]
        said = {"tournament": event, "year": str(year or "")}
        return UncheckedGame(setup, turns, head.names, head.winner, head.ending, leaves_out_passes=True,
                             heads=heads_of(HEADS | {Part.DATE: "year"}, said.get))  # fmt: skip

    return GameFile("wthor", range(whole), unchecked, heading, problem=problem)


def _list(source: Source, ending: str, length: int) -> list[str]:
    """The names of the file with this ending beside the games; [] if there is none, or several that may be meant."""
    if source.folder is None:
        return []
    try:
        beside = [path for path in source.folder.iterdir() if path.suffix.lower() == ending]
        wanted = {Path(source.name).stem.lower(), "wthor"}
        paths = [path for path in beside if path.stem.lower() in wanted] or beside
        content = paths[0].read_bytes() if len(paths) == 1 or len(beside) == 1 else b""
    except OSError:
        return []
    if len(content) < HEADER.size:
        return []
    count = min(HEADER.unpack_from(content)[5], (len(content) - HEADER.size) // length)
    places = range(HEADER.size, HEADER.size + count * length, length)
    return [content[at : at + length].partition(b"\0")[0].decode(ENCODING).strip() for at in places]


def join(games: Sequence[SavedGame]) -> bytes:
    """The database. Raises RunnerError for a game that is not over by the rules of Othello or has a lost turn, for
    another board or start, and for boards of two sizes.
    """
    numbers = {name: number for number, name in enumerate(_players(games))}
    parts, sides, events = list[bytes](), set[int](), _events(games)
    for game in games:
        env = at_end(game)
        side = env.board_height
        if game.setup.board is not None or side not in SIZES.values() or not env.is_over() or lost_turns(game):
            raise RunnerError(_("WTHOR holds only whole games of Othello, 8x8 or 10x10; give a file ending with .ggf"))
        sides.add(side)
        stones = [stone for row in env.stones() for stone in row]
        black, white, empty = map(stones.count, (BLACK, WHITE, EMPTY))
        discs = black + (empty if black > white else empty // 2 if black == white else 0)
        moves = bytes(10 * (row + 1) + col + 1 for row, col in filter(None, game.cells))
        event = events.index(game.heads.get(Part.EVENT, FILLER))
        parts.append(GAME.pack(event, *(numbers[name] for name in game.names), discs, discs))
        parts.append(moves.ljust(side * side - 4, b"\0"))
    if len(sides) > 1:
        sentence = _("a database of WTHOR has boards of one size; give the games of one size, or another format")
        raise RunnerError(sentence)
    return b"".join([_header(games=len(games), year=date.today().year, board=sides.pop()), *parts])


def _players(games: Sequence[SavedGame]) -> list[str]:
    return list(dict.fromkeys(name for game in games for name in game.names))


def _events(games: Sequence[SavedGame]) -> list[str]:
    return list(dict.fromkeys(game.heads.get(Part.EVENT, FILLER) for game in games))


def _header(games: int = 0, names: int = 0, year: int = 0, board: int = 0) -> bytes:
    today = date.today()
    return HEADER.pack(*divmod(today.year, 100), today.month, today.day, games, names, year, board, 0, 0)


def beside(games: Sequence[SavedGame]) -> dict[str, bytes]:
    """The files beside the games: the names of the players and of the tournament; file ending -> content."""
    lists = {PLAYERS: _players(games), TOURNAMENTS: _events(games)}
    return {
        ending: _header(names=len(names))
        + b"".join(_packed(name, length).encode(ENCODING).ljust(length, b"\0") for name in names)
        for (ending, length), names in lists.items()
    }


def cuts(game: SavedGame) -> set[Part]:
    """The parts whose names would be cut or changed in the files .jou and .trn."""
    said = {Part.NAMES: (PLAYERS, game.names), Part.EVENT: (TOURNAMENTS, (game.heads.get(Part.EVENT, ""),))}
    return {part for part, (kind, names) in said.items() if any(_packed(name, kind[1]) != name for name in names)}


def _packed(name: str, length: int) -> str:
    return name.encode(ENCODING, "replace")[: length - 1].decode(ENCODING)


FORMAT = FileFormat(
    Message("a database of WTHOR (.wtb)"),
    Message("all games, 8x8 and 10x10; names from the .jou and .trn beside it"), ending="wtb",
    media="application/octet-stream", games=frozenset({SgfGame.OTHELLO}),
    loses=frozenset({Part.GAME, Part.OPENING, Part.TIMES, Part.THOUGHTS}), heads=HEADS, order=1,
)  # fmt: skip
