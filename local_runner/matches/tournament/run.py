"""Drives a tournament: adds rounds, sends them to the executor, stores every finished game, and decides when to stop.

Its whole state is in the store, so it can be interrupted at any time. Shows nothing. The cost of a game does not grow
with the number of games; games that end while the disk is busy are written together.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from local_runner.agents.declared_games import refuse_misfits
from local_runner.errors import RunnerError
from local_runner.game.faults import Reason
from local_runner.game.wording import deed
from local_runner.language.languages import _, shown
from local_runner.matches.tournament.executor import Done, Job
from local_runner.matches.tournament.live import LiveFile
from local_runner.matches.tournament.plan import Pair, TournamentPlan
from local_runner.matches.tournament.schedule import SCHEDULES, Past
from local_runner.matches.tournament.standings import Standings
from local_runner.matches.tournament.store import PlayedGame, Store, create, open_to_run
from local_runner.processes import interpreters, scratch
from local_runner.processes.process import AgentProcess
from local_runner.system import files
from local_runner.system.header import header
from local_runner.terminal.progress import Playing

WAIT_SECONDS = 0.2  # longest wait for a result, so that Ctrl-C is noticed
AHEAD = 2  # jobs per slot that are submitted before a slot is free
TOGETHER = 1000  # results that are stored together, at most
CRASHES = {Reason.CRASH, Reason.PROTOCOL}  # end a tournament without --recover


class Executor(Protocol):
    """Something that plays jobs; see `executor.LocalExecutor`. `slots`: games at once; the number may change.

    `playing`: the games that are played now, by number, as far as the executor knows.
    """

    @property
    def slots(self) -> int: ...

    @property
    def playing(self) -> Mapping[int, Playing]: ...

    def submit(self, job: Job) -> None: ...

    def next(self, seconds: float) -> PlayedGame | Done | None: ...


class Observer:
    """Receives every finished game, and may stop the run. Subclass it; these methods do nothing.

    `decides`: whether `enough` may say so; games are then stored one by one, so that none is stored after that.
    """

    decides = False

    def ended(self, game: PlayedGame) -> None:
        """A game has ended, and is on the disk: what is shown now can no longer be lost."""

    def enough(self) -> bool:
        """Whether to stop; called before the first game and whenever games were stored."""
        return False


@dataclass(frozen=True)
class RunEnd:
    """How a run ended: everything is played, or the observer had enough, or an agent crashed in a game."""

    complete: bool
    crashed: PlayedGame | None = None


def run(store: Store, executor: Executor, observer: Observer | None = None) -> RunEnd:
    """Play the remaining games of a tournament. Raises RunnerError if a game cannot be played or stored."""
    observer = observer or Observer()
    interpreters.check(store.plan.terms.python)
    if observer.enough():
        return RunEnd(complete=False)
    live = LiveFile(store.path)
    try:
        return _Run(store, executor, observer, live).to_the_end()
    finally:
        live.remove()


class _Run:
    """The state of a run. `open_jobs`: jobs that the executor has not ended."""

    def __init__(self, store: Store, executor: Executor, observer: Observer, live: LiveFile) -> None:
        self.store, self.plan, self.executor, self.observer = store, store.plan, executor, observer
        self.live = live
        self.past, self.open_jobs = Past(), 0
        for pair in store.pairs():
            self.past.add(pair.round, pair.pairing)
        self.standings = Standings(self.plan.names, store.each_game())

    def to_the_end(self) -> RunEnd:
        for job in _jobs_left(self.store):
            self._submit(job)
        while True:
            self._add_rounds()
            self.live.write(self.executor.playing)
            if not self.open_jobs:
                return RunEnd(complete=True)
            if end := self._collect():
                return end

    def _submit(self, job: Job) -> None:
        self.executor.submit(job)
        self.open_jobs += 1

    def _add_rounds(self) -> None:
        """Add rounds until the executor has enough to do."""
        wanted, pairs = AHEAD * self.executor.slots, list[Pair]()
        while self.open_jobs + len(pairs) < wanted and self._may_go_on(self.open_jobs + len(pairs)):
            pairs += self._next_round()
        if pairs:
            self.store.add_pairs(pairs)
        for pair in pairs:
            self._submit(Job(pair, pair.fixtures(self.plan)))

    def _may_go_on(self, open_jobs: int) -> bool:
        """Whether the next round can be added now; a Swiss round depends on the games of all rounds before."""
        return self.past.rounds < self.plan.rounds and not (self.plan.schedule == "swiss" and open_jobs)

    def _next_round(self) -> list[Pair]:
        number, begun = self.past.rounds + 1, self.past.pairs
        pairings = SCHEDULES[self.plan.schedule](len(self.plan.agents), self.past, self.standings.points)
        opening = self.plan.opening(number)
        for pairing in pairings:
            self.past.add(number, pairing)
        return [Pair(begun + n, number, pairing, opening) for n, pairing in enumerate(pairings, 1)]

    def _collect(self) -> RunEnd | None:
        """Wait for results, store them, then tell of them. Returns the end of the run if a result ends it."""
        results: list[PlayedGame | Done] = []
        games: list[PlayedGame] = []
        try:
            for result in _arrived(self.executor, 1 if self.observer.decides or self.executor.slots == 1 else TOGETHER):
                results.append(result)
                games += [result] if isinstance(result, PlayedGame) else []
        finally:
            if games:
                self.store.add_games(games)
        for result in results:
            if isinstance(result, PlayedGame):
                self.standings.add(result)
                self.observer.ended(result)
            else:
                self.open_jobs -= 1
                if result.error is not None:
                    raise result.error
        for game in games:
            if game.result.reason in CRASHES and not self.plan.recover:
                return RunEnd(complete=False, crashed=game)
        return RunEnd(complete=False) if games and self.observer.enough() else None


def _arrived(executor: Executor, most: int) -> Iterator[PlayedGame | Done]:
    """The results that have arrived, at most that many; waits up to WAIT_SECONDS for the first."""
    seconds = WAIT_SECONDS
    for _number in range(most):
        result = executor.next(seconds)
        if result is None:
            return
        yield result
        seconds = 0


def check_agents(plan: TournamentPlan) -> None:
    """Load every agent once. Raises RunnerError if one cannot be loaded or does not play the game, or if the
    interpreter is not a Python.
    """
    refuse_misfits(plan.agents, plan.terms.setup)
    interpreters.check(plan.terms.python)
    terms = plan.terms
    with scratch.folder(scratch.LOADING) as folder:
        for agent in plan.agents:
            with AgentProcess(agent, folder / "out.txt", terms.limits, python=terms.python) as process:
                if fault := process.start().fault:
                    sentence = _("{agent} cannot be loaded: it {why}")
                    raise RunnerError(sentence.format(agent=agent.name, why=shown(deed(fault))))


@contextmanager
def begun(path: Path, plan: TournamentPlan, *, new: bool = False) -> Iterator[Store]:
    """The file of a tournament to play: a new one if there is none, else the one in which it was begun.

    `new`: an existing file is refused. Raises RunnerError as `check_agents` and the store do, and for a file of another
    tournament.
    """
    if new or not files.size(path):
        check_agents(plan)  # before the file is made
        with create(path, plan, header()) as store:
            yield store
        return
    with open_to_run(path) as store:
        if store.plan != plan:
            sentence = _("{path} holds games with other options; give --out another folder")
            raise RunnerError(sentence.format(path=path))
        yield store


def _jobs_left(store: Store) -> list[Job]:
    """The games of the store's pairs that are not played yet."""
    both = ((pair, pair.fixtures(store.plan)) for pair in store.pairs_left())
    return [Job(pair, [game for game in games if store.game(game.number) is None]) for pair, games in both]
