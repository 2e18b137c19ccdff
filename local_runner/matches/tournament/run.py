"""Runs a tournament: submits rounds to the executor, stores every finished game, and decides when to stop.

The whole state of a tournament is in its store, so a run can be interrupted at any time. This module prints nothing.
The time that a game costs here does not grow with the number of games. Games that end during a write are written
together afterwards.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from local_runner.agents.declared_games import refuse_misfits
from local_runner.errors import RunnerError
from local_runner.game.faults import Reason
from local_runner.game.wording import fault_text
from local_runner.language.languages import _, shown
from local_runner.matches.fixture import Fixture
from local_runner.matches.snapshot import Copy, Snapshot, take_all, unpacked
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

WAIT_SECONDS = 0.2  # longest wait for a game; then Ctrl-C can end the run
AHEAD = 4  # submitted and unfinished games per slot, below which another round is submitted
TOGETHER = 1000  # most games that are stored in one transaction
CRASHES = {Reason.CRASH, Reason.PROTOCOL}  # a loss for one of these reasons ends a tournament with --no-recover


class Executor(Protocol):
    """Plays games, as `executor.LocalExecutor` does.

    `slots`: the number of games at a time, which may change. `playing`: the games that the executor knows to be in
    progress, by number.
    """

    @property
    def slots(self) -> int: ...

    @property
    def playing(self) -> Mapping[int, Playing]: ...

    def submit(self, games: Sequence[Fixture]) -> None:
        """Add the games of a pair, which are played one after another once a slot is free."""

    def next(self, seconds: float) -> PlayedGame | None:
        """The next finished game; None if none arrives within `seconds`.

        Raises the error of a game that could not be played.
        """


class Observer:
    """Receives every finished game, and may stop the run. A subclass overrides the methods, which do nothing here.

    `decides`: whether `enough` may return True and so stop the run. Games are then stored one by one, so that no game
    is stored after the game that decides.
    """

    decides = False

    def ended(self, game: PlayedGame) -> None:
        """Called when a game has ended and is stored on the disk."""

    def enough(self) -> bool:
        """Whether to stop the run. Called before the first game, and after games were stored."""
        return False


@dataclass(frozen=True)
class RunEnd:
    """How a run ended. `complete`: every game is played. `crashed`: the game whose crash ended the run, if one did.

    If neither is set, the observer stopped the run.
    """

    complete: bool
    crashed: PlayedGame | None = None


def run(store: Store, executor: Executor, observer: Observer | None = None) -> RunEnd:
    """Play the remaining games of a tournament. Raises RunnerError if a game cannot be played or stored.

    `observer`: is told of every game; None for no observer.
    """
    observer = observer or Observer()
    interpreters.check(store.plan.terms.python)
    if observer.enough():
        return RunEnd(complete=False)
    live = LiveFile(store.path)
    try:
        with unpacked(store.plan.agents, store.snapshots(), store.plan.terms.python) as copies:
            return _Run(store, executor, observer, copies).to_the_end(live)
    finally:
        live.remove()


class _Run:
    """The state of a run.

    waiting: the number of games that were submitted and are not stored yet
    copies: the copies of the plan's agents that are played
    """

    def __init__(self, store: Store, executor: Executor, observer: Observer, copies: Sequence[Copy]) -> None:
        self.store, self.plan, self.executor, self.observer = store, store.plan, executor, observer
        self.copies = copies
        self.past, self.standings, self.waiting = Past(), Standings(store.plan.names), 0

    def to_the_end(self, live: LiveFile) -> RunEnd:
        while True:
            self._add_rounds()
            self.store.check_place()
            live.write(self.executor.playing)
            if not self.waiting:
                return RunEnd(complete=True)
            if end := self._collect():
                return end

    def _add_rounds(self) -> None:
        """Submit rounds until `AHEAD` games per slot are waiting.

        A Swiss round is submitted only when no game is waiting, because its pairings depend on all earlier games.
        """
        wanted = 1 if self.plan.schedule is Schedule.SWISS else AHEAD * self.executor.slots
        while self.past.rounds < self.plan.rounds and self.waiting < wanted:
            for games in self._next_round():
                self.executor.submit(games)
                self.waiting += len(games)

    def _next_round(self) -> Iterator[list[Fixture]]:
        """The games of the next round that are still to be played: a list for each pair.

        The round's games that are already in the store are added to the standings.
        """
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
                if missing := [with_copies(game, self.copies) for game in games if game.number not in stored]:
                    yield missing

    def _collect(self) -> RunEnd | None:
        """Wait for games, store them, then tell the observer. Returns the RunEnd if the run ends, otherwise None."""
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
            if game.result.reason in CRASHES and self.plan.recover is False:
                return RunEnd(complete=False, crashed=game)
        return RunEnd(complete=False) if games and self.observer.enough() else None


def with_copies(game: Fixture, copies: Sequence[Copy]) -> Fixture:
    """The game, to be played by the copies of the plan's agents."""
    black, white = (copies[player] for player in game.players)
    return replace(game, agents=(black.agent, white.agent), copies=(black.path, white.path))


def check_agents(plan: TournamentPlan, snapshots: Sequence[Snapshot]) -> None:
    """Load every agent once, from its snapshot.

    Raises RunnerError if an agent cannot be loaded or does not play the game. Raises RunnerError, too, if `python` of
    the plan's terms is no working Python 3.7 or newer.
    """
    refuse_misfits(plan.agents, plan.terms.setup)
    interpreters.check(plan.terms.python)
    terms = plan.terms
    with scratch.folder(scratch.LOADING) as folder, unpacked(plan.agents, snapshots, terms.python) as copies:
        for agent, copy in copies:
            if agent.level:
                continue
            with AgentProcess(agent, folder / "out.txt", terms.limits, python=terms.python, copy=copy) as process:
                if fault := process.start().fault:
                    sentence = _("{agent} cannot be loaded: it {why}")
                    raise RunnerError(sentence.format(agent=agent.name, why=shown(fault_text(fault))))


@contextmanager
def open_or_create(path: Path, plan: TournamentPlan, *, new: bool = False) -> Iterator[Store]:
    """The store of a tournament to play: a new file, or an existing file with this plan and these agents.

    `new`: refuse an existing file. Raises RunnerError for an existing file with another plan or with agents that have
    changed since, and as `check_agents`, `create` and `open_to_run` do.
    """
    if new or not files.size(path):
        snapshots = take_all(plan.agents)
        check_agents(plan, snapshots)  # checked before the file is made
        with create(path, plan, header(), snapshots) as store:
            yield store
        return
    with open_to_run(path) as store:
        if store.plan != plan:
            sentence = _("{path} holds games with other options; give another file")
            raise RunnerError(sentence.format(path=path))
        refuse_changed(store)
        yield store


def refuse_changed(store: Store) -> None:
    """Raise RunnerError if an agent's file has changed since the tournament was begun; the message names the file."""
    for path in store.changed_files()[:1]:
        sentence = _("{file} has changed since {path} was begun, or is gone; restore it, or begin a new file")
        raise RunnerError(sentence.format(file=path, path=store.path))
