"""Goes through a tournament: sets the rounds, has them played, keeps every game the moment it ends, knows when to stop.

All that it goes by is in the store, so it does not matter how often it is broken off. Shows nothing.
"""

import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from local_runner import interpreters
from local_runner.errors import RunnerError
from local_runner.process import AgentProcess
from local_runner.records import BLACK_WINS, WHITE_WINS, Reason
from local_runner.tournament.executor import Done, Job
from local_runner.tournament.plan import Pair, TournamentPlan
from local_runner.tournament.schedule import SCHEDULES, Pairing
from local_runner.tournament.store import PlayedGame, Store

WAIT_SECONDS = 0.2  # between two looks at the executor, for the display and Ctrl-C
AHEAD = 2  # jobs for every slot that are set before they are needed
CRASHES = {Reason.CRASH.value, Reason.PROTOCOL.value}  # that end a tournament without --recover


class Executor(Protocol):
    """Something that plays jobs; see `executor.LocalExecutor`."""

    slots: int

    def submit(self, job: Job) -> None: ...

    def next(self, seconds: float) -> PlayedGame | Done | None: ...


class Observer:
    """Is told how it goes; this one does not care. Subclass it for a display."""

    def ended(self, game: PlayedGame) -> None:
        """A game has ended, and is kept."""

    def enough(self) -> bool:
        """Whether to stop, asked before the first game and after every one."""
        return False


@dataclass(frozen=True)
class Ending:
    """How a run ended: all played, stopped by the observer, or by an agent's crash in a game."""

    complete: bool
    crashed: PlayedGame | None = None


def run(store: Store, executor: Executor, observer: Observer | None = None) -> Ending:
    """Play what is left of a tournament. Raises RunnerError where a game cannot be played or kept."""
    observer = observer or Observer()
    interpreters.check(store.plan.terms.python)
    if observer.enough():
        return Ending(complete=False)
    games, past, jobs = store.games(), _rounds(store.pairs()), _jobs_left(store)
    open_jobs = len(jobs)
    for job in jobs:
        executor.submit(job)
    while True:
        while open_jobs < AHEAD * executor.slots and _may_go_on(store.plan, past, open_jobs):
            pairs = _next_round(store.plan, past, games)
            store.add_pairs(pairs)
            past.append([pair.pairing for pair in pairs])
            for pair in pairs:
                executor.submit(Job(pair, pair.fixtures(store.plan)))
            open_jobs += len(pairs)
        if not open_jobs:
            return Ending(complete=True)
        result = executor.next(WAIT_SECONDS)
        if isinstance(result, PlayedGame):
            store.add_game(result)
            games.append(result)
            observer.ended(result)
            if result.reason in CRASHES and not store.plan.recover:
                return Ending(complete=False, crashed=result)
            if observer.enough():
                return Ending(complete=False)
        elif isinstance(result, Done):
            open_jobs -= 1
            if result.error is not None:
                raise result.error


def check_agents(plan: TournamentPlan) -> None:
    """Load every agent once. Raises RunnerError for one that cannot be, and for an interpreter that is none."""
    interpreters.check(plan.terms.python)
    terms = plan.terms
    with tempfile.TemporaryDirectory(prefix="tengen-load-") as folder:
        for agent in plan.agents:
            with AgentProcess(agent, Path(folder, "out.txt"), terms.limits, python=terms.python) as process:
                if fault := process.start().fault:
                    raise RunnerError(f"{agent.name} cannot be loaded: it {fault.sentence}")


def _jobs_left(store: Store) -> list[Job]:
    """The pairs that were set, but not played to their end."""
    played = {game.number for game in store.games()}
    fixtures = ((pair, pair.fixtures(store.plan)) for pair in store.pairs())
    left = [(pair, [game for game in both if game.number not in played]) for pair, both in fixtures]
    return [Job(pair, games) for pair, games in left if games]


def _may_go_on(plan: TournamentPlan, past: Sequence[Sequence[Pairing]], open_jobs: int) -> bool:
    """Whether there is another round, and it does not depend on games that are still to be played."""
    return len(past) < plan.rounds and not (plan.schedule == "swiss" and open_jobs)


def _next_round(
    plan: TournamentPlan, past: Sequence[Sequence[Pairing]], games: Sequence[PlayedGame]
) -> list[Pair]:
    number, begun = len(past) + 1, sum(map(len, past))
    pairings = SCHEDULES[plan.schedule](len(plan.agents), past, points(games))
    opening = plan.opening(number)
    return [Pair(begun + n, number, pairing, opening) for n, pairing in enumerate(pairings, 1)]


def _rounds(pairs: Sequence[Pair]) -> list[list[Pairing]]:
    rounds: defaultdict[int, list[Pairing]] = defaultdict(list)
    for pair in pairs:
        rounds[pair.round].append(pair.pairing)
    return [rounds[number] for number in sorted(rounds)]


def points(games: Iterable[PlayedGame]) -> Counter[int]:
    """Twice the points by agent: 2 for a win, 1 for a draw."""
    found: Counter[int] = Counter()
    for game in games:
        found[game.black] += {BLACK_WINS: 2, WHITE_WINS: 0}.get(game.winner, 1)
        found[game.white] += {BLACK_WINS: 0, WHITE_WINS: 2}.get(game.winner, 1)
    return found


def games_of(plan: TournamentPlan) -> int:
    """How many games the whole tournament has."""
    n = len(plan.agents)
    return 2 * plan.rounds * {"round-robin": n * (n - 1) // 2, "gauntlet": n - 1, "swiss": n // 2}[plan.schedule]
