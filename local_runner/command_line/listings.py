"""The JSON of the commands that list something: `tengen opponents`, `games` and `doctor`.

docs/schemas/ has a JSON Schema of each, which `make messages` writes. Texts are English in every language.
"""

import msgspec

from env_adapter import RULES, kinds, make, names
from local_runner.agents.catalogue import BUILT_INS, OptionValue
from local_runner.agents.declared_games import players
from local_runner.processes.doctor import Finding
from local_runner.processes.engine.levels import LEVELS


class Opponent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An agent that comes with the project.

    games: the games that it plays
    options: the options that are used most -> their defaults
    """

    name: str
    about: str
    games: list[str]
    options: dict[str, OptionValue]


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A level of our engine, for `tengen play` and the page. number: 1 is the weakest."""

    number: int
    name: str
    about: str


class Opponents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`tengen opponents --json`."""

    agents: list[Opponent]
    levels: list[Level]


class ListedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game.

    family: the name of its rules; games of a family differ in their boards
    rows, columns: its usual board
    sizes: sides of the square boards that the page offers, [] if only the usual board
    in_a_row: the number of stones in a winning line, null if lines do not count
    rules: values of --rules
    platform: the platform that has the game, null if none
    agents: the agents that come with the project and play it
    """

    name: str
    title: str
    family: str
    rows: int
    columns: int
    sizes: list[int]
    in_a_row: int | None
    rules: list[str]
    platform: str | None
    agents: list[str]


class Games(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`tengen games --json`."""

    games: list[ListedGame]


class Doctor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`tengen doctor --json`. good: whether each finding that `decides` is good."""

    good: bool
    findings: list[Finding]


LISTINGS: dict[str, type[msgspec.Struct]] = {"opponents": Opponents, "games": Games, "doctor": Doctor}


def opponents() -> Opponents:
    """The agents that come with the project, and the levels of our engine."""
    games = {game: players(make(game)) for game in names()}
    agents = [Opponent(name, str(each.about), [game for game in games if name in games[game]], dict(each.options))
              for name, each in BUILT_INS.items()]  # fmt: skip
    return Opponents(agents, [Level(each.number, str(each.name), str(each.about)) for each in LEVELS])


def games() -> Games:
    """All games."""
    return Games([ListedGame(
        kind.name, kind.title, kind.family, *kind.board, list(kind.sizes), kind.setup.in_a_row or None, list(RULES),
        kind.platform and kind.platform.value, players(make(kind.name)),
    ) for kind in kinds()])  # fmt: skip
