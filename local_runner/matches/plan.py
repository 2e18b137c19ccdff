"""The plan of a match or a tournament and its games: plain values, which can be sent and stored.

Terms         the game, the agents' limits and their Python, and their Adjudication
Plan          the agents, the terms, the schedule and the openings
PlannedGame   one game of a plan: its players, its opening and its random seeds
"""

import math
import string
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec

from local_runner.agents.declared_games import refuse_misfits
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.game.setup import GameSetup
from local_runner.language.languages import _
from local_runner.matches.copies import Copy
from local_runner.matches.openings.books import Opening, Others
from local_runner.matches.openings.deal import RANDOM, START, book_for, dealt
from local_runner.matches.schedule import Pairing, Schedule
from local_runner.matches.statistics.sprt import Sprt
from local_runner.processes.child import AgentLimits

PAIR = 2  # games from one opening


@dataclass(frozen=True)
class Adjudication:
    """When the runner ends a game early, as cutechess, fastchess and c-gomoku-cli do. None: not for this reason.

    draw_after: plies, the opening included, after which a game is a draw
    draw: (moves, score): a draw after that many moves of each side in a row with scores from -score to score
    resign: (moves, score): a player has lost after that many of its moves in a row with scores of at most -score

    Raises RunnerError for less than one move, and for a score that is negative or infinite.
    """

    draw_after: int | None = None
    draw: tuple[int, float] | None = None
    resign: tuple[int, float] | None = None

    def __post_init__(self) -> None:
        for option, given in (("--draw", self.draw), ("--resign", self.resign)):
            if given is not None and not (given[0] >= 1 and 0 <= given[1] < math.inf):
                sentence = _("{option} needs a number of moves, at least 1, and a score, at least 0; not {given}")
                raise RunnerError(sentence.format(option=option, given=f"{given[0]} {given[1]:g}"))


@dataclass(frozen=True)
class Terms:
    """The terms of all games of a tournament.

    setup: the game without an opening; the seeds of all games are derived from its seed
    limits: the agents' limits of time and memory
    strict: an illegal move loses, and so does an exception that an agent caught itself; otherwise both are treated as
        on the platform
    python: the interpreter that runs the agents
    adjudication: when the runner ends a game before its end by the rules
    """

    setup: GameSetup
    limits: AgentLimits = field(default_factory=AgentLimits)
    strict: bool = True
    python: str = field(default_factory=lambda: sys.executable)  # so the schema names no path
    adjudication: Adjudication = field(default_factory=Adjudication)


@dataclass(frozen=True)
class PlannedGame:
    """One game.

    number: the game's number from 1; games 2n - 1 and 2n are pair n
    players: Black's and White's index among the plan's agents
    seats: Black's and White's copies; agent_seeds: the seeds of their random numbers
    """

    number: int
    players: tuple[int, int]
    seats: tuple[Copy, Copy]
    setup: GameSetup
    agent_seeds: tuple[int, int]
    terms: Terms


@dataclass(frozen=True)
class Plan:
    """The plan of a match or a tournament: agents, terms, and number of games.

    rounds: repetitions of the schedule; every pairing is two games from one opening, with colours swapped
    book: round n takes opening n, and after the last one the first follows; if the book is empty, openings are random
    recover: False: a crash ends the tournament. Otherwise the crashed agent loses the game, and the tournament goes on;
        with True, faults do not change the exit code of the command
    sprt: a test of the first agent against the second that may end the tournament early
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

    def pair(self, number: int, pairing: Pairing, opening: Opening, copies: Sequence[Copy] = ()) -> list[PlannedGame]:
        """The games of a pair. The first agent of `pairing` has Black in the first game. `number`: counts from 1.

        The same plan and number always give the same seeds. `copies`: the agents' copies to play; (): their own files.
        """
        seats, games = copies or list(map(Copy, self.agents)), list[PlannedGame]()
        for game, (black, white) in ((2 * number - 1, pairing), (2 * number, pairing[::-1])):
            if game <= self.games:
                seeds = self.terms.setup.chance(f"game {game}")
                setup = replace(self.terms.setup, seed=seeds.getrandbits(31), opening=opening)
                agent_seeds = (seeds.getrandbits(31), seeds.getrandbits(31))
                both = (seats[black], seats[white])
                games.append(PlannedGame(game, (black, white), both, setup, agent_seeds, self.terms))
        return games

    @property
    def names(self) -> tuple[str, ...]:
        """The agents' names; an agent that takes part more than once gets a letter, such as "greedy (B)"."""
        times = Counter(agent.name for agent in self.agents)
        return tuple(f"{agent.name} ({letter(number)})" if times[agent.name] > 1 else agent.name
                     for number, agent in enumerate(self.agents))  # fmt: skip


def match_plan(
    agents: tuple[AgentSpec, AgentSpec], terms: Terms, games: int, openings: str | None = None,
    plies: int | None = None, others: Others | None = None,
) -> Plan:  # fmt: skip
    """The plan of a match of `games` games.

    `openings`: the value of `--openings`. If `openings` is None, all pairs begin from a given board. Without a board,
    the first pair begins from the game's own start, and the others begin from random openings. `plies`: the length of
    random openings; None for the game's default. Random openings are made when their games begin. An agent that crashes
    loses the game, and the match goes on.

    Raises RunnerError for options that do not fit each other, and as `book_for` and `dealt` do. Raises AgentError for
    an agent that does not play this game.
    """
    if openings is None and terms.setup.board is not None:
        openings = START
    if not terms.strict and terms.setup.rules != "platform":
        raise RunnerError(_("--lenient replaces illegal moves as the platform does, so it needs --rules platform"))
    if openings not in (None, RANDOM) and plies is not None:
        sentence = _("--opening-plies is the length of random openings, not of {openings}; leave it out")
        raise RunnerError(sentence.format(openings=openings))
    if openings is None and plies is not None and games <= PAIR:
        raise RunnerError(_("the first two games begin from the game's own start, so --opening-plies needs "
                            "--openings random or more --games"))  # fmt: skip
    refuse_misfits(agents, terms.setup)
    plan = Plan(
        agents, terms, Schedule.MATCH, (games + 1) // 2,
        () if openings is None else book_for(openings, terms.setup, others),
        recover=None, most_games=games, opening_plies=plies, start_first=openings is None,
    )  # fmt: skip
    plan.opening(min(plan.rounds, 2))  # if `plies` is too large, this raises the error before the first game
    return plan


def letter(agent: int) -> str:
    """The short name of the agent with this number, from 0: A, B, ... Z, 27, 28, ..."""
    return string.ascii_uppercase[agent] if agent < len(string.ascii_uppercase) else str(agent + 1)


def from_json(value: object) -> Plan:
    """The plan from the output of `as_json`. Raises ValueError for other values, RunnerError for an invalid SPRT."""
    return msgspec.convert(value, Plan, dec_hook=lambda kind, given: kind(given))  # makes an agent's Path
