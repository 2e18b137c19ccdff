"""The agents that come with the project, and the protocols by which programs of others are agents.

A file of opponents/ may hold `AGENTS = {name: {...}}`, or `PROTOCOL = {...}`: literals with the fields of `BuiltIn`
except `path`. This module reads the literals from the files' texts and never runs the files. `tengen opponents` and
docs/en/reference/opponents.md list `BUILT_INS` and `PROTOCOLS`.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from local_runner.language.languages import Message

OptionValue = int | float | bool | str | None

OPPONENTS = Path(__file__).parent / "opponents"
SUBMISSION = Path(__file__).parents[2] / "submission" / "submission.py"


@dataclass(frozen=True)
class BuiltIn:
    """An agent that comes with the project, or a protocol by which a program is an agent.

    path: its file; of a protocol, the module that speaks it
    about: one-line description that ends with the games that the agent plays; a translatable message
    games: names of games and families, as in declared_games.py; () for a protocol, whose module declares them
    rank: approximate order of strength, 0 the strongest; lists are sorted by rank, then by name
    options: the options that a user may set, with their defaults, the most used first
    fixed: options that define the agent, such as engine=scorer
    """

    path: Path
    about: str
    games: tuple[str, ...] = ()
    rank: int = 0
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    fixed: Mapping[str, OptionValue] = field(default_factory=dict)


OURS: Mapping[str, Mapping[str, Any]] = {
    "tengen": {
        "rank": 0,
        "about": "our agent, which is uploaded; every game",
        "games": ("reversi", "k_in_a_row"),
        "options": {"seconds": 0.8, "off_turn_seconds": 0.8, "depth": None, "nodes": None, "engine": "search"},
    },
    "tengen-native": {
        "rank": 0,
        "about": "our agent with the compiled engine, thirty times as fast, on Linux; every game",
        "games": ("reversi", "k_in_a_row"),
        "options": {"seconds": 0.8, "off_turn_seconds": 0.8, "depth": None, "nodes": None},
        "fixed": {"engine": "native"},
    },
    "scorer": {
        "rank": 1,
        "about": "our pattern scorer, without search; k-in-a-row games",
        "games": ("k_in_a_row",),
        "fixed": {"engine": "scorer"},
    },
}


def declared(name: str, folder: Path = OPPONENTS) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The literals `NAME = {...}` in the texts of the files of a folder, with the files' paths."""
    for path in sorted(folder.glob("*.py")):
        if table := re.search(rf"^{name} = (\{{.*?^\}})", path.read_text("utf-8"), re.MULTILINE | re.DOTALL):
            yield path, ast.literal_eval(table[1])


def built_ins(folder: Path = OPPONENTS) -> dict[str, BuiltIn]:
    """Our agents and those of a folder, by name, sorted by rank."""
    rows = [(SUBMISSION, OURS), *declared("AGENTS", folder)]
    named = [(name, path, said) for path, agents in rows for name, said in agents.items()]
    found = {name: BuiltIn(path, **{**said, "about": Message(said["about"])}) for name, path, said in named}
    return dict(sorted(found.items(), key=lambda each: (each[1].rank, each[0])))


BUILT_INS = built_ins()
PROTOCOLS = {
    path.stem: BuiltIn(path, **{**said, "about": Message(said["about"])}) for path, said in declared("PROTOCOL")
}


def options_text(options: Mapping[str, OptionValue]) -> str:
    """Options in the notation of an agent spec.

    >>> options_text({"depth": None, "bonus": True, "seconds": 0.8})
    'depth=none,bonus=on,seconds=0.8'
    """
    words = {True: "on", False: "off", None: "none"}
    return ",".join(
        f"{key}={words[value] if value is None or isinstance(value, bool) else value}" for key, value in options.items()
    )
