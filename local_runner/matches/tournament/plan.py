"""The plan of a match or a tournament, as plain values that a file can hold."""

import hashlib
import json
import os
import re
import string
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from local_runner.agents.files import content_of
from local_runner.agents.spec import AgentSpec
from local_runner.matches.fixture import Fixture, Terms, fixture
from local_runner.matches.openings.books import Opening
from local_runner.matches.openings.deal import dealt
from local_runner.matches.statistics.sprt import Sprt
from local_runner.matches.tournament.schedule import Pairing, Schedule
from local_runner.processes.load import Load
from local_runner.system.files import lies_in

HASH_DIGITS = 16  # of a fingerprint


@dataclass(frozen=True)
class TournamentPlan:
    """The agents, the terms, and the number of games.

    `rounds`: repetitions of the schedule; every pairing is two games from one opening, colours swapped. `book`: the
    rounds take its openings in turn; if it is empty, openings are random. `recover`: a crash only loses its game;
    otherwise it ends the tournament. `sprt`: a test that may end it early; two agents only. `load`: the additional load
    on the machine. `most_games`: maximum number of games; the last pair may then have only one.
    """

    agents: tuple[AgentSpec, ...]
    terms: Terms
    schedule: Schedule
    rounds: int
    book: tuple[Opening, ...] = ()
    recover: bool = False
    sprt: Sprt | None = None
    load: Load = Load.ALONE
    most_games: int | None = None

    @property
    def pairs(self) -> int:
        """The number of pairs in a round."""
        return self.schedule.pairs(len(self.agents))

    @property
    def games(self) -> int:
        """The number of games in all."""
        games = 2 * self.rounds * self.pairs
        return games if self.most_games is None else min(games, self.most_games)

    def opening(self, round_: int) -> Opening:
        """The opening of a round, counted from 1. Raises RunnerError if no random one can be found."""
        return dealt(self.book, self.terms.setup, round_)

    def pair(self, number: int, pairing: Pairing, opening: Opening) -> list[Fixture]:
        """The games of a pair, with Black for the first agent in the first; `number` counts pairs from 1."""
        games = ((2 * number - 1, pairing), (2 * number, pairing[::-1]))
        return [fixture(self.terms, game, self.agents, opening, players) for game, players in games
                if game <= self.games]  # fmt: skip

    @property
    def names(self) -> tuple[str, ...]:
        """The agents' names; an agent that takes part more than once gets a letter, such as "greedy (B)"."""
        times = Counter(agent.name for agent in self.agents)
        return tuple(
            f"{agent.name} ({letter(number)})" if times[agent.name] > 1 else agent.name
            for number, agent in enumerate(self.agents)
        )

    def limited(self, limits: Mapping[str, Any]) -> "TournamentPlan":
        """The plan with other limits, by their names."""
        return replace(self, terms=replace(self.terms, limits=replace(self.terms.limits, **limits)))


def letter(agent: int) -> str:
    """A short name for an agent by its number from 0: A, B, ... Z, 27, 28, ..."""
    return string.ascii_uppercase[agent] if agent < len(string.ascii_uppercase) else str(agent + 1)


def from_json(value: object) -> TournamentPlan:
    """The plan that `as_json` has made plain. Raises ValueError for anything else, RunnerError for an invalid test."""
    return msgspec.convert(value, TournamentPlan, dec_hook=lambda kind, given: kind(given))  # the path of an agent


def owns_folder(agent: AgentSpec) -> bool:
    """Whether the whole folder is the agent's own: that of a submission.py or of a package."""
    return agent.path.name == "submission.py" or (agent.path.parent / "__init__.py").is_file()


def own_files(agent: AgentSpec) -> list[Path]:
    """An agent's code: its file and the Python files beside it, or all Python files of its package.

    A link that leads out of the folder is no file of its own.
    """
    folder = agent.path.parent
    files = folder.rglob("*.py") if (folder / "__init__.py").is_file() else folder.glob("*.py")
    return sorted({agent.path, *(file for file in files if lies_in(file, folder))})


def fingerprint(agent: AgentSpec) -> str:
    """A hash of what makes an agent: its code, the data files that the code names, its main file and its options."""
    folder, digest = agent.path.parent, hashlib.sha256()
    for file in (*own_files(agent), *_data_files(agent)):
        digest.update(os.fsencode(file.relative_to(folder)) + b"\0" + hashlib.sha256(content_of(file)).digest())
    options = json.dumps(sorted(agent.options.items()), ensure_ascii=True)
    digest.update(os.fsencode(agent.path.name) + b"\0" + options.encode())
    return digest.hexdigest()[:HASH_DIGITS]


def _data_files(agent: AgentSpec) -> list[Path]:
    """The data files near an agent's code that the code names; a number in a name may be made by the code.

    The others are not its own: a folder may hold all that its owner downloads.
    """
    folder, code = agent.path.parent, own_files(agent)
    text = b"\n".join(content_of(file) for file in code).decode("utf-8", "replace")
    near = folder.rglob("*") if owns_folder(agent) else folder.glob("*")
    return sorted(file for file in near if file not in code and file.suffix not in (".py", ".pyc")
                  and re.search(_name_in_code(file.name), text) and lies_in(file, folder))  # fmt: skip


def _name_in_code(name: str) -> str:
    """A pattern for a file's name in code, such as weights_8.bin, weights_%d.bin or weights_{size}.bin."""
    parts = re.split(r"(\d+)", name)
    text = "".join(rf"(?:{part}|%d|{{[^{{}}]*}})" if part.isdigit() else re.escape(part) for part in parts)
    return rf"(?<![\w.-]){text}(?![\w.-])"
