"""PGN, as game servers write it for gobang and Reversi: tags with players and result, then moves such as 1. f5 d6.

Comments, variations and annotations are skipped. As in chess, the result 1-0 is a win of White. In files that tengen
wrote, the tag Game names the game, board and rules, and Termination says how the game ended; moves of the opening have
the comment "book", other moves the seconds: 1. h8 {book} i9 {0.250s}. A pass is --. The first seven tags stand in the
order of the standard, because programs that compute ratings need it.
"""

import functools
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from env_adapter.game import BLACK, DRAW, WHITE
from local_runner.errors import RunnerError
from local_runner.formats import kinds
from local_runner.formats.file_format import FileFormat, GameFile
from local_runner.formats.files.moves import MOST_MOVES, PASS, game_of, game_of_all, unread
from local_runner.formats.heads import FILLER, dotted, ending_of, heads_of, how_of, written
from local_runner.formats.saved_game import Part, SavedGame, Turn, UncheckedGame
from local_runner.formats.source import Source, name_of, words_of
from local_runner.game import coordinates
from local_runner.game.move_text import read_moves
from local_runner.game.setup import GameSetup
from local_runner.language.languages import Message, _
from local_runner.language.text import in_line, shortened

HEAD = 20_000  # number of bytes at the start by which `fits` decides
WINNERS = {"1-0": WHITE, "0-1": BLACK, "1/2-1/2": DRAW}
RESULTS = {*WINNERS, "*", "?"}  # the others, as 24-40, do not say whose number comes first
HEADS = {
    Part.EVENT: "Event", Part.DATE: "Date", Part.ROUND: "Round", Part.PLACE: "Site", Part.BLACK_RATING: "BlackElo",
    Part.WHITE_RATING: "WhiteElo", Part.RULE: "Variant", Part.TIME: "TimeControl",
}  # fmt: skip
TITLES = {Part.BLACK_RATING: "BlackTitle", Part.WHITE_RATING: "WhiteTitle"}  # tags for ratings that are no number
USUAL = {"normal", "unterminated"}  # values of Termination that say no more than the result
KNOWN = {"black", "white", "result", "game", "termination", "plycount",
         *(name.lower() for name in [*HEADS.values(), *TITLES.values()])}  # fmt: skip
_TAG = re.compile(r'\s*\[([A-Za-z]\w*)\s+["“”]((?:[^"“”\\]|\\.)*)["“”]\s*\]\s*')
_REMARKS = re.compile(r"(?:[;%].*\n|\s)*")  # before the first tag
_BROKEN_TAG = re.compile(r"\s*\[[A-Za-z]")
_SKIPPED = re.compile(r"\{[^}]*\}?|;[^\n]*|\$[0-9]+|[!?]+")
_VARIATION = re.compile(r"\([^()]*\)")
_WORD = re.compile(r"\{(?P<comment>[^}]*)\}|[0-9]+\.+|(?P<move>[^\s{]+)")
_SECONDS = re.compile(r"([0-9]{1,7}\.[0-9]{1,3})s")
BOOK = "book"  # the comment of a move of the opening
_CHESS = re.compile(r"\b(?:[KQRBN][a-h1-8]?x?[a-h][1-8]|O-O)\b")  # moves of a piece, and castling
_FIRST = re.compile(r"\s*1[.\s]")
_END = re.compile(r"(?:[0-9]{1,3}-[0-9]{1,3}|1/2-1/2|\*)\s*\Z")  # 38-26 does not say whose discs come first


@dataclass
class _Game:
    """The tags of a game and the lines of its moves. `line`: the number of its first line."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def fits(content: bytes) -> bool:
    """Whether a file begins with a tag of PGN, and the first game with moves has cells as moves, or tengen wrote it."""
    text = Source("", content[:HEAD]).text
    if _TAG.match(text, _REMARKS.match(text).end()) is None:  # type: ignore[union-attr]
        return False
    games = list(_games(text))
    ours = any(kinds.of_words(game.tags.get("game", "")) for game in games)
    return ours or read_moves(next(filter(None, (_plain(game.text) for game in games)), "")).is_moves


def read(source: Source) -> GameFile:
    """The games of a file."""
    lines = source.text.count("\n") + 1
    games = source.entries(_games(source.text), lambda game: game.line / lines)
    if _CHESS.search(_plain(games[0].text)):
        kind = _("PGN of another game; only moves such as f5 can be read")
        raise RunnerError(_("{file} is no file of games, but {kind}").format(file=shortened(source.name), kind=kind))
    shared = functools.cache(lambda: _in_a_row(games))
    return GameFile("pgn", games, lambda game: _unchecked(game, source.setup, shared))


def _in_a_row(games: Sequence[_Game]) -> GameSetup:
    """The setup for the games that are not of Reversi, with the board that all of them fit."""
    every = (read_moves(_plain(game.text), MOST_MOVES).cells for game in games)
    return game_of_all(cells for cells in every if not game_of(cells).kind.rules.illegal_free)


def _games(text: str) -> Iterator[_Game]:
    """The games: tags behind moves begin the next one, and so does the first move behind a result."""
    game = _Game(1)
    for number, line in enumerate(text.splitlines(), start=1):
        at = 0
        while tag := _TAG.match(line, at):
            if game.lines:
                yield game
                game = _Game(number)
            game.tags.setdefault(tag[1].lower(), re.sub(r"\\(.)", r"\1", tag[2]))
            at = tag.end()
        line = line[at:]
        if game.lines and _FIRST.match(line) and _END.search(game.lines[-1]):
            yield game
            game = _Game(number)
        if _BROKEN_TAG.match(line):
            game.tags.setdefault(line, "")  # under a name that the format does not know, so reported as another header
        elif line.strip() and line[0] not in ";%":
            game.lines.append(line)
    if game.lines or game.tags:
        yield game


def _plain(text: str) -> str:
    text = _SKIPPED.sub(" ", text)
    while (shorter := _VARIATION.sub(" ", text)) != text:
        text = shorter
    return _END.sub("", text.strip())


def _unchecked(game: _Game, setup: GameSetup | None, shared: Callable[[], GameSetup]) -> UncheckedGame:
    """A game. `shared`: returns the setup for all games that name no game and are not of Reversi."""
    place = Message("line {number}", number=game.line)
    moves = read_moves(_plain(game.text), MOST_MOVES)
    tags: Mapping[str, str] = game.tags
    inferred = game_of(moves.cells)
    inferred = inferred if setup or inferred.kind.rules.illegal_free else shared()
    own = kinds.of_words(tags.get("game", ""))
    comments = _comments(game.text) if own else {}
    times = {ply: float(found[1]) for ply, comment in comments.items() if (found := _SECONDS.search(comment))}
    turns = [Turn(cell, place=place, seconds=times.get(ply)) for ply, cell in enumerate(moves.cells)]
    opening = [cell for ply, cell in enumerate(moves.cells) if BOOK in comments.get(ply, "") and cell]
    lost = {Part.COMMENTS: "{" in game.text and not own, Part.VARIATIONS: "(" in game.text,
            Part.OTHER: not tags.keys() <= KNOWN or tags.get("result", "*") not in RESULTS}  # fmt: skip
    heads = heads_of({part: name.lower() for part, name in HEADS.items()}, tags.get)
    for part, name in TITLES.items():
        heads |= heads_of({part: name.lower()}, tags.get)
    said = [tags.get(colour, "") for colour in ("black", "white")]
    black, white = (name_of(name if name.strip("?") else "", player) for player, name in enumerate(said))
    winner, ending = WINNERS.get(tags.get("result", ""), 0), words_of(tags.get("termination"))
    if not own:
        ending = "" if ending.lower() in USUAL else ending_of(winner, how_of(ending)) or ending
    return UncheckedGame(
        replace(own, opening=tuple(opening)) if own and not setup else setup or own or inferred, turns,
        (black, white), winner, ending, unread(place, moves.rest), leaves_out_passes=not own,
        winner_must_fit=False, left_out=frozenset(part for part, there in lost.items() if there), heads=heads,
    )  # fmt: skip


def _comments(text: str) -> dict[int, str]:
    """The comments of moves in a file that tengen wrote: number of the ply from 0 -> comment."""
    found: dict[int, str] = {}
    ply = -1
    for word in _WORD.finditer(text):
        ply += bool(word["move"])
        if word["comment"]:
            found[ply] = word["comment"]
    return found


def write(game: SavedGame) -> str:
    """The game as PGN, with a blank line behind it."""
    black, white = map(_quoted, game.names)
    result = next((said for said, winner in WINNERS.items() if winner == game.winner), "*")
    heads = dict(game.heads)
    heads[Part.DATE] = dotted(heads.get(Part.DATE, "????.??.??"))
    named = {name: _quoted(value) for name, value in written(HEADS, heads).items()}
    for part, name in TITLES.items():
        if not named.get(HEADS[part], "0").isdigit():  # a rank, as 5 dan
            named[name] = named.pop(HEADS[part])
    tags = {
        "Event": FILLER, "Site": "?", "Date": "", "Round": "-", "White": white, "Black": black,
        "Result": result, "Game": kinds.in_words(game.setup), "Termination": _quoted(game.ending), **named,
    }  # fmt: skip
    words = [word for ply in range(len(game.cells)) for word in _words(game, ply)]
    text = textwrap.fill(" ".join([*words, result]), 100, break_long_words=False, break_on_hyphens=False)
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items() if value) + f"\n{text}\n\n"


def _quoted(text: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", in_line(text))


def _words(game: SavedGame, ply: int) -> Iterator[str]:
    cell, seconds = game.cells[ply], game.seconds[ply] if game.seconds else None
    if ply % 2 == 0:
        yield f"{ply // 2 + 1}."
    yield coordinates.name(cell) if cell else PASS
    comment = [BOOK] if ply < len(game.setup.opening) else []
    comment += [f"{seconds:.3f}s"] if seconds is not None else []
    if comment:
        yield "{" + " ".join(comment) + "}"


FORMAT = FileFormat(
    Message("PGN of gobang or Reversi"),
    Message("all games; comments and variations are skipped; at Reversi passes may be left out"), ending="pgn",
    media="application/x-chess-pgn", loses=frozenset({Part.THOUGHTS}), heads=HEADS, takes_setup=True,
)  # fmt: skip
