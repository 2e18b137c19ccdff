"""GGF, the format of the Generic Game Server for Othello: it looks like SGF, but one node holds all moves.

    1 (;GM[Othello]PB[ann]PW[bob]RE[-13.000:r]TY[8]BO[8 -------- ... *]B[f5//0.5]W[f4/1.00/1.5]B[pass];)

BO has the board's size, its rows (* Black, O White, - free) and the side to move. A move has its value and seconds. RE
is Black's lead in discs at the end, with r for a resignation, t for a loss on time. Komi is ignored.
"""

import functools
import re
from collections.abc import Mapping

from env_adapter import SgfGame
from env_adapter.game import BLACK, DRAW, WHITE
from local_runner.errors import RunnerError
from local_runner.formats import heads, kinds, sgf_tree
from local_runner.formats.file_format import FileFormat, GameFile, Heading
from local_runner.formats.saved_game import Part, SavedGame, Turn, UncheckedGame, at_end
from local_runner.formats.sgf_tree import Span
from local_runner.formats.source import LARGEST, SMALLEST, Source, name_of, words_of
from local_runner.game import coordinates
from local_runner.game.coordinates import LETTERS
from local_runner.game.faults import Reason
from local_runner.game.move_text import read_moves
from local_runner.game.setup import GameSetup
from local_runner.language.languages import Message, _
from local_runner.language.text import in_line, shortened

OTHELLO = ("othello", "reversi")
DISCS = {"*": BLACK, "X": BLACK, "B": BLACK, "O": WHITE, "W": WHITE, "-": 0, ".": 0, "_": 0}  # marks of BO
COLOURS = {"B": 0, "W": 1}
USUAL = 8  # cells: side of the board if neither BO nor TY says it
HOW = {"r": heads.RESIGNS, "t": heads.LATE, "l": heads.LATE}  # the letter after the number of RE; s: both agreed
HEADS = {
    Part.DATE: "DT", Part.PLACE: "PC", Part.BLACK_RATING: "RB", Part.WHITE_RATING: "RW", Part.TIME: "TI",
}  # fmt: skip
KNOWN = {*"();", "", "GM", "PB", "PW", "RE", "TY", "BO", "FF"}
WRITTEN = {0: "-", BLACK: "*", WHITE: "O"}
NO_BRACKETS = str.maketrans("[]", "()")  # GGF cannot escape a bracket
MOST_VALUE = 10**6  # agents' values of this size or larger are not written
MOST_MOVES = 2 * LARGEST**2
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}(?:\.[0-9]{0,9})?")
_RESULT = re.compile(rf"({_NUMBER.pattern})\s*(?::\s*([a-z]))?")
_POINT = re.compile(r"(?!pa|ps)([a-z])([a-z])")  # a point as SGF writes it
_SECONDS = re.compile(r"(?:(?:([0-9]{1,3}):)?([0-9]{1,3}):)?([0-9]{1,7}(?:\.[0-9]{1,9})?)")

Root = Mapping[str, str]  # property or mark -> its first value, before the first move


def fits(content: bytes) -> bool:
    """Whether a file with the marks of SGF is in GGF: the root of its first game has a board (BO), or its GM is a word
    and it has several moves or a type (TY).
    """
    text = Source("", content[:10_000]).text
    if (span := next(sgf_tree.games(text), None)) is None:
        return False
    root = sgf_tree.tree(text, span, 1, is_main=True)[0]
    moves = [move for colour in COLOURS for move in root.values(colour)]
    is_named = root.first("GM").strip().isalpha()
    return root.first("BO").strip()[:1].isdigit() or (is_named and (len(moves) > 1 or "TY" in root.properties))


def read(source: Source) -> GameFile:
    """The games of an archive."""
    spans = source.entries(sgf_tree.games(source.text), lambda span: span.end / len(source.text))
    return GameFile("ggf", spans, functools.partial(_unchecked, source), functools.partial(_heading, source),
                    note=sgf_tree.outside(source.text, spans))  # fmt: skip


def _root(source: Source, span: Span) -> Root:
    root: dict[str, str] = {}
    for _at, name, value in sgf_tree.tokens(source.text, span):
        if name in COLOURS:
            break
        root.setdefault(name, value.strip())
    return root


def _heading(source: Source, span: Span) -> Heading:
    root = _root(source, span)
    plies = span.plies
    try:
        setup, first = _setup(root.get("GM", ""), root.get("TY", ""), root.get("BO", ""))
        env, plies = setup.env, plies + (first == WHITE)
    except RunnerError:
        env = words_of(root.get("GM"))
    return Heading(*_said(root), plies, env)


def _said(root: Root) -> tuple[tuple[str, str], int, str]:
    """The names, the winner's code, and how the loser lost, in words."""
    names, said = (name_of(root.get("PB"), 0), name_of(root.get("PW"), 1)), root.get("RE", "")
    if match := _RESULT.fullmatch(said):
        discs = float(match[1])
        winner, how = BLACK if discs > 0 else WHITE if discs < 0 else DRAW, HOW.get(match[2] or "", "")
    else:
        winner, how = heads.result_of(said)
    return names, winner, heads.ending_of(winner, how)


@functools.lru_cache(maxsize=1024)
def _setup(game: str, kind: str, board: str) -> tuple[GameSetup, int]:
    """The setup and the side to move, from the values of GM, TY and BO.

    Raises RunnerError for other games than Othello, for its variants, and for a board that cannot be read.
    """
    if game.lower() not in ("", *OTHELLO):
        raise RunnerError(_("a game of {game} in GGF cannot be read, only Othello").format(game=shortened(game)))
    if "a" in kind.lower() or kind.lower().lstrip("sk").startswith("88"):
        sentence = _("the variant TY[{kind}] of Othello cannot be read: its board or its aim is another one")
        raise RunnerError(sentence.format(kind=shortened(kind)))
    said_size = re.search(r"[0-9]{1,2}", kind)
    size, first = int(said_size[0]) if said_size else USUAL, BLACK
    stones: kinds.Stones = {}
    if board:
        said, _space, rows = board.partition(" ")
        marks = "".join(rows.split()).upper()
        size = int(said) if said.isascii() and said.isdigit() and len(said) < 4 else 0
        if not SMALLEST <= size <= LARGEST or len(marks) != size * size + 1 or set(marks) - set(DISCS):
            sentence = _("the board BO[{board}] cannot be read; it needs a side from {least} to {most}, the rows and "
                         "the side to move")  # fmt: skip
            raise RunnerError(sentence.format(board=shortened(board), least=SMALLEST, most=LARGEST))
        stones = {divmod(at, size): DISCS[mark] for at, mark in enumerate(marks[:-1]) if DISCS[mark]}
        first = DISCS[marks[-1]] or BLACK
    return kinds.with_board(kinds.setup_of(SgfGame.OTHELLO, size), stones), first


def _unchecked(source: Source, span: Span) -> UncheckedGame:
    root = _root(source, span)
    setup, first = _setup(root.get("GM", ""), root.get("TY", ""), root.get("BO", ""))
    turns = [Turn(None)] if first == WHITE else []
    damage: str = ""
    for at, name, value in sgf_tree.tokens(source.text, span):
        place = Message("line {number}", number=source.line(at))
        if not name:
            damage = Message("line {line}: the GGF breaks off or is wrong here", line=source.line(at))
        if name not in COLOURS or len(turns) > MOST_MOVES:
            continue
        try:
            turns.append(_turn(COLOURS[name], value, place))
        except ValueError as error:
            damage = Message("{place}: {what}", place=place, what=error.args[0])
            break
    has_komi = "KM" in root or "KB" in root
    return UncheckedGame(setup, turns, *_said(root), damage, leaves_out_passes=True, winner_must_fit=not has_komi,
                         left_out=heads.others(HEADS, KNOWN, root), heads=heads.heads_of(HEADS, root.get))  # fmt: skip


def _turn(player: int, value: str, place: str) -> Turn:
    """A move with its value and seconds. Raises ValueError if it is neither a cell nor a pass."""
    move, value_said, seconds = [part.strip() for part in (value + "//").split("/")[:3]]
    if point := _POINT.fullmatch(move.lower()):
        move = f"{point[1]}{LETTERS.index(point[2]) + 1}"
    moves = read_moves(move)
    if moves.rest or len(moves.cells) != 1:
        raise ValueError(Message("{value} is no point", value=shortened(move)))
    thought = {"value": float(value_said)} if _NUMBER.fullmatch(value_said) else None
    clock = _SECONDS.fullmatch(seconds)
    parts = zip(clock.groups(), (3600, 60, 1), strict=True) if clock else ()
    used = sum(float(part or 0) * unit for part, unit in parts) if clock else None
    return Turn(moves.cells[0], player, place, used, thought)


def write(game: SavedGame) -> str:
    """The game, one of Othello, as GGF. For a game resigned or lost by a fault, RE gives the winner all discs."""
    env = at_end(game)
    start, size = game.setup.make(), env.board_height
    discs = [stone for row in env.stones() for stone in row]
    margin = float(discs.count(BLACK) - discs.count(WHITE))
    if not env.is_over():
        margin = {BLACK: 1.0, WHITE: -1.0}.get(game.winner, 0.0) * size * size
    lost = heads.how_of(game.ending, game.result.reason if game.result else Reason.RULES) if not env.is_over() else ""
    how = next((f":{sign}" for sign, said in HOW.items() if said == lost), "")
    result = f"{margin:+.3f}{how}" if game.winner else "?"
    rows = " ".join("".join(WRITTEN[stone] for stone in row) for row in start.stones())
    black, white = (in_line(name).translate(NO_BRACKETS) for name in game.names)
    given = {**game.heads, Part.PLACE: game.heads.get(Part.PLACE, heads.FILLER)}
    if Part.DATE in given:
        given[Part.DATE] = heads.dotted(given[Part.DATE])
    if (time := given.get(Part.TIME, "")).isdigit():
        given[Part.TIME] = f"{int(time) // 60:02}:{int(time) % 60:02}"
    named = heads.written(HEADS, given).items()
    said = "".join(f"{name}[{in_line(text).translate(NO_BRACKETS)}]" for name, text in named)
    head = f"(;GM[Othello]{said}PB[{black}]PW[{white}]RE[{result}]TY[{size}]BO[{size} {rows} *]"
    return head + "".join(_written(game, ply) for ply in range(len(game.cells))) + ";)\n"


def _written(game: SavedGame, ply: int) -> str:
    cell, seconds = game.cells[ply], game.seconds[ply] if game.seconds else None
    value = (game.thoughts[ply] or {}).get("value") if game.thoughts else None
    said = f"{value:.3f}" if isinstance(value, (int, float)) and abs(value) < MOST_VALUE else ""
    used = f"{seconds:.3f}" if seconds is not None else ""
    parts = [coordinates.name(cell).upper() if cell else "PASS", said, used]
    return f"{'BW'[ply % 2]}[{'/'.join(parts).rstrip('/')}]"


FORMAT = FileFormat(
    Message("GGF of Othello"), Message("all games of an archive, with passes, values and times; any start board"),
    ending="ggf", games=frozenset({SgfGame.OTHELLO}),
    loses=frozenset({Part.GAME, Part.ENDING, Part.OPENING, Part.THOUGHTS}), heads=HEADS, ways=frozenset(HOW.values()),
    order=1,
)  # fmt: skip
