"""Files of Piskvork (.psq), the match manager of the Gomocup: a head, one move a line, then the names and the result.

    Piskvorky 15x15, 11:11, 0     columns x rows of the board; two levels; who begins: 0 the first player, 1 the second
    8,8,1500                      x from the left and y from the top, both from 1; the move's time in milliseconds
    black.zip                     names of the first and the second player, a line each
    -1                            result code: from 2 on, the side to move has erred
    1,Freestyle                   the winner, 1 Black, 2 White, 3 a draw, and the rule (not in files of Piskvork itself)

Programs differ in the last lines, so if the referee finds a winner, this winner counts and not the file's.
"""

import re

from env_adapter import SgfGame
from local_runner.errors import RunnerError
from local_runner.formats import kinds
from local_runner.formats.file_format import FileFormat, GameFile
from local_runner.formats.heads import FORFEITS, LATE, heads_of
from local_runner.formats.saved_game import Part, SavedGame, Turn, UncheckedGame, at_end
from local_runner.formats.source import LARGEST, SMALLEST, Source, name_of
from local_runner.game.wording import player_text
from local_runner.language.languages import Message, _
from local_runner.language.text import shortened

HEAD = re.compile(r"\s*piskvorky\s+([0-9]{1,4})\s*x\s*([0-9]{1,4})\s*(?:,[^\n]*)?", re.IGNORECASE)
_BEGINS = re.compile(r"[^\n]*,[^\n,]*,\s*1\s*")  # the head of a file in which the second player begins
_MOVE = re.compile(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*(?:,\s*(-?[0-9]{1,12})\s*)?")
_WINNER = re.compile(r"\s*([0-3])\s*,\s*([^\W\d].*)")
_BROKEN = re.compile(r"\s*-?[0-9]+\s*,")
_CODE = re.compile(r"\s*(-1|[0-9]{1,2})\s*")
MOST_LAST = 20  # most lines that are read behind the moves
HEAD_BYTES = 200  # number of bytes at the start by which `fits` decides
HEADS, USUAL = {Part.RULE: "rule"}, "Freestyle"  # the rule behind the winner; the one of a game that names none
NAMES = 2  # lines with names behind the moves
NO_CODE = "-1"  # result code in files of programs that write no two names
TIMED_OUT, FIRST_ERROR, LAST_ERROR = (9, 15), 2, 16  # result codes


def fits(content: bytes) -> bool:
    """Whether a file begins with the head of a .psq file."""
    first = next((line for line in Source("", content[:HEAD_BYTES]).text.splitlines() if line.strip()), "")
    return HEAD.match(first) is not None


def read(source: Source) -> GameFile:
    """The games of a file, one behind another. Raises RunnerError for a board that is not square or too large."""
    lines = source.text.split("\n")
    first = next(number for number, line in enumerate(lines) if line.strip())
    heads = [number for number, line in enumerate(lines) if number == first or HEAD.fullmatch(line)]
    games = [_unchecked(lines[:end], head) for head, end in zip(heads, [*heads[1:], len(lines)], strict=True)]
    return GameFile("psq", games, lambda game: game)


def _unchecked(lines: list[str], first: int) -> UncheckedGame:
    """The game whose head is the line `first`."""
    match = HEAD.match(lines[first])
    assert match is not None
    cols, rows = int(match[1]), int(match[2])
    if rows != cols or not SMALLEST <= rows <= LARGEST:
        sentence = _("a board of {rows}x{cols} cannot be shown, only square boards from {least} to {most}")
        raise RunnerError(sentence.format(rows=rows, cols=cols, least=SMALLEST, most=LARGEST))
    body = [(at, line.strip()) for at, line in enumerate(lines[first + 1 :], start=first + 2) if line.strip()]
    turns = list[Turn]()
    for at, line in body[: LARGEST**2 + 1]:
        if (move := _MOVE.fullmatch(line)) is None:
            break
        x, y, milliseconds = (int(part or 0) for part in move.groups())
        seconds = milliseconds / 1000 if milliseconds > 0 else None
        turns.append(Turn((y - 1, x - 1), place=Message("line {number}", number=at), seconds=seconds))
    rest, damage = [line for _at, line in body[len(turns) :]][:MOST_LAST], ""
    if rest and _BROKEN.match(rest[0]) and not _WINNER.fullmatch(rest[0]):
        place = Message("line {number}", number=body[len(turns)][0])
        rest, damage = [], Message("{place}: {line} is no move", place=place, line=shortened(rest[0]))
    names, winner, ending, left = _end(rest, len(turns) % 2)
    rule = next((said[2] for said in map(_WINNER.fullmatch, rest) if said), None)
    if _BEGINS.fullmatch(lines[first]):
        names.reverse()
    black, white = (name_of(name, player) for player, name in enumerate(names))
    setup, start = kinds.with_start(kinds.setup_of(SgfGame.GOMOKU, rows), [turn.cell for turn in turns])
    return UncheckedGame(
        setup, turns[start:], (black, white), winner, ending, damage, winner_must_fit=False,
        left_out=frozenset({Part.OTHER} if left else ()), heads=heads_of(HEADS, {"rule": rule}.get),
    )  # fmt: skip


def _end(rest: list[str], to_move: int) -> tuple[list[str], int, str, list[str]]:
    """The names, the winner's code, the ending and the other lines, from the lines behind the moves.

    `to_move`: 0 Black, 1 White. Names stand first, even if they are numbers.
    A file that a user saved has no names, only the result code.
    """
    winner = next((int(said[1]) for said in map(_WINNER.fullmatch, rest) if said), 0)
    rest = [line for line in rest if not _WINNER.fullmatch(line)]
    has_names = len(rest) >= NAMES and rest[1] != NO_CODE
    names = rest[:NAMES] if has_names else [line for line in rest if not _CODE.fullmatch(line)]
    names = [*names, "", ""][:NAMES]
    code = next((int(match[1]) for match in map(_CODE.fullmatch, rest[NAMES:]) if match), 0)
    left = [line for line in rest if line not in names and not _CODE.fullmatch(line)]
    if winner or not FIRST_ERROR <= code <= LAST_ERROR:
        return names, winner, "", left
    how = LATE if code in TIMED_OUT else FORFEITS
    return names, 2 - to_move, player_text(to_move, how), left


def write(game: SavedGame) -> str:
    """The game as a .psq file. The game is one of stones in a row."""
    env = at_end(game)
    rows, cols = env.board_height, env.board_width
    times = game.seconds or (None,) * len(game.cells)
    start = env.setup.start
    moves = [*((cell, None) for cell in start), *zip(game.cells, times, strict=True)]
    lines = [f"Piskvorky {cols}x{rows}, 11:11, 0"]
    for cell, seconds in moves:
        assert cell is not None  # games of stones in a row have no passes
        lines.append(f"{cell[1] + 1},{cell[0] + 1},{round(1000 * (seconds or 0))}")
    rule = game.heads.get(Part.RULE, USUAL if game.winner else "")
    winner = [f"{game.winner},{rule}"] if rule else []
    # A blank name, and one that a reader could take for a move or a result, gets a dot.
    names = (f"{name}." if _BROKEN.match(name) or _CODE.fullmatch(name) or not name.strip() else name
             for name in game.names)  # fmt: skip
    return "\n".join([*lines, *names, "-1", *winner]) + "\n"


FORMAT = FileFormat(
    Message(".psq of Piskvork"), Message("the game and its times; any square board up to 26x26"), ending="psq",
    single=True, games=frozenset({SgfGame.GOMOKU}),
    loses=frozenset({Part.GAME, Part.ENDING, Part.OPENING, Part.THOUGHTS}), heads=HEADS,
)  # fmt: skip
