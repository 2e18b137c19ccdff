"""Drives a tournament: adds rounds, sends them to the executor, stores every finished game, and decides when to stop.

Its whole state is in the store, so it can be interrupted at any time. Shows nothing. The cost of a game does not grow
with the number of games; games that end while the disk is busy are written together.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from local_runner.agents.declared_games import refuse_misfits
from local_runner.errors import RunnerError
from local_runner.game.faults import Reason
from local_runner.game.wording import fault_text
from local_runner.language.languages import _, shown
from local_runner.matches.fixture import Fixture
from local_runner.matches.tournament.live import LiveFile
from local_runner.matches.tournament.plan import TournamentPlan
from local_runner.matches.tournament.schedule import Past, Schedule
from local_runner.matches.tournament.standings import Standings
from local_runner.matches.tournament.store import PlayedGame, Store, create, open_to_run
from local_runner.processes import interpreters, scratch
from local_runner.processes.process import AgentProcess
from local_runner.system import files
from local_runner.system.header import header
from local_runner.terminal.progress import Playing

WAIT_SECONDS = 0.2  # longest wait for a game, so that Ctrl-C is noticed
AHEAD = 4  # games per slot that are submitted before a slot is free
TOGETHER = 1000  # games that are stored together, at most
CRASHES = {Reason.CRASH, Reason.PROTOCOL}  # end a tournament without --recover


class Executor(Protocol):
    """Plays games; see `executor.LocalExecutor`. `slots`: games at once; the number may change.

    `playing`: the games that are played now, by number, as far as the executor knows.
    """

    @property
    def slots(self) -> int: ...

    @property
    def playing(self) -> Mapping[int, Playing]: ...

    def submit(self, games: Sequence[Fixture]) -> None:
        """Add the games of a pair, to be played one after another when a slot is free."""

    def next(self, seconds: float) -> PlayedGame | None:
        """The next finished game; None if none arrives within `seconds`. Raises the error that prevents a game."""


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
    """The end of a run: every game is played, or the observer stopped it, or an agent crashed in a game."""

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
        return _Run(store, executor, observer).to_the_end(live)
    finally:
        live.remove()


class _Run:
    """The state of a run. `waiting`: the number of games that were submitted and have not ended."""

    def __init__(self, store: Store, executor: Executor, observer: Observer) -> None:
        self.store, self.plan, self.executor, self.observer = store, store.plan, executor, observer
        self.past, self.standings, self.waiting = Past(), Standings(store.plan.names), 0

    def to_the_end(self, live: LiveFile) -> RunEnd:
        while True:
            self._add_rounds()
            live.write(self.executor.playing)
            if not self.waiting:
                return RunEnd(complete=True)
            if end := self._collect():
                return end

    def _add_rounds(self) -> None:
        """Submit rounds until the executor has enough to do; a Swiss round depends on all games before it."""
        wanted = 1 if self.plan.schedule is Schedule.SWISS else AHEAD * self.executor.slots
        while self.past.rounds < self.plan.rounds and self.waiting < wanted:
            for games in self._next_round():
                self.executor.submit(games)
                self.waiting += len(games)

    def _next_round(self) -> Iterator[list[Fixture]]:
        """The games of the next round that are not in the store, by pairs. Those in the store are counted."""
        before = self.past.rounds * self.plan.pairs
        stored = {game.number: game for game in self.store.each_game(2 * before + 1, 2 * (before + self.plan.pairs))}
        known = {game.pair: game.pairing for game in stored.values()}
        pairings = list(known.values())
        if len(known) < self.plan.pairs:
            pairings = self.plan.schedule.pairings(len(self.plan.agents), self.past, self.standings.points)
        self.past.add(pairings)
        for game in stored.values():
            self.standings.add(game)
        if len(stored) < 2 * self.plan.pairs:
            opening = self.plan.opening(self.past.rounds)
            for number, pairing in enumerate(pairings, before + 1):
                games = self.plan.pair(number, pairing, opening)
                if missing := [game for game in games if game.number not in stored]:
                    yield missing

    def _collect(self) -> RunEnd | None:
        """Wait for games, store them, then tell the observer. Returns the end of the run if a game ends it."""
        games: list[PlayedGame] = []
        most = 1 if self.observer.decides or self.executor.slots == 1 else TOGETHER
        try:
            while len(games) < most and (game := self.executor.next(0 if games else WAIT_SECONDS)) is not None:
                games.append(game)
        finally:
            if games:
                self.store.add_games(games)
            for game in games:
                self.standings.add(game)
                self.observer.ended(game)
        self.waiting -= len(games)
        for game in games:
            if game.result.reason in CRASHES and not self.plan.recover:
                return RunEnd(complete=False, crashed=game)
        return RunEnd(complete=False) if games and self.observer.enough() else None


def check_agents(plan: TournamentPlan) -> None:
    """Load every agent once.

    Raises RunnerError if one cannot be loaded or does not play the game, or if the interpreter is not a Python.
    """
    refuse_misfits(plan.agents, plan.terms.setup)
    interpreters.check(plan.terms.python)
    with scratch.folder(scratch.LOADING) as folder:
        for agent in plan.agents:
            output, terms = folder / "out.txt", plan.terms
            with AgentProcess(agent, output, terms.limits, python=terms.python) as process:
                if fault := process.start().fault:
                    sentence = _("{agent} cannot be loaded: it {why}")
                    raise RunnerError(sentence.format(agent=agent.name, why=shown(fault_text(fault))))


@contextmanager
def open_or_create(path: Path, plan: TournamentPlan, *, new: bool = False) -> Iterator[Store]:
    """The file of a tournament, to be played: an existing file with this plan, or a new one.

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
