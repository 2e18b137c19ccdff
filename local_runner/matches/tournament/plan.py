"""The plan of a match or a tournament, with only values that can be stored as JSON; fingerprints of agents."""

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

HASH_DIGITS = 16  # hexadecimal digits of a fingerprint


@dataclass(frozen=True)
class TournamentPlan:
    """The plan of a tournament: agents, terms, and number of games.

    rounds: repetitions of the schedule; every pairing is two games from one opening, with colours swapped
    book: round n takes opening n, and after the last one the first follows; if the book is empty, openings are random
    recover: False: a crash ends the tournament. Otherwise the crashed agent loses the game, and the tournament goes on;
        with True, faults do not change the exit code of the command
    sprt: a test of the first agent against the second that may end the tournament early
    load: the load that runs beside the games
    most_games: maximum number of games, None for no limit; the last pair may then have only one game
    opening_plies: length of random openings in plies, None for the game's usual length
    start_first: round 1 begins from the game's own start, and round n takes opening n - 1
    """

    agents: tuple[AgentSpec, ...]
    terms: Terms
    schedule: Schedule
    rounds: int
    book: tuple[Opening, ...] = ()
    recover: bool | None = None
    sprt: Sprt | None = None
    load: Load = Load.ALONE
    most_games: int | None = None
    opening_plies: int | None = None
    start_first: bool = False

    @property
    def pairs(self) -> int:
        """The number of pairs in a round."""
        return self.schedule.pairs(len(self.agents))

    @property
    def games(self) -> int:
        """The number of games of the whole tournament."""
        games = 2 * self.rounds * self.pairs
        return games if self.most_games is None else min(games, self.most_games)

    def opening(self, round_: int) -> Opening:
        """The opening of a round, counted from 1. Raises RunnerError if no random opening can be found."""
        number = round_ - self.start_first
        return dealt(self.book, self.terms.setup, number, self.opening_plies) if number else ()

    def pair(self, number: int, pairing: Pairing, opening: Opening) -> list[Fixture]:
        """The games of a pair. The first agent of `pairing` has Black in the first game. `number`: counts from 1."""
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

    def limited(self, limits: Mapping[str, Any], python: str | None = None) -> "TournamentPlan":
        """The plan with some limits replaced: name of a field of `AgentLimits` -> new value.

        `python`: the agents' interpreter; None: the same interpreter as before.
        """
        terms = replace(self.terms, limits=replace(self.terms.limits, **limits), python=python or self.terms.python)
        return replace(self, terms=terms)


def letter(agent: int) -> str:
    """The short name of the agent with this number, from 0: A, B, ... Z, 27, 28, ..."""
    return string.ascii_uppercase[agent] if agent < len(string.ascii_uppercase) else str(agent + 1)


def from_json(value: object) -> TournamentPlan:
    """The plan from the output of `as_json`. Raises ValueError for other values, RunnerError for an invalid SPRT."""
    return msgspec.convert(value, TournamentPlan, dec_hook=lambda kind, given: kind(given))  # makes an agent's Path


def owns_folder(agent: AgentSpec) -> bool:
    """Whether all files in the agent's folder belong to it: it is a submission.py, or a package with __init__.py."""
    return agent.path.name == "submission.py" or (agent.path.parent / "__init__.py").is_file()


def own_files(agent: AgentSpec) -> list[Path]:
    """An agent's code: its file and the Python files beside it, or all Python files of its package.

    Symbolic links to files outside the folder are left out.
    """
    folder = agent.path.parent
    files = folder.rglob("*.py") if (folder / "__init__.py").is_file() else folder.glob("*.py")
    return sorted({agent.path, *(file for file in files if lies_in(file, folder))})


def fingerprint(agent: AgentSpec) -> str:
    """A hash of an agent's code, of the data files that the code names, and of its main file's name and its options."""
    folder, digest = agent.path.parent, hashlib.sha256()
    for file in (*own_files(agent), *_data_files(agent)):
        digest.update(os.fsencode(file.relative_to(folder)) + b"\0" + hashlib.sha256(content_of(file)).digest())
    options = json.dumps(sorted(agent.options.items()), ensure_ascii=True)
    digest.update(os.fsencode(agent.path.name) + b"\0" + options.encode())
    return digest.hexdigest()[:HASH_DIGITS]


def _data_files(agent: AgentSpec) -> list[Path]:
    """The data files near an agent's code whose names occur in the code, as `_name_in_code` finds them.

    Other files are left out, because the folder may hold unrelated files.
    """
    folder, code = agent.path.parent, own_files(agent)
    text = b"\n".join(content_of(file) for file in code).decode("utf-8", "replace")
    near = folder.rglob("*") if owns_folder(agent) else folder.glob("*")
    return sorted(file for file in near if file not in code and file.suffix not in (".py", ".pyc")
                  and re.search(_name_in_code(file.name), text) and lies_in(file, folder))  # fmt: skip


def _name_in_code(name: str) -> str:
    """A pattern that finds a file's name in code. A number in the name may be a placeholder there.

    The pattern for weights_8.bin also matches weights_%d.bin and weights_{size}.bin.
    """
    parts = re.split(r"(\d+)", name)
    text = "".join(rf"(?:{part}|%d|{{[^{{}}]*}})" if part.isdigit() else re.escape(part) for part in parts)
    return rf"(?<![\w.-]){text}(?![\w.-])"
