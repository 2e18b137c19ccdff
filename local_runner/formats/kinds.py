"""Finds the `GameSetup` for a file that names only a family of games and a board size, or the stones on the board."""

import functools
import re
from collections.abc import Sequence
from dataclasses import replace

from env_adapter import Cell, SgfGame, kinds, names
from env_adapter.game import BLACK, MARKS, WHITE
from local_runner.errors import RunnerError
from local_runner.formats.source import checked_setup, setup_for
from local_runner.game.setup import GameSetup, called, is_mnk
from local_runner.language.languages import _, shown
from local_runner.language.text import shortened

# Gobang has the rules of the site's text ("stated"), because by the site's code ("platform") gobang has no draw.
USUAL_RULES = {SgfGame.OTHELLO: "platform", SgfGame.GOMOKU: "stated"}
_WORDS = re.compile(r"(\w+) ([0-9]{1,2})x([0-9]{1,2}) (platform|stated)(?: ([.XO/]{1,800}))?")
Stones = dict[Cell, int]  # cell -> BLACK or WHITE


@functools.lru_cache(maxsize=256)
def setup_of(game: SgfGame, size: int, rules: str | None = None, env: str | None = None) -> GameSetup:
    """The setup of an SGF game on a square board of `size`, without set-up stones.

    `rules`: if None, `USUAL_RULES` of the game. `env`: the game's name; None: the game with this board.
    """
    fitting = [kind for kind in kinds() if kind.sgf is game and not kind.setup.start]
    kind = next((kind for kind in fitting if kind.board == (size, size)), fitting[0])
    return setup_for(env or kind.name, size, size, rules=rules or USUAL_RULES[game])


def in_words(setup: GameSetup) -> str:
    """The setup without its opening and its seed, for a file: reversi_1v1 4x4 platform ..../.XO./.OX./O..."""
    start = setup.make()
    board = ["/".join(setup.board)] if setup.board else []
    return " ".join([setup.env, f"{start.board_height}x{start.board_width}", setup.rules, *board])


def of_words(text: str) -> GameSetup | None:
    """The setup of a text that `in_words` returned; None for any other text."""
    found = _WORDS.fullmatch(text)
    if found is None or not (found[1] in names() or is_mnk(found[1])):
        return None
    try:
        setup = setup_for(found[1], int(found[2]), int(found[3]), rules=found[4])
        return checked_setup(replace(setup, board_size=None, board=tuple(found[5].split("/")))) if found[5] else setup
    except RunnerError:
        return None


def with_board(setup: GameSetup, stones: Stones) -> GameSetup:
    """The setup, beginning from the board with these stones; unchanged for no stones or the usual start position."""
    usual = setup.make().stones()
    size = len(usual)
    given = [[stones.get((row, col), 0) for col in range(size)] for row in range(size)]
    if not stones or given == usual:
        return setup
    return replace(setup, board_size=None, board=tuple("".join(MARKS[stone] for stone in row) for row in given))


def with_handicap(setup: GameSetup, stones: Stones) -> Stones:
    """The stones, plus the four discs of the usual start if the stones leave their cells free, as handicaps do."""
    usual = setup.make().stones()
    start = {(row, col): stone for row, line in enumerate(usual) for col, stone in enumerate(line) if stone}
    return {**start, **stones} if stones and start.keys().isdisjoint(stones) else stones


def with_start(setup: GameSetup, cells: Sequence[Cell | None]) -> tuple[GameSetup, int]:
    """The setup for moves that may include a game's fixed start stones, and the number of cells that are such stones.

    Some games of this project begin with fixed stones (`Setup.start`). If such a game has this board size and `cells`
    begin with the game's stones, the game's setup is returned. Otherwise `setup` and 0 are returned.
    """
    size = setup.board_size or setup.kind.board[0]
    for kind in [] if is_mnk(setup.env) else kinds():
        start = kind.setup.start
        if start and kind.board == (size, size) and start == tuple(cells[: len(start)]):
            return setup_for(kind.name, size, size, rules=setup.rules), len(start)
    return setup, 0


def begun(plain: GameSetup, stones: Stones, first: int = 0) -> tuple[GameSetup, tuple[Cell, ...]]:
    """The setup with these stones on the board, and the stones as alternating moves if no board can be given; else ().

    The referee of such a game plays each stone as a move; the stones with which a game begins (`Setup.start`) are no
    moves. first: the side to move according to the file, 0 if it does not say. Raises RunnerError unless Black has as
    many stones as White, or one more; and if `first` is not the side to move then.
    """
    if plain.kind.rules.takes_board:
        return with_board(plain, stones), ()
    start: tuple[Cell, ...] = ()
    for kind in [] if is_mnk(plain.env) else kinds():
        is_there = all(stones.get(cell) == (BLACK, WHITE)[ply % 2] for ply, cell in enumerate(kind.setup.start))
        if is_there and kind.board[0] == (plain.board_size or plain.kind.board[0]):
            start = start or kind.setup.start
    rest = [(cell, stone) for cell, stone in sorted(stones.items()) if cell not in start]
    black, white = ([cell for cell, stone in rest if stone == side] for side in (BLACK, WHITE))
    if len(black) - len(white) not in (0, 1):
        sentence = _("{black} stones of Black and {white} of White cannot have been played in turn, as the referee "
                     "needs; remove stones until Black has as many as White, or one more")  # fmt: skip
        raise RunnerError(sentence.format(black=len(black), white=len(white)))
    if first and first != (BLACK, WHITE)[len(black) - len(white)]:
        sentence = _("with {black} stones of Black and {white} of White, the referee lets the other side move; "
                     "remove one stone of the side that is to move")  # fmt: skip
        raise RunnerError(sentence.format(black=len(black), white=len(white)))
    moves = (*(cell for pair in zip(black, white, strict=False) for cell in pair), *black[len(white) :])
    return replace(with_start(plain, (*start, *moves))[0], opening=moves), moves


def refuse_game(file: str, env: str, asked: GameSetup) -> None:
    """Raise RunnerError for a file of another game than the caller's."""
    sentence = _("{file} holds a game of {other}, not of {game}; leave out --env")
    other, game = shortened(shown(called(env))), shown(called(asked.env))
    raise RunnerError(sentence.format(file=shortened(file), other=other, game=game))


def refuse_board(file: str) -> None:
    """Raise RunnerError for a board or a size of the caller's beside a file that has its own."""
    raise RunnerError(_("{file} names its own board; leave out --board-size and --board").format(file=shortened(file)))
