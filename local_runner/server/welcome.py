"""The content of Welcome: the games with their boards, agents and openings, the engine's levels, and the formats."""

import functools
from collections.abc import Mapping

from env_adapter import kind_of, make, names
from local_runner.agents.declared_games import games_of, players, plays
from local_runner.agents.spec import AgentSpec
from local_runner.formats.writing import WRITERS
from local_runner.game.move_text import read_moves
from local_runner.game.setup import title
from local_runner.language.languages import shown
from local_runner.matches.openings.books import Purpose, shipped
from local_runner.processes.engine.levels import LEVELS
from local_runner.server.answers import GameKind, Level
from local_runner.server.positions import numbers

MOST_OPENINGS = 40  # openings of a game that a page gets


def game_kinds(given: Mapping[str, AgentSpec]) -> list[GameKind]:
    """All games, with titles in the current language. `given`: the agents of the command line by name."""
    declared = {name: games_of(agent) for name, agent in given.items()}
    return [
        _kind(env).model_copy(update={
            "title": title(env), "given": [name for name, games in declared.items() if plays(games, make(env))],
        })
        for env in names()
    ]  # fmt: skip


def levels() -> list[Level]:
    """The engine's levels, with texts in the current language."""
    return [Level(level=each.number, name=shown(each.name), about=shown(each.about)) for each in LEVELS]


def formats() -> dict[str, str]:
    """The formats in which the page saves games, in words by ending: those that keep most first, pictures last."""
    by_worth = sorted(WRITERS.values(), key=lambda each: (each.read is None, len(each.loses)))
    return {each.ending: shown(each.about) for each in by_worth}


@functools.cache
def _kind(env: str) -> GameKind:
    kind, rules = kind_of(env), kind_of(env).rules
    rows, cols = kind.board
    return GameKind(
        env=env, title=kind.title, style=kind.style.value, rows=rows, cols=cols, sizes=list(kind.sizes) or [rows],
        in_a_row=kind.setup.in_a_row, start="stones" if kind.setup.start else "discs" if rules.turns_discs else "empty",
        has_pass=rules.has_pass, takes_board=rules.takes_board,
        formats=[each.ending for each in WRITERS.values() if each.takes(kind)], agents=players(make(env)), given=[],
        openings=openings_of(env),
    )  # fmt: skip


@functools.cache
def openings_of(env: str) -> list[list[int]]:
    """The first openings of the game's test book, as the page's numbers; [] without a book.

    The moves are not checked here, because a book is checked when it is made.
    """
    path, cols = shipped(env, Purpose.TEST), kind_of(env).board[1]
    if not path.is_file():
        return []
    lines = (line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [numbers(read_moves(line).cells, cols) for line in lines if line][:MOST_OPENINGS]
