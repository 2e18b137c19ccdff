"""`workshop.lab.study per-move-time`: how long the moves of a game take, for our agent and for each opponent.

Each time is of a call on turn, in seconds, listed by the number of the agent's own move.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from local_runner.matches.statistics.counts import percentile
from local_runner.matches.tournament.schedule import Schedule
from local_runner.matches.tournament.store import read
from workshop.lab.study.games import GameStudy
from workshop.lab.study.output import Row, StudyResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Timed(NamedTuple):
    """A row of the summary: an agent in the games of the first agent against `opponent`."""

    game: str
    opponent: str
    agent: str


Moves = dict[int, list[float]]  # number of the agent's own move -> seconds in all games


@dataclass(frozen=True)
class PerMoveTime(GameStudy):
    """The options of the study."""

    def run(self, folder: Path) -> StudyResult:
        """Play the missing games of the first agent against all others; returns the median and longest time by move."""
        seconds: defaultdict[Timed, Moves] = defaultdict(lambda: defaultdict(list))
        for pool in self.pools():
            env, plan = pool.terms.setup.env, pool.plan(Schedule.GAUNTLET, self.rounds)
            file, names = folder / f"{env}.db", plan.names
            head = self.play_all(file, plan)
            with read(file) as store:
                for game in store.each_game():
                    calls = [call for call in store.details(game.number).calls if call.turn]
                    for player, agent in enumerate((game.black, game.white)):
                        moves = seconds[Timed(env, names[max(game.black, game.white)], names[agent])]
                        own = [call.seconds for call in calls if call.player == player]
                        for number, second in enumerate(own, 1):
                            moves[number].append(second)
        rows = [
            {**timed._asdict(), "move": number, "calls": len(times), "median": percentile(times, 50),
             "longest": max(times)}
            for timed, moves in seconds.items()
            for number, times in sorted(moves.items())
        ]  # fmt: skip
        plots: dict[str, Callable[[], Figure]] = {
            f"per_move_time_{env}": partial(_draw, env, {key: of for key, of in seconds.items() if key.game == env})
            for env in dict.fromkeys(timed.game for timed in seconds)
        }
        return StudyResult(rows, [_summary(*item) for item in seconds.items()], plots, head, self.terms_shown())


def _summary(timed: Timed, moves: Moves) -> Row:
    medians = {number: percentile(times, 50) for number, times in moves.items()}
    slowest = max(medians, key=medians.__getitem__)
    every = [second for times in moves.values() for second in times]
    return {
        **timed._asdict(), "moves": len(moves), "median ms": 1000 * percentile(every, 50),
        "longest ms": 1000 * max(every), "slowest move": slowest, "its median ms": 1000 * medians[slowest],
    }  # fmt: skip


def _draw(env: str, seconds: dict[Timed, Moves]) -> "Figure":
    from matplotlib.figure import Figure

    opponents: Sequence[str] = list(dict.fromkeys(timed.opponent for timed in seconds))
    figure = Figure(figsize=(9, 2.6 * len(opponents)), layout="constrained")
    grid = figure.subplots(len(opponents), squeeze=False, sharex=True)[:, 0]
    for timed, moves in seconds.items():
        axes, numbers = grid[opponents.index(timed.opponent)], sorted(moves)
        medians = [percentile(moves[number], 50) for number in numbers]
        [line] = axes.plot(numbers, medians, label=f"{timed.agent}, median")
        axes.plot(numbers, [max(moves[number]) for number in numbers], ":", color=line.get_color(), label="longest")
        axes.set(ylabel="seconds", ylim=(0, None))
        axes.legend(fontsize="small")
    grid[-1].set_xlabel("own move in the game")
    grid[0].set_title(env)
    return figure
