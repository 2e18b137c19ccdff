"""Measures the cost of a large tournament without playing: time and memory of the driver, size and time of the file.

    python -m workshop.lab.scale [GAMES [SLOTS [FILE]]]        default: 100,000 games on 1,000 slots

1. A few real games of our agent against itself, at a fixed number of nodes, show the time and calls that a game takes.
2. A whole tournament is run by an executor that returns copies of these games immediately.
3. The file is opened again in two ways: as a display opens it, and as --resume opens it.
"""

import os
import resource
import statistics
import tempfile
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from local_runner.agents.spec import parse_agent
from local_runner.game.setup import GameSetup
from local_runner.matches.fixture import Fixture, Terms
from local_runner.matches.openings.books import Purpose
from local_runner.matches.openings.deal import book_for
from local_runner.matches.screens import TournamentScreen
from local_runner.matches.tournament.executor import LocalExecutor
from local_runner.matches.tournament.plan import TournamentPlan
from local_runner.matches.tournament.run import run
from local_runner.matches.tournament.schedule import Schedule
from local_runner.matches.tournament.store import PlayedGame, Store, create, open_to_run, read
from local_runner.processes.child import AgentLimits
from local_runner.terminal.progress import Playing
from workshop import command

SETUP = GameSetup("gobang_1v1")
NODES = 2000
SAMPLES = 10  # pairs of real games
SINGLE = 200  # games that are written in a transaction each


class CopyingExecutor:
    """An executor that ends every game at once, with a copy of one of the given games."""

    def __init__(self, slots: int, games: list[PlayedGame]) -> None:
        self.slots = slots
        self.playing: dict[int, Playing] = {}
        self._games = games
        self._ended: deque[PlayedGame] = deque()

    def submit(self, games: Sequence[Fixture]) -> None:
        for game in games:
            copy = self._games[game.number * 7 % len(self._games)]
            black, white = game.players
            self._ended.append(replace(copy, number=game.number, black=black, white=white))

    def next(self, seconds: float) -> PlayedGame | None:
        return self._ended.popleft() if self._ended else None


def main(
    games: Annotated[int, typer.Argument(min=2, help="Games of the tournament.")] = 100_000,
    slots: Annotated[int, typer.Argument(min=1, help="Games at once.")] = 1000,
    path: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="File of the tournament; default: one that is removed.")
    ] = None,
) -> None:
    """Run the measurements and print their figures."""
    with tempfile.TemporaryDirectory(prefix="tengen-scale-") as folder:
        samples = play_samples(Path(folder, "samples.db"))
        calls = [call for game in samples for call in game.details.calls]
        show("real game", f"{statistics.mean(game.seconds for game in samples):.1f} s, "
            f"{len(calls) / len(samples):.0f} calls, {sum(call.cpu for call in calls) / len(samples):.1f} s of CPU "
            f"in them, at {NODES} nodes per move")  # fmt: skip
        with create(Path(folder, "single.db"), make_plan(SINGLE), {}) as store:
            started = perf_counter()
            for number in range(1, SINGLE + 1):
                store.add_games([replace(samples[0], number=number)])
            show("single games", f"{SINGLE / (perf_counter() - started):.0f} games/s, each on the disk before the next")
        file = path or Path(folder, "games.db")
        with create(file, make_plan(games // 2), {}) as store:
            time_tournament(store, CopyingExecutor(slots, samples), games)
        show("file", f"{file.stat().st_size / games:.0f} bytes a game")
        for name, opened in (("display of the file", read), ("resume", open_to_run)):
            started = perf_counter()
            with opened(file) as store:
                ready = perf_counter()
                if opened is open_to_run:
                    run(store, CopyingExecutor(slots, samples))
                else:
                    TournamentScreen(store).__rich__()
                show(name, f"{ready - started:.1f} s to check the file, {perf_counter() - ready:.1f} s to read it")
    show("peak memory", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def make_plan(rounds: int) -> TournamentPlan:
    """A tournament of our agent against itself, from the book for tuning."""
    agents = tuple(parse_agent(f"tengen:nodes={nodes}") for nodes in (NODES, NODES + 1))
    book = book_for(Purpose.TUNE.value, SETUP)
    return TournamentPlan(agents, Terms(SETUP, AgentLimits(seconds=60)), Schedule.GAUNTLET, rounds, book, recover=True)


def play_samples(path: Path) -> list[PlayedGame]:
    """Play some real games, and read them with their details."""
    with create(path, make_plan(SAMPLES), {}) as store:
        with LocalExecutor(1) as executor:
            run(store, executor)
        return [replace(game, details=store.details(game.number)) for game in store.games()]


def time_tournament(store: Store, executor: CopyingExecutor, games: int) -> None:
    """Run a tournament without playing; print its wall time and CPU time, and the time of its first and last tenth."""
    marks, cpu = [perf_counter()], os.times().user

    class TimedScreen(TournamentScreen):
        def ended(self, game: PlayedGame) -> None:
            super().ended(game)
            if self.standings.played % (games // 10) == 0:
                marks.append(perf_counter())

    run(store, executor, TimedScreen(store))
    cpu = os.times().user - cpu
    show("driver and file", f"{games / (marks[-1] - marks[0]):.0f} games/s, {1e6 * cpu / games:.0f} µs of CPU a game, "
        f"the first tenth in {marks[1] - marks[0]:.1f} s, the last in {marks[-1] - marks[-2]:.1f} s")  # fmt: skip


def show(what: str, figures: str) -> None:
    print(f"{what:20}{figures}", flush=True)


if __name__ == "__main__":
    command.run(main)
