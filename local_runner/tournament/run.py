"""Goes through a tournament: sets the rounds, has them played, keeps every game the moment it ends, knows when to stop.

All that it goes by is in the store, so it does not matter how often it is broken off. Shows nothing. A game costs the
same whatever was played before it, and games that end while the disk is waited for are written together.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from local_runner.errors import RunnerError
from local_runner.processes import interpreters
from local_runner.processes.process import AgentProcess
from local_runner.records import BLACK_WINS, WHITE_WINS, Reason
from local_runner.tournament.executor import Done, Job
from local_runner.tournament.plan import Pair, TournamentPlan
from local_runner.tournament.schedule import SCHEDULES, Past
from local_runner.tournament.store import PlayedGame, Store

WAIT_SECONDS = 0.2  # between two looks at the executor, for the display and Ctrl-C
AHEAD = 2  # jobs for every slot that are set before they are needed
TOGETHER = 1000  # games and ends of jobs at most that are kept at once
CRASHES = {Reason.CRASH.value, Reason.PROTOCOL.value}  # that end a tournament without --recover


class Executor(Protocol):
    """Something that plays jobs; see `executor.LocalExecutor`. `slots`: how many at once, which may change."""

    @property
    def slots(self) -> int: ...

    def submit(self, job: Job) -> None: ...

    def next(self, seconds: float) -> PlayedGame | Done | None: ...


class Observer:
    """Is told how it goes; this one does not care. Subclass it for a display."""

    def ended(self, game: PlayedGame) -> None:
        """A game has ended; it is kept before the next ones are waited for."""

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
    return _Run(store, executor, observer).to_the_end()


class _Run:
    """Where a run stands. `points`: twice the points by agent; `open_jobs`: what the executor has still to play."""

    def __init__(self, store: Store, executor: Executor, observer: Observer) -> None:
        self.store, self.plan, self.executor, self.observer = store, store.plan, executor, observer
        self.past, self.points, self.open_jobs = Past(), Counter[int](), 0
        for pair in store.pairs():
            self.past.add(pair.round, pair.pairing)
        for game in store.each_game():
            add_points(self.points, game)

    def to_the_end(self) -> Ending:
        for job in _jobs_left(self.store):
            self._submit(job)
        while True:
            self._set_rounds()
            if not self.open_jobs:
                return Ending(complete=True)
            if ending := self._collect():
                return ending

    def _submit(self, job: Job) -> None:
        self.executor.submit(job)
        self.open_jobs += 1

    def _set_rounds(self) -> None:
        """Keep the executor busy, by as many rounds as that takes."""
        wanted, pairs = AHEAD * self.executor.slots, list[Pair]()
        while self.open_jobs + len(pairs) < wanted and self._may_go_on(self.open_jobs + len(pairs)):
            pairs += self._next_round()
        if pairs:
            self.store.add_pairs(pairs)
        for pair in pairs:
            self._submit(Job(pair, pair.fixtures(self.plan)))

    def _may_go_on(self, open_jobs: int) -> bool:
        """Whether there is another round, and it does not depend on games that are still to be played."""
        return self.past.rounds < self.plan.rounds and not (self.plan.schedule == "swiss" and open_jobs)

    def _next_round(self) -> list[Pair]:
        number, begun = self.past.rounds + 1, self.past.pairs
        pairings = SCHEDULES[self.plan.schedule](len(self.plan.agents), self.past, self.points)
        opening = self.plan.opening(number)
        for pairing in pairings:
            self.past.add(number, pairing)
        return [Pair(begun + n, number, pairing, opening) for n, pairing in enumerate(pairings, 1)]

    def _collect(self) -> Ending | None:
        """Wait for what ends next and keep it, with all that has ended besides; what ends the run, if anything does."""
        games: list[PlayedGame] = []
        try:
            for result in _arrived(self.executor):
                if isinstance(result, PlayedGame):
                    games.append(result)
                    add_points(self.points, result)
                    self.observer.ended(result)
                    if result.reason in CRASHES and not self.plan.recover:
                        return Ending(complete=False, crashed=result)
                    if self.observer.enough():
                        return Ending(complete=False)
                else:
                    self.open_jobs -= 1
                    if result.error is not None:
                        raise result.error
        finally:
            if games:
                self.store.add_games(games)
        return None


def _arrived(executor: Executor) -> Iterator[PlayedGame | Done]:
    """What ends next, waited for a little, and what has ended by then."""
    seconds = WAIT_SECONDS
    for _ in range(TOGETHER):
        result = executor.next(seconds)
        if result is None:
            return
        yield result
        seconds = 0


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
    both = ((pair, pair.fixtures(store.plan)) for pair in store.pairs_left())
    return [Job(pair, [game for game in games if store.game(game.number) is None]) for pair, games in both]


def add_points(points: Counter[int], game: PlayedGame) -> None:
    """Twice the points by agent: 2 for a win, 1 for a draw."""
    points[game.black] += {BLACK_WINS: 2, WHITE_WINS: 0}.get(game.winner, 1)
    points[game.white] += {BLACK_WINS: 0, WHITE_WINS: 2}.get(game.winner, 1)


def games_of(plan: TournamentPlan) -> int:
    """How many games the whole tournament has."""
    n = len(plan.agents)
    return 2 * plan.rounds * {"round-robin": n * (n - 1) // 2, "gauntlet": n - 1, "swiss": n // 2}[plan.schedule]
