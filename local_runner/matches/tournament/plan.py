"""The plan of a match or a tournament, with only values that can be stored as JSON."""

import string
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from local_runner.agents.spec import AgentSpec
from local_runner.matches.fixture import Fixture, Terms, fixture
from local_runner.matches.openings.books import Opening
from local_runner.matches.openings.deal import dealt
from local_runner.matches.statistics.sprt import Sprt
from local_runner.matches.tournament.schedule import Pairing, Schedule
from local_runner.processes.load import Load


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
    recover: bool | None = False
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
