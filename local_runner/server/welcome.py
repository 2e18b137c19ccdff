"""What a page is told first: the games with their boards, agents and openings, and the engine's levels."""

import functools

from env_adapter import make, names
from env_adapter.k_in_a_row import KInARow
from local_runner.agents.declared_games import players
from local_runner.analysis.levels import LEVELS
from local_runner.game import coordinates
from local_runner.game.setup import title
from local_runner.language.languages import shown
from local_runner.matches.openings.books import Purpose, shipped
from local_runner.server.messages import GameKind, Level
from local_runner.server.positions import numbers

MOST_OPENINGS = 40  # of a book that a page is told
REVERSI_SIZES = list(range(4, 27, 2))
ROW_SIZES = [9, 11, 13, 15, 17, 19]  # boards of five in a row


def game_kinds() -> list[GameKind]:
    """All games, in the language that is used."""
    return [_kind(env).model_copy(update={"title": title(env)}) for env in names()]


def levels() -> list[Level]:
    """The engine's levels, in the language that is used."""
    return [Level(level=each.number, name=shown(each.name), about=shown(each.about)) for each in LEVELS]


@functools.cache
def _kind(env: str) -> GameKind:
    game = make(env)
    in_a_row = game.in_a_row if isinstance(game, KInARow) else 0
    sizes = REVERSI_SIZES if not in_a_row else [game.board_height]
    if in_a_row == 5 and not game.setup.start:
        sizes = ROW_SIZES
    return GameKind(
        env=env, title=env, rows=game.board_height, cols=game.board_width, in_a_row=in_a_row, sizes=sizes,
        agents=players(game), openings=openings_of(env),
    )  # fmt: skip


@functools.cache
def openings_of(env: str) -> list[list[int]]:
    """The first openings of the game's book, as the page's numbers. The books are checked when they are made."""
    path, cols = shipped(env, Purpose.TEST), make(env).board_width
    if not path.is_file():
        return []
    lines = (line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    moves = (coordinates.NAME.findall(line) for line in lines if line)
    cells = ([coordinates.cell("".join(move)) for move in line] for line in moves)
    return [numbers(tuple(line), cols) for line in cells][:MOST_OPENINGS]
